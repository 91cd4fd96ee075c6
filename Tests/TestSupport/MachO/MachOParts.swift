/// The pieces that a thin image is described with.
extension MachOBuilder {
    /// The `filetype` field.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        public static let object = Kind(rawValue: 1)
        public static let execute = Kind(rawValue: 2)
        public static let core = Kind(rawValue: 4)
        public static let preload = Kind(rawValue: 5)
        public static let dylib = Kind(rawValue: 6)
        public static let dylinker = Kind(rawValue: 7)
        public static let bundle = Kind(rawValue: 8)
        public static let dsym = Kind(rawValue: 10)
        public static let kextBundle = Kind(rawValue: 11)
    }

    /// A version as `xxxx.yy.zz` in one number; `"16.1"` is 0x00100100.
    public struct Version: Hashable, Sendable, ExpressibleByStringLiteral {
        public var rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Parts that are missing or not numbers count as 0.
        public init(stringLiteral value: String) {
            let parts = value.split(separator: ".").map { UInt32($0) ?? 0 } + [0, 0, 0]
            rawValue = parts[0] << 16 | parts[1] << 8 | parts[2]
        }
    }

    /// How the image says where it runs.
    public enum Target: Hashable, Sendable {
        /// LC_BUILD_VERSION. The number is the platform's: 1 macOS, 2 iOS, 6 Mac Catalyst, 7 iOS simulator.
        case build(platform: UInt32, minimum: Version, sdk: Version)
        /// One of LC_VERSION_MIN_*.
        case versionMin(command: UInt32, minimum: Version, sdk: Version)

        public static let iOS = Target.build(platform: 2, minimum: "16.1", sdk: "16.1")
        public static let macOS = Target.build(platform: 1, minimum: "13.0", sdk: "14.0")
        public static let catalyst = Target.build(platform: 6, minimum: "16.1", sdk: "16.1")
        public static let iOSSimulator = Target.build(platform: 7, minimum: "16.1", sdk: "16.1")
        public static let watchOS = Target.build(platform: 4, minimum: "9.0", sdk: "9.0")
    }

    /// A library that the image loads.
    public struct Dylib: Hashable, Sendable, ExpressibleByStringLiteral {
        public var path: String
        /// LC_LOAD_DYLIB or one of its kin.
        public var command: UInt32

        public init(_ path: String, command: UInt32 = LC.loadDylib) {
            self.path = path
            self.command = command
        }

        public init(stringLiteral value: String) { self.init(value) }
    }

    /// LC_ENCRYPTION_INFO; `cryptID` 1 is a FairPlay-encrypted image.
    public struct Encryption: Hashable, Sendable {
        public var offset: UInt32
        public var size: UInt32
        public var cryptID: UInt32

        public init(offset: UInt32 = 0x4000, size: UInt32 = 0x1000, cryptID: UInt32) {
            self.offset = offset
            self.size = size
            self.cryptID = cryptID
        }
    }

    /// A section of `__TEXT` with known contents, such as `__info_plist`.
    public struct Section: Hashable, Sendable {
        public var name: String
        public var contents: [UInt8]

        public init(_ name: String, _ contents: [UInt8]) {
            self.name = name
            self.contents = contents
        }
    }

    /// Header fields that are written as given in place of what is right.
    public struct HeaderOverrides: Hashable, Sendable {
        public var magic: UInt32?
        public var commandCount: UInt32?
        public var commandsSize: UInt32?

        public init() {}
    }
}
