/// A processor type and subtype, as `mach/machine.h` numbers them.
public struct Architecture: Hashable, Sendable {
    /// `cputype`, with `CPU_ARCH_ABI64` (0x01000000) and `CPU_ARCH_ABI64_32` (0x02000000).
    public var type: UInt32
    /// `cpusubtype` in full, with its capability bits.
    public var subtype: UInt32

    public init(type: UInt32, subtype: UInt32) {
        self.type = type
        self.subtype = subtype
    }

    /// The subtype without its capability bits (`CPU_SUBTYPE_MASK`).
    public var plainSubtype: UInt32 { subtype & 0x00ff_ffff }

    public static let arm64Type: UInt32 = 0x0100_000c
    public static let arm64_32Type: UInt32 = 0x0200_000c
    public static let armType: UInt32 = 12
    public static let i386Type: UInt32 = 7
    public static let x86_64Type: UInt32 = 0x0100_0007
    public static let powerPCType: UInt32 = 18
    public static let powerPC64Type: UInt32 = 0x0100_0012

    /// The name that `lipo` and `codesign` print, or the two numbers where there is none.
    public var name: String {
        switch (type, plainSubtype) {
        case (Self.arm64Type, 0): "arm64"
        case (Self.arm64Type, 1): "arm64v8"
        case (Self.arm64Type, 2): "arm64e"
        case (Self.arm64_32Type, _): "arm64_32"
        case (Self.armType, 6): "armv6"
        case (Self.armType, 9): "armv7"
        case (Self.armType, 10): "armv7f"
        case (Self.armType, 11): "armv7s"
        case (Self.armType, 12): "armv7k"
        case (Self.armType, 14): "armv6m"
        case (Self.armType, 15): "armv7m"
        case (Self.armType, 16): "armv7em"
        case (Self.armType, 0): "arm"
        case (Self.i386Type, _): "i386"
        case (Self.x86_64Type, 8): "x86_64h"
        case (Self.x86_64Type, _): "x86_64"
        case (Self.powerPCType, _): "ppc"
        case (Self.powerPC64Type, _): "ppc64"
        default: "cpu \(type) subtype \(plainSubtype)"
        }
    }

    /// Whether the processor family is one that `mach/machine.h` names. Tells a universal file from a Java class.
    public var isKnown: Bool { !name.hasPrefix("cpu ") }

    /// Signed order of (type, subtype), the order in which Apple's verifier visits slices (spec 2.3).
    public static func signedOrder(_ left: Architecture, _ right: Architecture) -> Bool {
        let (a, b) = (Int32(bitPattern: left.type), Int32(bitPattern: right.type))
        return a != b ? a < b : Int32(bitPattern: left.subtype) < Int32(bitPattern: right.subtype)
    }
}
