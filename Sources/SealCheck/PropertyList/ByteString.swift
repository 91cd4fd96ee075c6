/// Text as bytes: equal when its bytes are, in every Unicode normal form.
///
/// Keys and values of property lists are paths, identifiers and rules; Swift's `String ==` would call `é` composed and
/// `é` decomposed the same, and hide a renamed file.
public struct ByteString: Hashable, Comparable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// The text, with replacement characters where the bytes are not UTF-8. For people only.
    public var lossyText: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes at once: hashing them one by one takes many times as long.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(bytes.count)
    }

    public static func < (left: ByteString, right: ByteString) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension ByteString: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { lossyText }
}
