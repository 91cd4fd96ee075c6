/// Paths as JSON strings, without losing a byte.
///
/// JSON is text and paths are bytes. A path that is UTF-8 stands as it is. One that is not is percent-encoded: each byte
/// that belongs to no valid UTF-8 sequence, and each `%`, becomes `%` and two capital hexadecimal digits; everything else
/// stands as it is. The object that holds the path then carries `"pathEncoding": "percent"`, and only then may a reader
/// decode: a file that is really named `100%25.png` stands bare and without the marker. So the pair of text and marker has
/// exactly one meaning (``bytes(of:encoding:)``).
///
/// One marker speaks for every path beside it: when an object holds several (`path` and `code` of a finding's subject),
/// give them together, and all are encoded when one has to be.
public struct PathText: Hashable, Sendable {
    /// How the texts are to be read back.
    public enum Encoding: String, Hashable, Sendable {
        case percent
    }

    /// One text for each path, in order.
    public let texts: [String]
    /// The value of `pathEncoding`, or nil where the key is left out.
    public let encoding: Encoding?

    /// The texts of paths that share one marker.
    public init(_ paths: [BundlePath]) {
        let plain = paths.compactMap(\.text)
        if plain.count == paths.count {
            texts = plain
            encoding = nil
        } else {
            texts = paths.map { Self.percentEncoded($0.bytes) }
            encoding = .percent
        }
    }

    /// The members of an object that holds the paths under these keys, with the marker where it is needed. A path that
    /// is absent is `null`.
    public static func members(_ paths: KeyValuePairs<String, BundlePath?>) -> [JSONValue.Member] {
        let converted = PathText(paths.compactMap(\.value))
        var texts = converted.texts.makeIterator()
        var members = paths.map { pair in
            JSONValue.Member(pair.key, pair.value == nil ? .null : JSONValue(texts.next()))
        }
        if let encoding = converted.encoding {
            members.append(JSONValue.Member("pathEncoding", .string(encoding.rawValue)))
        }
        return members
    }

    /// The bytes that a text stands for, or nil where a percent-encoded one is malformed.
    public static func bytes(of text: String, encoding: Encoding?) -> [UInt8]? {
        guard encoding != nil else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "%") else {
                bytes.append(first)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for piece in UTF8Walk(bytes) {
            switch piece {
            case .scalar("%"): text.append(contentsOf: escape(UInt8(ascii: "%")))
            case .scalar(let scalar): text.append(scalar)
            case .invalid(let byte): text.append(contentsOf: escape(byte))
            }
        }
        return String(text)
    }

    private static func escape(_ byte: UInt8) -> String.UnicodeScalarView {
        let digits = String(byte, radix: 16, uppercase: true)
        return ("%" + (byte < 0x10 ? "0" : "") + digits).unicodeScalars
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
