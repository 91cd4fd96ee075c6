/// A condition on code, in the requirement language: what `codesign -R` takes and what seals record of nested code.
///
/// Texts are bytes: identifiers and keys are compared byte for byte. The binary form is prefix notation
/// (``init(decoding:)``, ``encoded``), the text form is that of `csreq` (``init(compiling:)``, ``text``).
///
/// Source: spec 9; requirement.h, reqreader.cpp, reqmaker.cpp, requirements.grammar.
public indirect enum RequirementExpression: Hashable, Sendable {
    /// `never`
    case never
    /// `always`
    case always
    /// `identifier S`
    case identifier([UInt8])
    /// `anchor apple`
    case anchorApple
    /// `certificate SLOT = H"…"`, the SHA-1 of a certificate.
    case certificateHash(slot: Int32, hash: [UInt8])
    /// `info[K] = V` in its old form, for strings alone.
    case infoString(key: [UInt8], value: [UInt8])
    case and(RequirementExpression, RequirementExpression)
    case or(RequirementExpression, RequirementExpression)
    /// `cdhash H"…"`
    case cdhash([UInt8])
    case not(RequirementExpression)
    /// `info[K]…`, on Info.plist.
    case info(key: [UInt8], RequirementMatch)
    /// `certificate SLOT[K]…`
    case certificateField(slot: Int32, key: [UInt8], RequirementMatch)
    /// `certificate SLOT trusted`
    case certificateTrusted(slot: Int32)
    /// `anchor trusted`
    case anchorTrusted
    /// `certificate SLOT[field.OID]…`; the OID as DER has it.
    case certificateExtension(slot: Int32, oid: [UInt8], RequirementMatch)
    /// `anchor apple generic`
    case anchorAppleGeneric
    /// `entitlement[K]…`
    case entitlement(key: [UInt8], RequirementMatch)
    /// `certificate SLOT[policy.OID]…`
    case certificatePolicy(slot: Int32, oid: [UInt8], RequirementMatch)
    /// `anchor apple S`, an anchor that the system has a file of.
    case namedAnchor([UInt8])
    /// `(S)`, a requirement that the system knows by name.
    case named([UInt8])
    /// `platform = N`
    case platform(Int32)
    /// `notarized`
    case notarized
    /// `certificate SLOT[timestamp.OID]…`
    case certificateTimestamp(slot: Int32, oid: [UInt8], RequirementMatch)
    /// `legacy`
    case legacy
    /// An opcode of the future that older readers are to take for false; with its data.
    case unknownFalse(opcode: UInt32, data: [UInt8])
    /// An opcode of the future that older readers are to pass over, and what comes after it.
    case unknownSkipped(opcode: UInt32, data: [UInt8], RequirementExpression)
    /// An opcode that nobody may pass over.
    case notUnderstood(opcode: UInt32)

    /// Expressions in each other at most. Apple's reader gives up at about 1000.
    static let maximumDepth = 500
}

/// What a value is compared with: the end of `info[K] …` and its kin (spec 9.3).
public enum RequirementMatch: Hashable, Sendable {
    /// There, and not the boolean false.
    case exists
    case absent
    case equal([UInt8])
    case contains([UInt8])
    case beginsWith([UInt8])
    case endsWith([UInt8])
    case less([UInt8])
    case greater([UInt8])
    case lessOrEqual([UInt8])
    case greaterOrEqual([UInt8])
    /// A comparison with a point in time, in seconds since the beginning of 2001, UTC.
    case date(DateRelation, Int64)
    /// An operation that nobody has defined, with the data item that is assumed to follow it. It never matches.
    case notUnderstood(operation: UInt32, data: [UInt8])

    /// How two points in time relate. Raw values are the operation numbers.
    public enum DateRelation: UInt32, Hashable, Sendable, CaseIterable {
        case on = 9
        case before = 10
        case after = 11
        case onOrBefore = 12
        case onOrAfter = 13
    }
}

/// The number of an opcode in the binary form.
enum RequirementOpcode: UInt32 {
    case never, always, identifier, anchorApple, certificateHash, infoString, and, or, cdhash, not
    case info, certificateField, certificateTrusted, anchorTrusted, certificateExtension, anchorAppleGeneric
    case entitlement, certificatePolicy, namedAnchor, named, platform, notarized, certificateTimestamp, legacy

    /// The bits of a word that number the opcode; the others say what a reader that does not know it is to do.
    static let mask: UInt32 = 0x00ff_ffff
    static let falseFlag: UInt32 = 0x8000_0000
    static let skipFlag: UInt32 = 0x4000_0000
}
