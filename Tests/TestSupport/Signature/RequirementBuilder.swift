/// A requirement expression in its binary form: opcodes in prefix notation.
public indirect enum RequirementBuilder: Hashable, Sendable {
    case never
    case always
    case identifier(String)
    case anchorApple
    case certificateHash(slot: Int32, [UInt8])
    /// The legacy form that compares one Info.plist string.
    case infoEquals(String, String)
    case and(RequirementBuilder, RequirementBuilder)
    case or(RequirementBuilder, RequirementBuilder)
    case cdhash([UInt8])
    case not(RequirementBuilder)
    case info(String, Match)
    case certificateField(slot: Int32, String, Match)
    case certificateTrusted(slot: Int32)
    case anchorTrusted
    case certificateGeneric(slot: Int32, oid: [UInt8], Match)
    case anchorAppleGeneric
    case entitlement(String, Match)
    case certificatePolicy(slot: Int32, oid: [UInt8], Match)
    case namedAnchor(String)
    case namedCode(String)
    case platform(Int32)
    case notarized
    case certificateTimestamp(slot: Int32, oid: [UInt8], Match)
    case legacy
    /// Bytes as they are, for opcodes that do not exist.
    case raw([UInt8])

    /// What a value is compared with.
    public enum Match: Hashable, Sendable {
        case exists
        case equal(String)
        case contains(String)
        case beginsWith(String)
        case endsWith(String)
        case less(String)
        case greater(String)
        case lessOrEqual(String)
        case greaterOrEqual(String)
        /// One of the date comparisons 9…13, in seconds since 2001.
        case date(opcode: UInt32, Int64)
        case absent
        case raw([UInt8])
    }

    /// The expression alone.
    public var expression: [UInt8] {
        switch self {
        case .never: op(0)
        case .always: op(1)
        case .identifier(let text): op(2, item(text))
        case .anchorApple: op(3)
        case .certificateHash(let slot, let hash): op(4, slot.bytes(.big), item(hash))
        case .infoEquals(let key, let value): op(5, item(key), item(value))
        case .and(let left, let right): op(6, left.expression, right.expression)
        case .or(let left, let right): op(7, left.expression, right.expression)
        case .cdhash(let hash): op(8, item(hash))
        case .not(let operand): op(9, operand.expression)
        case .info(let key, let match): op(10, item(key), match.bytes)
        case .certificateField(let slot, let key, let match): op(11, slot.bytes(.big), item(key), match.bytes)
        case .certificateTrusted(let slot): op(12, slot.bytes(.big))
        case .anchorTrusted: op(13)
        case .certificateGeneric(let slot, let oid, let match): op(14, slot.bytes(.big), item(oid), match.bytes)
        case .anchorAppleGeneric: op(15)
        case .entitlement(let key, let match): op(16, item(key), match.bytes)
        case .certificatePolicy(let slot, let oid, let match): op(17, slot.bytes(.big), item(oid), match.bytes)
        case .namedAnchor(let name): op(18, item(name))
        case .namedCode(let name): op(19, item(name))
        case .platform(let number): op(20, number.bytes(.big))
        case .notarized: op(21)
        case .certificateTimestamp(let slot, let oid, let match): op(22, slot.bytes(.big), item(oid), match.bytes)
        case .legacy: op(23)
        case .raw(let bytes): bytes
        }
    }

    /// The requirement as a blob of kind 1.
    public var blob: [UInt8] { Blob.make(Blob.requirement, UInt32(1).bytes(.big) + expression) }

    /// The set that every ad-hoc signature made by Apple's signer holds.
    public static let emptySet = set([:])

    /// A requirement set; 3 is the designated requirement.
    public static func set(_ requirements: [UInt32: RequirementBuilder]) -> [UInt8] {
        SuperBlobBuilder(
            magic: SuperBlobBuilder.requirementSet,
            entries: requirements.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.blob) }
        ).build()
    }

    private func op(_ number: UInt32, _ operands: [UInt8]...) -> [UInt8] { number.bytes(.big) + operands.joined() }
}

extension RequirementBuilder.Match {
    /// The match suffix with its operand.
    var bytes: [UInt8] {
        switch self {
        case .exists: UInt32(0).bytes(.big)
        case .equal(let text): UInt32(1).bytes(.big) + item(text)
        case .contains(let text): UInt32(2).bytes(.big) + item(text)
        case .beginsWith(let text): UInt32(3).bytes(.big) + item(text)
        case .endsWith(let text): UInt32(4).bytes(.big) + item(text)
        case .less(let text): UInt32(5).bytes(.big) + item(text)
        case .greater(let text): UInt32(6).bytes(.big) + item(text)
        case .lessOrEqual(let text): UInt32(7).bytes(.big) + item(text)
        case .greaterOrEqual(let text): UInt32(8).bytes(.big) + item(text)
        case .date(let opcode, let seconds): opcode.bytes(.big) + seconds.bytes(.big)
        case .absent: UInt32(14).bytes(.big)
        case .raw(let bytes): bytes
        }
    }
}

/// A data item: its length, the bytes, zeros up to a multiple of 4.
private func item(_ bytes: some Collection<UInt8>) -> [UInt8] {
    UInt32(bytes.count).bytes(.big) + bytes
        + [UInt8](repeating: 0, count: bytes.count.roundedUp(to: 4) - bytes.count)
}

private func item(_ text: String) -> [UInt8] { item(Array(text.utf8)) }
