/// The platform an image was built for, as `LC_BUILD_VERSION` numbers them.
public struct Platform: Hashable, Sendable, RawRepresentable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let macOS = Platform(rawValue: 1)
    public static let iOS = Platform(rawValue: 2)
    public static let tvOS = Platform(rawValue: 3)
    public static let watchOS = Platform(rawValue: 4)
    public static let bridgeOS = Platform(rawValue: 5)
    public static let macCatalyst = Platform(rawValue: 6)
    public static let iOSSimulator = Platform(rawValue: 7)
    public static let tvOSSimulator = Platform(rawValue: 8)
    public static let watchOSSimulator = Platform(rawValue: 9)
    public static let driverKit = Platform(rawValue: 10)
    public static let visionOS = Platform(rawValue: 11)
    public static let visionOSSimulator = Platform(rawValue: 12)

    /// The name that `vtool` and the linker print, in lower case, or the number.
    public var name: String {
        switch self {
        case .macOS: "macos"
        case .iOS: "ios"
        case .tvOS: "tvos"
        case .watchOS: "watchos"
        case .bridgeOS: "bridgeos"
        case .macCatalyst: "maccatalyst"
        case .iOSSimulator: "ios-simulator"
        case .tvOSSimulator: "tvos-simulator"
        case .watchOSSimulator: "watchos-simulator"
        case .driverKit: "driverkit"
        case .visionOS: "visionos"
        case .visionOSSimulator: "visionos-simulator"
        default: "platform \(rawValue)"
        }
    }
}

/// A version packed as `xxxx.yy.zz` into 32 bits.
public struct PackedVersion: Hashable, Comparable, Sendable, RawRepresentable, CustomStringConvertible {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(_ major: UInt32, _ minor: UInt32 = 0, _ patch: UInt32 = 0) {
        rawValue = (major & 0xffff) << 16 | (minor & 0xff) << 8 | (patch & 0xff)
    }

    public var description: String {
        let (major, minor, patch) = (rawValue >> 16, rawValue >> 8 & 0xff, rawValue & 0xff)
        return patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }

    public static func < (left: PackedVersion, right: PackedVersion) -> Bool { left.rawValue < right.rawValue }
}

/// Platform, minimum OS and SDK of an image, from `LC_BUILD_VERSION` or `LC_VERSION_MIN_*`.
public struct BuildVersion: Hashable, Sendable {
    public var platform: Platform
    public var minimumOS: PackedVersion
    public var sdk: PackedVersion

    /// - Throws: `truncated` when the command is smaller than its structure (Apple's tool: `ENOEXEC`).
    init(parsing command: LoadCommand, architecture: Architecture, order: ByteOrder) throws(FormatFault) {
        let (bytes, label) = (command.bytes, command.label)
        if command.kind == .buildVersion {
            platform = Platform(rawValue: try bytes.integer(at: 8, order: order, in: label, field: "platform"))
            minimumOS = PackedVersion(rawValue: try bytes.integer(at: 12, order: order, in: label, field: "minos"))
            sdk = PackedVersion(rawValue: try bytes.integer(at: 16, order: order, in: label, field: "sdk"))
            _ = try bytes.integer(at: 20, as: UInt32.self, order: order, in: label, field: "ntools")
            return
        }
        // The older commands do not tell a simulator from a device; Intel code for these systems is a simulator's.
        let isIntel = architecture.type == Architecture.x86_64Type || architecture.type == Architecture.i386Type
        switch command.kind {
        case .versionMinMacOS: platform = .macOS
        case .versionMinIOS: platform = isIntel ? .iOSSimulator : .iOS
        case .versionMinTvOS: platform = isIntel ? .tvOSSimulator : .tvOS
        default: platform = isIntel ? .watchOSSimulator : .watchOS
        }
        minimumOS = PackedVersion(rawValue: try bytes.integer(at: 8, order: order, in: label, field: "version"))
        sdk = PackedVersion(rawValue: try bytes.integer(at: 12, order: order, in: label, field: "sdk"))
    }
}
