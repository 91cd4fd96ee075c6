import Testing

@testable import SealCheck

/// What a tree holds, in a form from which a folder and an archive can be made.
struct Sample {
    enum Kind {
        case file([UInt8], mode: UInt16 = 0o644)
        case folder
        case link(String)
    }

    var path: String
    var kind: Kind

    private static let large = pattern(270_000)
    private static let chunk = pattern(256 << 10)

    /// Two names that a person cannot tell apart, and that only Linux lets stand side by side in one folder.
    static let twins: [Sample] = [
        Sample(path: "Demo.app/\u{439}", kind: .file(Array("composed".utf8))),
        Sample(path: "Demo.app/\u{438}\u{306}", kind: .file(Array("decomposed".utf8))),
    ]

    /// A bundle with a bit of everything that a tree has to get right.
    static let bundle: [Sample] = [
        Sample(path: "Demo.app", kind: .folder),
        Sample(path: "Demo.app/Demo", kind: .file(large, mode: 0o755)),
        Sample(path: "Demo.app/Empty", kind: .file([])),
        Sample(path: "Demo.app/Info.plist", kind: .file(Array("<plist/>".utf8))),
        Sample(path: "Demo.app/PlugIns", kind: .folder),
        Sample(path: "Demo.app/PlugIns-1", kind: .file(Array("sorts between a folder and its files".utf8))),
        Sample(path: "Demo.app/PlugIns/Widget.appex", kind: .folder),
        Sample(path: "Demo.app/PlugIns/Widget.appex/Widget", kind: .file(pattern(3), mode: 0o755)),
        Sample(path: "Demo.app/a:b c.txt", kind: .file(Array("a name that Windows cannot hold".utf8))),
        Sample(path: "Demo.app/chunk", kind: .file(chunk)),
        Sample(path: "Demo.app/dangling", kind: .link("../../nowhere")),
        Sample(path: "Demo.app/folder-link", kind: .link("PlugIns")),
        Sample(path: "Demo.app/link", kind: .link("Info.plist")),
        Sample(path: "Demo.app/nothing", kind: .folder),
    ]

    static func write(_ samples: [Sample], into folder: ScratchFolder) throws {
        for sample in samples {
            switch sample.kind {
            case .folder: try folder.makeFolder(sample.path)
            case .file(let bytes, let mode): try folder.write(sample.path, bytes, mode: Int(mode))
            case .link(let target): try folder.makeLink(sample.path, to: target)
            }
        }
    }

    static func zip(_ samples: [Sample], change: (inout ZipWriter.Entry) -> Void = { _ in }) -> [UInt8] {
        let entries = samples.map { sample in
            switch sample.kind {
            case .folder: ZipWriter.Entry("\(sample.path)/").with(change)
            case .file(let bytes, let mode):
                ZipWriter.Entry(Array(sample.path.utf8), bytes, mode: 0o100000 | UInt32(mode)).with(change)
            case .link(let target): ZipWriter.Entry.link(sample.path, to: target).with(change)
            }
        }
        return ZipWriter(entries).bytes()
    }
}

/// Bytes that do not repeat at any power of two.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) } }

/// The law of ``BundleTree``, for any implementation that should hold exactly `samples`.
func checkBundleTree(
    _ tree: any BundleTree, holds samples: [Sample], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let at = sourceLocation
    #expect(tree.faults == [], sourceLocation: at)

    let wanted = samples.map { BundlePath($0.path) }.sorted()
    #expect(tree.entries.map(\.path) == wanted, sourceLocation: at)
    for (first, second) in zip(tree.entries, tree.entries.dropFirst()) {
        #expect(first.path < second.path, "not in ascending order of bytes", sourceLocation: at)
    }
    let folders = Set(tree.entries.filter { $0.kind == .directory }.map(\.path))
    for entry in tree.entries {
        let parent = try #require(entry.path.parent, sourceLocation: at)
        #expect(parent.isRoot || folders.contains(parent), "\(entry.path) lies in no folder", sourceLocation: at)
    }

    let reader = try tree.makeReader()
    let other = try tree.makeReader()
    for sample in samples {
        let entry = try #require(tree.entry(BundlePath(sample.path)), sourceLocation: at)
        switch sample.kind {
        case .folder:
            #expect(entry.kind == .directory, sourceLocation: at)
            #expect(throws: ReadFault.notAFile, sourceLocation: at) { try reader.open(entry) }
            #expect(throws: ReadFault.notAFile, sourceLocation: at) { try reader.linkTarget(of: entry) }
        case .link(let target):
            #expect(entry.kind == .symbolicLink, sourceLocation: at)
            #expect(try reader.linkTarget(of: entry) == Array(target.utf8), sourceLocation: at)
            #expect(throws: ReadFault.notAFile, sourceLocation: at) { try reader.open(entry) }
        case .file(let bytes, let mode):
            #expect(entry.kind == .file, sourceLocation: at)
            #expect(throws: ReadFault.notAFile, sourceLocation: at) { try reader.linkTarget(of: entry) }
            #expect(entry.size == nil || entry.size == UInt64(bytes.count), sourceLocation: at)
            let contents = try reader.open(entry)
            #expect(contents.mode == mode, sourceLocation: at)
            try checkContents(contents, hold: bytes, sourceLocation: at)
            try checkContents(try other.open(entry), hold: bytes, sourceLocation: at)
        }
    }

    // Against the rules, but the caller must get the right bytes or an error, never another file's.
    let files = tree.entries.filter { $0.kind == .file }
    let all = try files.map { (try reader.open($0), try other.open($0).all()) }
    for (contents, bytes) in all { #expect(try contents.all() == bytes, sourceLocation: at) }

    // Entries that the tree never listed.
    for handle in [0, 1, UInt64.max / 2, .max] {
        for path: BundlePath in ["", "Demo.app", "elsewhere", "Demo.app/../../etc/passwd", "Demo.app/nothing/x"] {
            let bogus = TreeEntry(path: path, kind: .file, mode: nil, size: nil, handle: handle)
            _ = try? reader.open(bogus)
            _ = try? reader.linkTarget(of: bogus)
        }
    }
}

/// The law of ``EntryContents``.
func checkContents(
    _ contents: any EntryContents, hold bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let at = sourceLocation
    let count = UInt64(bytes.count)
    #expect(contents.size == count, sourceLocation: at)

    for _ in 1...2 {
        var read: [UInt8] = []
        try contents.forEachChunk { (chunk, offset) throws(ReadFault) in
            #expect(offset == UInt64(read.count), sourceLocation: at)
            #expect(!chunk.isEmpty, sourceLocation: at)
            read += Array(chunk)
            // A look elsewhere must not disturb the walk.
            if count > 2 { _ = try contents.bytes(in: 1..<2) }
            #expect(Array(read.suffix(chunk.count)) == Array(chunk), sourceLocation: at)
        }
        #expect(read == bytes, sourceLocation: at)
    }

    let ranges: [Range<UInt64>] = [
        0..<0, 0..<1, 0..<count, 1..<(count + 1), 2..<max(2, count / 2), count..<(count + 9), (.max - 1)..<(.max),
    ]
    for range in ranges {
        let wanted = bytes.dropFirst(Int(clamping: range.lowerBound)).prefix(Int(clamping: range.count))
        #expect(try contents.bytes(in: range) == Array(wanted), "\(range)", sourceLocation: at)
    }

    if count > 0 {
        #expect(throws: ReadFault.method(99), "the caller's own error comes back", sourceLocation: at) {
            try contents.forEachChunk { (_, _) throws(ReadFault) in throw .method(99) }
        }
    }
}
