/// One load command, ready to be written.
///
/// Its fields are already in the byte order of the image; only `cmd` and `cmdsize` are added when it is written.
public struct LoadCommandBytes: Hashable, Sendable {
    /// The `cmd` field.
    public var command: UInt32
    /// Everything after `cmdsize`.
    public var body: [UInt8]
    /// The `cmdsize` field, when it is to be something else than the truth.
    public var declaredSize: UInt32?

    public init(_ command: UInt32, body: [UInt8] = [], declaredSize: UInt32? = nil) {
        self.command = command
        self.body = body
        self.declaredSize = declaredSize
    }

    public func bytes(_ endian: Endian) -> [UInt8] {
        command.bytes(endian) + (declaredSize ?? UInt32(8 + body.count)).bytes(endian) + body
    }
}

/// Numbers of load commands, by their names in `<mach-o/loader.h>` without the prefix.
public enum LC {
    public static let segment: UInt32 = 0x1
    public static let symtab: UInt32 = 0x2
    public static let dysymtab: UInt32 = 0xB
    public static let loadDylib: UInt32 = 0xC
    public static let idDylib: UInt32 = 0xD
    public static let segment64: UInt32 = 0x19
    public static let uuid: UInt32 = 0x1B
    public static let codeSignature: UInt32 = 0x1D
    public static let lazyLoadDylib: UInt32 = 0x20
    public static let encryptionInfo: UInt32 = 0x21
    public static let versionMinMacOSX: UInt32 = 0x24
    public static let versionMinIPhoneOS: UInt32 = 0x25
    public static let encryptionInfo64: UInt32 = 0x2C
    public static let versionMinTvOS: UInt32 = 0x2F
    public static let versionMinWatchOS: UInt32 = 0x30
    public static let buildVersion: UInt32 = 0x32
    public static let loadWeakDylib: UInt32 = 0x8000_0018
    public static let rpath: UInt32 = 0x8000_001C
    public static let reexportDylib: UInt32 = 0x8000_001F
    public static let main: UInt32 = 0x8000_0028
}
