/// `hashType` of a CodeDirectory (spec 1.6; CSCommon.h).
public struct HashType: Hashable, Sendable, RawRepresentable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let sha1 = HashType(rawValue: 1)
    public static let sha256 = HashType(rawValue: 2)
    public static let sha256Truncated = HashType(rawValue: 3)
    public static let sha384 = HashType(rawValue: 4)

    /// The types that Apple's verifier implements, most preferred first.
    public static let preferred: [HashType] = [.sha384, .sha256, .sha256Truncated, .sha1]

    /// Bytes of one hash, or nil for a type that is not implemented.
    public var size: Int? {
        switch self {
        case .sha1, .sha256Truncated: 20
        case .sha256: 32
        case .sha384: 48
        default: nil
        }
    }

    /// Whether Apple's verifier implements the type.
    public var isViable: Bool { size != nil }

    /// Rank among viable types, 0 = most preferred; nil when not viable.
    public var preference: Int? { Self.preferred.firstIndex(of: self) }

    public var name: String {
        switch self {
        case .sha1: "sha1"
        case .sha256: "sha256"
        case .sha256Truncated: "sha256-truncated"
        case .sha384: "sha384"
        default: "hash type \(rawValue)"
        }
    }

    /// The key under which a seal records this digest: `hash` for SHA-1, `hashN` for type N (spec 5.6).
    public var sealKey: String { self == .sha1 ? "hash" : "hash\(rawValue)" }
}
