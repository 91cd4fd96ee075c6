/// A universal ("fat") file: a table of slices and the slices.
public struct UniversalBuilder: Hashable, Sendable {
    public static let magic32: UInt32 = 0xCAFE_BABE
    public static let magic64: UInt32 = 0xCAFE_BABF

    /// One line of the table and the image behind it.
    public struct Slice: Hashable, Sendable {
        public var cpu: CPU
        public var image: [UInt8]
        /// As a power of two; the image is placed at a multiple of it.
        public var alignment: UInt32
        /// Table fields written in place of what is right.
        public var offset: UInt64?
        public var size: UInt64?
        /// The byte that fills the gap before the image.
        public var gapByte: UInt8 = 0
        /// Further bytes of gap, beyond the alignment.
        public var extraGap = 0
        /// Whether `nfat_arch` counts it. Old tools hid an arm64 slice behind the counted ones.
        public var isCounted = true

        public init(_ cpu: CPU, _ image: [UInt8]) {
            self.cpu = cpu
            self.image = image
            alignment = UInt32(cpu.alignment)
        }
    }

    public var slices: [Slice]
    public var magic = magic32
    /// `nfat_arch`, in place of the number of counted slices.
    public var count: UInt32?
    /// Bytes after the last slice.
    public var trailing: [UInt8] = []

    public init(_ slices: [Slice]) {
        self.slices = slices
    }

    public func build() -> [UInt8] {
        let is64 = magic == Self.magic64
        var table = ByteBuilder(.big)
        table.append(magic)
        table.append(count ?? UInt32(slices.filter(\.isCounted).count))
        // A reader looks at one entry more than is counted: the bytes there must not be those of the first image.
        let tableEnd = 8 + (slices.count + 1) * (is64 ? 32 : 20)
        var images = ByteBuilder(.big)
        for slice in slices {
            let start = (tableEnd + images.count + slice.extraGap).roundedUp(to: 1 << Int(min(slice.alignment, 24)))
            images.append(repeatElement(slice.gapByte, count: start - tableEnd - images.count))
            images.append(slice.image)
            table.append(slice.cpu.type)
            table.append(slice.cpu.subtype)
            for number in [slice.offset ?? UInt64(start), slice.size ?? UInt64(slice.image.count)] {
                if is64 { table.append(number) } else { table.append(UInt32(truncatingIfNeeded: number)) }
            }
            table.append(slice.alignment)
            if is64 { table.append(UInt32(0)) }
        }
        table.appendZeros(tableEnd - table.count)
        return table.bytes + images.bytes + trailing
    }
}
