extension RequirementExpression {
    /// The binary form, without a blob around it (spec 9.1).
    public var encoded: [UInt8] {
        var writer = RequirementWriter()
        writer.put(expression: self)
        return writer.bytes
    }

    /// The requirement as a blob of its own: `0xfade0c00`, kind 1.
    public var blob: [UInt8] {
        let expression = encoded
        var writer = RequirementWriter()
        writer.put(BlobMagic.requirement.rawValue)
        writer.put(UInt32(12 + expression.count))
        writer.put(1 as UInt32)
        return writer.bytes + expression
    }
}

/// Builds the binary form.
private struct RequirementWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ word: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    mutating func put(_ slot: Int32) { put(UInt32(bitPattern: slot)) }

    mutating func put(opcode: RequirementOpcode) { put(opcode.rawValue) }

    mutating func put(_ data: [UInt8]) {
        put(UInt32(data.count))
        bytes += data
        while bytes.count % 4 != 0 { bytes.append(0) }
    }

    mutating func put(_ match: RequirementMatch) {
        switch match {
        case .exists: put(0 as UInt32)
        case .absent: put(14 as UInt32)
        case .equal(let data): put(1, data)
        case .contains(let data): put(2, data)
        case .beginsWith(let data): put(3, data)
        case .endsWith(let data): put(4, data)
        case .less(let data): put(5, data)
        case .greater(let data): put(6, data)
        case .lessOrEqual(let data): put(7, data)
        case .greaterOrEqual(let data): put(8, data)
        case .date(let relation, let time):
            put(relation.rawValue)
            put(UInt32(truncatingIfNeeded: time >> 32))
            put(UInt32(truncatingIfNeeded: time))
        case .notUnderstood(let operation, let data): put(operation, data)
        }
    }

    private mutating func put(_ operation: UInt32, _ data: [UInt8]) {
        put(operation)
        put(data)
    }

    mutating func put(expression: RequirementExpression) {
        switch expression {
        case .never: put(opcode: .never)
        case .always: put(opcode: .always)
        case .identifier(let name): put(.identifier, name)
        case .anchorApple: put(opcode: .anchorApple)
        case .certificateHash(let slot, let hash):
            put(opcode: .certificateHash)
            put(slot)
            put(hash)
        case .infoString(let key, let value):
            put(.infoString, key)
            put(value)
        case .and(let left, let right): put(.and, left, right)
        case .or(let left, let right): put(.or, left, right)
        case .cdhash(let hash): put(.cdhash, hash)
        case .not(let operand):
            put(opcode: .not)
            put(expression: operand)
        case .info(let key, let match):
            put(.info, key)
            put(match)
        case .certificateField(let slot, let key, let match): put(.certificateField, slot, key, match)
        case .certificateTrusted(let slot):
            put(opcode: .certificateTrusted)
            put(slot)
        case .anchorTrusted: put(opcode: .anchorTrusted)
        case .certificateExtension(let slot, let oid, let match): put(.certificateExtension, slot, oid, match)
        case .anchorAppleGeneric: put(opcode: .anchorAppleGeneric)
        case .entitlement(let key, let match):
            put(.entitlement, key)
            put(match)
        case .certificatePolicy(let slot, let oid, let match): put(.certificatePolicy, slot, oid, match)
        case .namedAnchor(let name): put(.namedAnchor, name)
        case .named(let name): put(.named, name)
        case .platform(let number):
            put(opcode: .platform)
            put(number)
        case .notarized: put(opcode: .notarized)
        case .certificateTimestamp(let slot, let oid, let match): put(.certificateTimestamp, slot, oid, match)
        case .legacy: put(opcode: .legacy)
        case .unknownFalse(let opcode, let data): put(opcode, data)
        case .unknownSkipped(let opcode, let data, let next):
            put(opcode, data)
            put(expression: next)
        case .notUnderstood(let opcode): put(opcode)
        }
    }

    private mutating func put(_ opcode: RequirementOpcode, _ data: [UInt8]) {
        put(opcode: opcode)
        put(data)
    }

    private mutating func put(
        _ opcode: RequirementOpcode, _ left: RequirementExpression, _ right: RequirementExpression
    ) {
        put(opcode: opcode)
        put(expression: left)
        put(expression: right)
    }

    private mutating func put(
        _ opcode: RequirementOpcode, _ slot: Int32, _ data: [UInt8], _ match: RequirementMatch
    ) {
        put(opcode: opcode)
        put(slot)
        put(data)
        put(match)
    }
}
