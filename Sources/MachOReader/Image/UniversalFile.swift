/// The header of a universal ("fat") file, as Apple's verifier reads it (spec 2.2; macho++.cpp).
public struct UniversalFile: Hashable, Sendable {
    public static let magic: UInt32 = 0xcafe_babe
    public static let swappedMagic: UInt32 = 0xbeba_feca
    /// The 64-bit form, which Apple's verifier does not know: to it such a file is no Mach-O (spec 2.1).
    public static let magic64: UInt32 = 0xcafe_babf
    public static let swappedMagic64: UInt32 = 0xbfba_feca
    /// `fat_arch` entries that Apple's reader accepts at most.
    public static let maximumSlices: UInt32 = 100

    public struct Slice: Hashable, Sendable {
        public var architecture: Architecture
        /// Offset in the file, in bytes.
        public var offset: UInt64
        /// Size in bytes.
        public var size: UInt64
        /// Alignment as a power of two.
        public var alignment: UInt32
        /// Whether the entry stands after the counted ones (old tools hid arm64 there) and was counted all the same.
        public var isHidden: Bool

        public init(architecture: Architecture, offset: UInt64, size: UInt64, alignment: UInt32, isHidden: Bool) {
            self.architecture = architecture
            self.offset = offset
            self.size = size
            self.alignment = alignment
            self.isHidden = isHidden
        }
    }

    /// Whether the entries are of the 64-bit form.
    public var is64Bit: Bool
    /// The slices in the order of the table.
    public var slices: [Slice]
    /// Offset of the first byte after the table, the hidden entry included where there is one.
    public var tableEnd: UInt64

    /// Bytes that must be at hand to parse any header: the fixed part and the largest table with its extra entry.
    public static let headerBytes: UInt64 = 8 + UInt64(maximumSlices + 1) * 32

    /// Reads the header from the first ``headerBytes`` of a file (fewer where the file is shorter).
    ///
    /// - Throws: `badMagic`; `badSize` for more than 100 slices; `truncated` when the table and the extra entry that
    ///   Apple's reader wants cannot be read.
    public init(parsing bytes: Bytes) throws(FormatFault) {
        let structure = "fat_header"
        let first = try bytes.integer(at: 0, as: UInt32.self, in: structure, field: "magic")
        let order: ByteOrder
        switch first {
        case Self.magic: (order, is64Bit) = (.big, false)
        case Self.swappedMagic: (order, is64Bit) = (.little, false)
        case Self.magic64: (order, is64Bit) = (.big, true)
        case Self.swappedMagic64: (order, is64Bit) = (.little, true)
        default:
            throw FormatFault(.badMagic, at: bytes.origin, in: structure, field: "magic", value: UInt64(first))
        }
        let counted = try bytes.integer(at: 4, as: UInt32.self, order: order, in: structure, field: "nfat_arch")
        guard counted <= Self.maximumSlices else {
            throw FormatFault(
                .badSize, at: bytes.place(4), in: structure, field: "nfat_arch", value: UInt64(counted),
                limit: UInt64(Self.maximumSlices))
        }
        let entrySize: UInt64 = is64Bit ? 32 : 20
        var slices: [Slice] = []
        // The table is always read with one entry more than counted.
        for index in 0...UInt64(counted) {
            let entry = try bytes.sub(at: 8 + index * entrySize, count: entrySize, in: "fat_arch #\(index)")
            let slice = try Self.slice(entry, is64Bit: is64Bit, order: order, index: index, counted: UInt64(counted))
            if index < UInt64(counted) || slice.architecture.type == Architecture.arm64Type { slices.append(slice) }
        }
        self.slices = slices
        self.tableEnd = 8 + UInt64(slices.count) * entrySize
    }

    private static func slice(
        _ entry: Bytes, is64Bit: Bool, order: ByteOrder, index: UInt64, counted: UInt64
    ) throws(FormatFault) -> Slice {
        let name = "fat_arch #\(index)"
        let architecture = Architecture(
            type: try entry.integer(at: 0, order: order, in: name, field: "cputype"),
            subtype: try entry.integer(at: 4, order: order, in: name, field: "cpusubtype"))
        if is64Bit {
            return Slice(
                architecture: architecture,
                offset: try entry.integer(at: 8, order: order, in: name, field: "offset"),
                size: try entry.integer(at: 16, order: order, in: name, field: "size"),
                alignment: try entry.integer(at: 24, order: order, in: name, field: "align"),
                isHidden: index == counted)
        }
        return Slice(
            architecture: architecture,
            offset: UInt64(try entry.integer(at: 8, as: UInt32.self, order: order, in: name, field: "offset")),
            size: UInt64(try entry.integer(at: 12, as: UInt32.self, order: order, in: name, field: "size")),
            alignment: try entry.integer(at: 16, order: order, in: name, field: "align"),
            isHidden: index == counted)
    }

    /// Whether a header that cannot be read whole begins like that of a universal file all the same: its first entry is
    /// for a processor. A Java class, whose constants stand there, never reads as one.
    public static func isPlausibleStart(_ bytes: Bytes) -> Bool {
        guard let first = try? bytes.integer(at: 0, as: UInt32.self, in: "fat_header") else { return false }
        let order: ByteOrder = first == swappedMagic || first == swappedMagic64 ? .little : .big
        let is64Bit = first == magic64 || first == swappedMagic64
        guard let count = try? bytes.integer(at: 4, as: UInt32.self, order: order, in: "fat_header"), count > 0,
            let entry = try? bytes.sub(at: 8, count: is64Bit ? 32 : 20, in: "fat_arch #0"),
            let slice = try? slice(entry, is64Bit: is64Bit, order: order, index: 0, counted: 1)
        else { return false }
        return slice.architecture.isKnown
    }

    /// Whether the table can be that of a universal file at all. A Java class file begins with the same magic; its
    /// "slice count" is a class version and its "first entry" is text (field case NEST-13).
    public func isPlausible(fileSize: UInt64) -> Bool {
        guard let first = slices.first else { return false }
        return first.architecture.isKnown && first.offset <= fileSize
    }
}
