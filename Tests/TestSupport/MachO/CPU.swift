/// A processor as Mach-O names it, and what follows from it for the file.
public struct CPU: Hashable, Sendable {
    /// The `cputype` field.
    public var type: UInt32
    /// The `cpusubtype` field, capability bits included.
    public var subtype: UInt32
    public var is64Bit: Bool
    public var endian: Endian
    /// Segments begin at multiples of 2 to this power, and so do slices of a universal file.
    public var alignment: Int

    public init(type: UInt32, subtype: UInt32, is64Bit: Bool = true, endian: Endian = .little, alignment: Int) {
        self.type = type
        self.subtype = subtype
        self.is64Bit = is64Bit
        self.endian = endian
        self.alignment = alignment
    }

    public static let arm64 = CPU(type: 0x0100_000C, subtype: 0, alignment: 14)
    public static let arm64e = CPU(type: 0x0100_000C, subtype: 0x8000_0002, alignment: 14)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let arm64_32 = CPU(type: 0x0200_000C, subtype: 1, is64Bit: false, alignment: 14)
    public static let armv7 = CPU(type: 12, subtype: 9, is64Bit: false, alignment: 14)
    public static let armv7s = CPU(type: 12, subtype: 11, is64Bit: false, alignment: 14)
    public static let armv7k = CPU(type: 12, subtype: 12, is64Bit: false, alignment: 14)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let x86_64 = CPU(type: 0x0100_0007, subtype: 3, alignment: 12)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let x86_64h = CPU(type: 0x0100_0007, subtype: 8, alignment: 12)
    public static let i386 = CPU(type: 7, subtype: 3, is64Bit: false, alignment: 12)
    public static let ppc = CPU(type: 18, subtype: 0, is64Bit: false, endian: .big, alignment: 12)
    public static let ppc64 = CPU(type: 0x0100_0012, subtype: 0, endian: .big, alignment: 12)
}
