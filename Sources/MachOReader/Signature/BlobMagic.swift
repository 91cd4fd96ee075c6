/// The magic number of a signature blob (spec 1.2; CSCommonPriv.h).
public struct BlobMagic: Hashable, Sendable, RawRepresentable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let embeddedSignature = BlobMagic(rawValue: 0xfade_0cc0)
    public static let detachedSignature = BlobMagic(rawValue: 0xfade_0cc1)
    public static let codeDirectory = BlobMagic(rawValue: 0xfade_0c02)
    public static let requirement = BlobMagic(rawValue: 0xfade_0c00)
    public static let requirementSet = BlobMagic(rawValue: 0xfade_0c01)
    public static let wrapper = BlobMagic(rawValue: 0xfade_0b01)
    public static let entitlements = BlobMagic(rawValue: 0xfade_7171)
    public static let entitlementsDER = BlobMagic(rawValue: 0xfade_7172)
    public static let launchConstraint = BlobMagic(rawValue: 0xfade_8181)
    public static let libraryDependencies = BlobMagic(rawValue: 0xfade_0c05)

    /// `0xfade0c02`, as it is written everywhere.
    public var hexadecimal: String { "0x" + String(rawValue, radix: 16) }

    /// The magic that a native blob in `slot` carries, or nil where the slot prescribes none.
    public static func expected(in slot: Slot) -> BlobMagic? {
        if slot == .codeDirectory || slot.isAlternate { return .codeDirectory }
        if slot.isWrapped { return .wrapper }
        switch slot {
        case .requirements: return .requirementSet
        case .entitlements: return .entitlements
        case .entitlementsDER: return .entitlementsDER
        case .launchConstraintSelf, .launchConstraintParent, .launchConstraintResponsible, .libraryConstraint:
            return .launchConstraint
        default: return nil
        }
    }
}
