/// One entry of an archive, with every field of both its headers open to be told otherwise.
public struct ZipEntry: Hashable, Sendable {
    /// How the contents are packed.
    public enum Packing: Hashable, Sendable {
        /// Method 0.
        case stored
        /// Method 8, really compressed.
        case deflated
        /// Method 8 in uncompressed blocks.
        case deflatedBlocks
    }

    /// Fields that are written as given in place of what is right. Nil leaves the right value.
    public struct Overrides: Hashable, Sendable {
        public var name: [UInt8]?
        public var flags: UInt16?
        public var method: UInt16?
        public var crc: UInt32?
        public var compressedSize: UInt64?
        public var uncompressedSize: UInt64?
        /// Where the local header is said to be; only the central directory has this field.
        public var localOffset: UInt64?

        public init() {}
    }

    /// The name as it stands in both headers. Directories end in `/`.
    public var name: [UInt8]
    public var contents: [UInt8]
    public var packing: Packing = .deflated
    /// The packed bytes, in place of what ``packing`` makes of ``contents``.
    public var packed: [UInt8]?

    /// The complete Unix mode (type bits included); nil writes external attributes of 0.
    public var mode: UInt16?
    /// The upper byte of "version made by": 3 is Unix, 0 DOS, 19 macOS.
    public var madeBy: UInt8 = 3
    /// The lower half of the external attributes; 0x10 marks a directory.
    public var dosAttributes: UInt16 = 0
    /// MS-DOS time and date; by default 1980-01-01 00:00:00.
    public var time: UInt16 = 0
    public var date: UInt16 = 0x21

    /// Sets bit 11 ("the name is UTF-8"). By default only for names that are UTF-8 but not ASCII.
    public var isUTF8: Bool
    /// Sets bit 0. The contents are not really encrypted: nobody gets that far.
    public var isEncrypted = false
    /// Sizes and CRC follow the contents, and the local header holds zeros (bit 3).
    public var hasDataDescriptor = false
    /// Writes sizes, and the offset, as zip64 extra fields although they are small.
    public var isZip64 = false

    public var localExtra: [UInt8] = []
    public var centralExtra: [UInt8] = []
    public var comment: [UInt8] = []
    /// Bytes before the local header that belong to no entry.
    public var gapBefore: [UInt8] = []
    /// Leaves the entry out of the central directory, or out of the body.
    public var isInDirectory = true
    public var isInBody = true

    public var local = Overrides()
    public var central = Overrides()

    public init(name: [UInt8], contents: [UInt8], mode: UInt16?) {
        self.name = name
        self.contents = contents
        self.mode = mode
        self.isUTF8 = name.contains { $0 >= 0x80 } && String(validating: name, as: UTF8.self) != nil
    }

    /// Tells both headers the same.
    public mutating func overrideBoth(_ body: (inout Overrides) -> Void) {
        body(&local)
        body(&central)
    }

    /// A regular file.
    public static func file(_ name: RawPath, _ contents: [UInt8], mode: UInt16 = 0o644) -> ZipEntry {
        ZipEntry(name: name.bytes, contents: contents, mode: 0o100000 | mode)
    }

    /// A symbolic link: its contents are the target.
    public static func symlink(_ name: RawPath, _ target: [UInt8]) -> ZipEntry {
        var entry = ZipEntry(name: name.bytes, contents: target, mode: 0o120777)
        entry.packing = .stored
        return entry
    }

    /// A directory; the trailing slash is added.
    public static func directory(_ name: RawPath, mode: UInt16 = 0o755) -> ZipEntry {
        var entry = ZipEntry(name: name.bytes + [UInt8(ascii: "/")], contents: [], mode: 0o040000 | mode)
        entry.packing = .stored
        entry.dosAttributes = 0x10
        return entry
    }
}
