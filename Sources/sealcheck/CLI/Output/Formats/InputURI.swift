import SealCheck

/// References to files of an input, as code scanning takes them: relative, percent-encoded by segment, never with a
/// colon that would read as a scheme, never empty.
struct InputURI {
    /// What stands before a path of the report.
    private let base: [UInt8]
    private let input: [UInt8]

    /// - Parameters:
    ///   - input: the path as it was typed.
    ///   - kind: what it turned out to be (``Input/Kind``), or nil where it could not be opened.
    init(input: [UInt8], kind: String?) {
        var input = input
        while input.count > 1, input.last == UInt8(ascii: "/") { input.removeLast() }
        self.input = input
        switch kind {
        case "ipa", "zip": base = input + [UInt8(ascii: "/")]
        case "xcarchive": base = input + Array("/Products/Applications/".utf8)
        // Paths of a report begin with the name of the bundle or file itself.
        default: base = input.lastIndex(of: UInt8(ascii: "/")).map { Array(input[...$0]) } ?? []
        }
    }

    /// The reference to the input itself.
    var ofInput: String { Self.encoded(input) }

    /// The reference to something in it.
    func of(_ path: BundlePath) -> String { path.isRoot ? ofInput : Self.encoded(base + path.bytes) }

    private static func encoded(_ path: [UInt8]) -> String {
        let isAbsolute = path.first == UInt8(ascii: "/")
        // `./a` and `a` are one file, and readers compare text.
        let segments = path.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        let text = segments.map { $0.map(encoded).joined() }.joined(separator: "/")
        return isAbsolute ? "file:///" + text : (text.isEmpty ? "." : text)
    }

    /// One byte: as it is where RFC 3986 leaves it in a segment, else `%` and two digits.
    private static func encoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "@"), UInt8(ascii: "+"):
            return String(UnicodeScalar(byte))
        default:
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }
}
