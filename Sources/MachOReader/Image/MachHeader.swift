/// The `mach_header` or `mach_header_64` at the start of an image.
public struct MachHeader: Hashable, Sendable {
    public static let magic32: UInt32 = 0xfeed_face
    public static let magic64: UInt32 = 0xfeed_facf
    public static let swappedMagic32: UInt32 = 0xcefa_edfe
    public static let swappedMagic64: UInt32 = 0xcffa_edfe

    public var is64Bit: Bool
    public var order: ByteOrder
    public var architecture: Architecture
    public var fileType: FileType
    /// `ncmds`. Apple's verifier never uses it: the walk is bounded by ``commandBytes``.
    public var commandCount: UInt32
    /// `sizeofcmds`.
    public var commandBytes: UInt32
    public var flags: UInt32

    /// Size in bytes of the header itself: 28 or 32.
    public var size: UInt64 { is64Bit ? 32 : 28 }

    /// Reads the header from the first bytes of a slice.
    ///
    /// - Throws: `badMagic`, `truncated`.
    public init(parsing bytes: Bytes) throws(FormatFault) {
        let structure = "mach_header"
        let first = try bytes.integer(at: 0, as: UInt32.self, in: structure, field: "magic")
        switch first {
        case Self.magic32: (is64Bit, order) = (false, .big)
        case Self.magic64: (is64Bit, order) = (true, .big)
        case Self.swappedMagic32: (is64Bit, order) = (false, .little)
        case Self.swappedMagic64: (is64Bit, order) = (true, .little)
        default:
            throw FormatFault(.badMagic, at: bytes.origin, in: structure, field: "magic", value: UInt64(first))
        }
        architecture = Architecture(
            type: try bytes.integer(at: 4, order: order, in: structure, field: "cputype"),
            subtype: try bytes.integer(at: 8, order: order, in: structure, field: "cpusubtype"))
        fileType = FileType(
            rawValue: try bytes.integer(at: 12, order: order, in: structure, field: "filetype"))
        commandCount = try bytes.integer(at: 16, order: order, in: structure, field: "ncmds")
        commandBytes = try bytes.integer(at: 20, order: order, in: structure, field: "sizeofcmds")
        flags = try bytes.integer(at: 24, order: order, in: structure, field: "flags")
        if is64Bit { _ = try bytes.integer(at: 28, as: UInt32.self, order: order, in: structure, field: "reserved") }
    }
}

/// `filetype` of a Mach-O header.
public struct FileType: Hashable, Sendable, RawRepresentable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let object = FileType(rawValue: 1)
    public static let execute = FileType(rawValue: 2)
    public static let core = FileType(rawValue: 4)
    public static let preload = FileType(rawValue: 5)
    public static let dylib = FileType(rawValue: 6)
    public static let dylinker = FileType(rawValue: 7)
    public static let bundle = FileType(rawValue: 8)
    public static let dylibStub = FileType(rawValue: 9)
    public static let dSYM = FileType(rawValue: 10)
    public static let kextBundle = FileType(rawValue: 11)
    public static let fileset = FileType(rawValue: 12)

    /// Whether code of this type carries an embedded signature. Apple's verifier handles every other type as a generic
    /// file (spec 2.1; machorep.cpp).
    public var isSignable: Bool {
        switch self {
        case .execute, .preload, .dylib, .dylinker, .bundle, .kextBundle: true
        default: false
        }
    }

    /// The constant's name in `mach-o/loader.h`, or the number.
    public var name: String {
        switch self {
        case .object: "MH_OBJECT"
        case .execute: "MH_EXECUTE"
        case .core: "MH_CORE"
        case .preload: "MH_PRELOAD"
        case .dylib: "MH_DYLIB"
        case .dylinker: "MH_DYLINKER"
        case .bundle: "MH_BUNDLE"
        case .dylibStub: "MH_DYLIB_STUB"
        case .dSYM: "MH_DSYM"
        case .kextBundle: "MH_KEXT_BUNDLE"
        case .fileset: "MH_FILESET"
        default: "file type \(rawValue)"
        }
    }
}
