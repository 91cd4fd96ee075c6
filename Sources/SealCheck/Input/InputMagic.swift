/// What a file is, by its first bytes: enough to choose how to read it, and to say what it is instead of an app.
enum InputMagic: Hashable, Sendable {
    case machO
    /// A ZIP archive that begins with a local header or, when it is empty, with its end record.
    case zip
    case empty
    /// Something else; the words, with an article, are for people. Nil when nothing is known.
    case other(String?)

    /// How many bytes are looked at: the one for `tar` lies at 257.
    static let count = 264

    init(_ head: [UInt8]) {
        if head.isEmpty {
            self = .empty
        } else if Self.isMachO(head) {
            self = .machO
        } else if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            self = .zip
        } else {
            self = .other(Self.words(for: head))
        }
    }

    private static func isMachO(_ head: [UInt8]) -> Bool {
        let magics: [[UInt8]] = [
            [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE], [0xCF, 0xFA, 0xED, 0xFE],
            [0xCA, 0xFE, 0xBA, 0xBF],
        ]
        if magics.contains(where: head.starts(with:)) { return true }
        // Java classes have the magic of universal files. Their next field is a version of at least 45, where a
        // universal file has its number of slices; Apple's `file` draws the line in the same place.
        guard head.starts(with: [0xCA, 0xFE, 0xBA, 0xBE]) else { return false }
        return head.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) } < 43
    }

    private static func words(for head: [UInt8]) -> String? {
        if let row = table.first(where: { head.starts(with: $0.magic) }) { return row.words }
        if head.dropFirst(257).starts(with: "ustar".utf8) { return "a tar archive" }
        let text = String(decoding: head.prefix(64), as: UTF8.self).lowercased().drop { $0.isWhitespace }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            return "a web page (did a download fail?)"
        }
        return nil
    }

    private static let table: [(magic: [UInt8], words: String)] = [
        (Array("xar!".utf8), "a xar archive (a macOS .pkg)"),
        ([0x1F, 0x8B], "a gzip file"),
        (Array("BZh".utf8), "a bzip2 file"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz file"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard file"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive"),
        (Array("Rar!".utf8), "a RAR archive"),
        (Array("AA01".utf8), "an Apple Archive"),
        (Array("YAA1".utf8), "an Apple Archive"),
        (Array("pbzx".utf8), "an Apple Archive"),
        (Array("AEA1".utf8), "an encrypted Apple Archive"),
        ([0x50, 0x4B, 0x07, 0x08], "one part of a ZIP archive on several disks"),
        (Array("PK00".utf8), "one part of a ZIP archive on several disks"),
        ([0xCA, 0xFE, 0xBA, 0xBE], "a Java class"),
        ([0x7F, 0x45, 0x4C, 0x46], "an ELF file (a program for Linux or Android)"),
        (Array("MZ".utf8), "a Windows program"),
        (Array("!<arch>\n".utf8), "a static library"),
        ([0x42, 0x43, 0xC0, 0xDE], "LLVM bitcode"),
        ([0xFA, 0xDE, 0x0C, 0xC0], "a code signature by itself"),
        ([0xFA, 0xDE, 0x0C, 0xC1], "a detached code signature"),
        ([0x00, 0x05, 0x16, 0x07], "an AppleDouble file (the extended attributes of another file)"),
        (Array("bplist".utf8), "a binary property list"),
        (Array("<?xml".utf8), "an XML document"),
        (Array("%PDF".utf8), "a PDF document"),
        (Array("#!".utf8), "a script"),
    ]
}
