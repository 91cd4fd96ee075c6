/// A slot of an embedded signature: the `type` of a SuperBlob index entry (spec 1.3; codedirectory.h).
public struct Slot: Hashable, Comparable, Sendable, RawRepresentable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `CSSLOT_CODEDIRECTORY`
    public static let codeDirectory = Slot(rawValue: 0)
    /// `CSSLOT_INFOSLOT`: the Info.plist, a file.
    public static let infoPlist = Slot(rawValue: 1)
    /// `CSSLOT_REQUIREMENTS`: the requirement set.
    public static let requirements = Slot(rawValue: 2)
    /// `CSSLOT_RESOURCEDIR`: the resource seal, a file.
    public static let resourceSeal = Slot(rawValue: 3)
    /// `CSSLOT_APPLICATION`: the top directory.
    public static let topDirectory = Slot(rawValue: 4)
    /// `CSSLOT_ENTITLEMENTS`: entitlements as XML.
    public static let entitlements = Slot(rawValue: 5)
    /// `CSSLOT_REP_SPECIFIC`
    public static let representation = Slot(rawValue: 6)
    /// `CSSLOT_DER_ENTITLEMENTS`
    public static let entitlementsDER = Slot(rawValue: 7)
    public static let launchConstraintSelf = Slot(rawValue: 8)
    public static let launchConstraintParent = Slot(rawValue: 9)
    public static let launchConstraintResponsible = Slot(rawValue: 10)
    public static let libraryConstraint = Slot(rawValue: 11)
    /// `CSSLOT_ALTERNATE_CODEDIRECTORIES`: the first of five.
    public static let firstAlternate = Slot(rawValue: 0x1000)
    /// `CSSLOT_SIGNATURESLOT`: the CMS signature.
    public static let cmsSignature = Slot(rawValue: 0x10000)
    public static let identification = Slot(rawValue: 0x10001)
    public static let ticket = Slot(rawValue: 0x10002)

    /// Alternates that Apple's verifier looks at: 0x1000 … 0x1004.
    public static let alternateCount: UInt32 = 5
    /// The highest special slot that Apple's verifier knows.
    public static let highestSpecial: UInt32 = 11

    /// Whether a CodeDirectory hashes this slot (−1 … −11).
    public var isSpecial: Bool { (1...Self.highestSpecial).contains(rawValue) }

    /// Whether this is one of the alternate CodeDirectories that are looked at.
    public var isAlternate: Bool {
        rawValue >= Self.firstAlternate.rawValue && rawValue - Self.firstAlternate.rawValue < Self.alternateCount
    }

    /// Whether the slot's data is wrapped in a `0xfade0b01` blob whose header is not hashed (spec 1.3).
    public var isWrapped: Bool {
        switch self {
        case .topDirectory, .representation, .cmsSignature, .identification, .ticket: true
        default: false
        }
    }

    /// Words for people: "Info.plist", "requirement set".
    public var name: String {
        switch self {
        case .codeDirectory: "CodeDirectory"
        case .infoPlist: "Info.plist"
        case .requirements: "requirement set"
        case .resourceSeal: "resource seal"
        case .topDirectory: "top directory"
        case .entitlements: "entitlements (XML)"
        case .representation: "disk-representation data"
        case .entitlementsDER: "entitlements (DER)"
        case .launchConstraintSelf: "launch constraint (self)"
        case .launchConstraintParent: "launch constraint (parent)"
        case .launchConstraintResponsible: "launch constraint (responsible)"
        case .libraryConstraint: "library constraint"
        case .cmsSignature: "CMS signature"
        case .identification: "identification"
        case .ticket: "notarization ticket"
        default:
            isAlternate
                ? "alternate CodeDirectory \(rawValue - Self.firstAlternate.rawValue)"
                : "slot 0x\(String(rawValue, radix: 16))"
        }
    }

    public static func < (left: Slot, right: Slot) -> Bool { left.rawValue < right.rawValue }
}
