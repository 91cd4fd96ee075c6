public import MachOReader

/// The digest functions that signatures and seals use.
public enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable, Comparable {
    case sha1
    case sha256
    case sha384

    /// Bytes of the full digest.
    public var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    public static func < (left: DigestAlgorithm, right: DigestAlgorithm) -> Bool { left.size < right.size }
}

extension HashType {
    /// The function behind the type, or nil for a type that Apple's verifier does not implement.
    public var algorithm: DigestAlgorithm? {
        switch self {
        case .sha1: .sha1
        case .sha256, .sha256Truncated: .sha256
        case .sha384: .sha384
        default: nil
        }
    }
}

/// Digest bytes.
public struct Digest: Hashable, Sendable, Comparable {
    public let bytes: [UInt8]

    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    public var hexadecimal: String { Self.hexadecimal(bytes) }

    /// Lower-case hexadecimal text of any bytes.
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first `count` bytes.
    public func prefix(_ count: Int) -> Digest { Digest(bytes.prefix(count)) }

    public static func < (left: Digest, right: Digest) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// The digests of one run of bytes, by function.
public struct DigestSet: Hashable, Sendable {
    public var sha1: Digest?
    public var sha256: Digest?
    public var sha384: Digest?

    public init() {}

    public subscript(algorithm: DigestAlgorithm) -> Digest? {
        get {
            switch algorithm {
            case .sha1: sha1
            case .sha256: sha256
            case .sha384: sha384
            }
        }
        set {
            switch algorithm {
            case .sha1: sha1 = newValue
            case .sha256: sha256 = newValue
            case .sha384: sha384 = newValue
            }
        }
    }

    /// The digest of a hash type, cut to that type's size.
    public subscript(type: HashType) -> Digest? {
        guard let algorithm = type.algorithm, let size = type.size else { return nil }
        return self[algorithm]?.prefix(size)
    }
}
