import COpenSSL

/// The digest algorithms that a CodeDirectory can name, under their `hashType` numbers.
///
/// ``sha512`` is a number without an implementation in Apple's verifier; it is here so that a test can build a
/// CodeDirectory which nobody can check.
public enum Sha: UInt8, CaseIterable, Hashable, Comparable, Sendable {
    case sha1 = 1
    case sha256 = 2
    case sha256Truncated = 3
    case sha384 = 4
    case sha512 = 5

    /// The `hashType` field of a CodeDirectory.
    public var hashType: UInt8 { rawValue }

    /// The `hashSize` field of a CodeDirectory: the length of one digest in bytes.
    public var size: Int {
        switch self {
        case .sha1, .sha256Truncated: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The key under which a resource seal keeps this digest: `hash` for SHA-1, `hash2`, `hash3`, … for the others.
    public var sealKey: String { self == .sha1 ? "hash" : "hash\(rawValue)" }

    /// The digest of `bytes`, cut to ``size``.
    public func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes[...]) }

    /// The digest of `bytes`, cut to ``size``.
    public func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        let done = bytes.withUnsafeBytes { input in
            EVP_Digest(input.baseAddress, input.count, &output, &length, algorithm, nil)
        }
        precondition(done == 1, "OpenSSL refused \(self)")
        return Array(output.prefix(size))
    }

    private var algorithm: OpaquePointer? {
        switch self {
        case .sha1: EVP_sha1()
        case .sha256, .sha256Truncated: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }

    public static func < (left: Sha, right: Sha) -> Bool { left.rawValue < right.rawValue }
}
