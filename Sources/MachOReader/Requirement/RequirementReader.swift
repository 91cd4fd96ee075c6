/// Walks the binary form of an expression: words, and data items padded to a multiple of 4 (spec 9.1).
struct RequirementReader {
    let bytes: Bytes
    private(set) var cursor: UInt64 = 0

    static let structure = "requirement"

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func word(_ field: String) throws(FormatFault) -> UInt32 {
        let value: UInt32 = try bytes.integer(at: cursor, in: Self.structure, field: field)
        cursor += 4
        return value
    }

    mutating func slot() throws(FormatFault) -> Int32 { Int32(bitPattern: try word("certificate slot")) }

    mutating func time() throws(FormatFault) -> Int64 {
        let value: UInt64 = try bytes.integer(at: cursor, in: Self.structure, field: "time")
        cursor += 8
        return Int64(bitPattern: value)
    }

    mutating func data(_ field: String) throws(FormatFault) -> [UInt8] {
        let count = UInt64(try word(field))
        let padded = (count + 3) & ~3
        let item = try bytes.sub(at: cursor, count: padded, in: Self.structure, field: field)
        cursor += padded
        return Array(item.slice.prefix(Int(count)))
    }

    mutating func match() throws(FormatFault) -> RequirementMatch {
        let operation = try word("match operation")
        if let relation = RequirementMatch.DateRelation(rawValue: operation) { return .date(relation, try time()) }
        switch operation {
        case 0: return .exists
        case 14: return .absent
        case 1: return .equal(try data("match"))
        case 2: return .contains(try data("match"))
        case 3: return .beginsWith(try data("match"))
        case 4: return .endsWith(try data("match"))
        case 5: return .less(try data("match"))
        case 6: return .greater(try data("match"))
        case 7: return .lessOrEqual(try data("match"))
        case 8: return .greaterOrEqual(try data("match"))
        default: return .notUnderstood(operation: operation, data: try data("match"))
        }
    }

    mutating func expression(depth: Int = 0) throws(FormatFault) -> RequirementExpression {
        let place = bytes.place(cursor)
        guard depth <= RequirementExpression.maximumDepth else {
            throw FormatFault(
                .limit, at: place, in: Self.structure, field: "nesting",
                limit: UInt64(RequirementExpression.maximumDepth))
        }
        let word = try word("opcode")
        guard let opcode = RequirementOpcode(rawValue: word & RequirementOpcode.mask) else {
            if word & RequirementOpcode.falseFlag != 0 {
                return .unknownFalse(opcode: word, data: try data("data of an unknown opcode"))
            }
            if word & RequirementOpcode.skipFlag != 0 {
                let data = try data("data of an unknown opcode")
                return .unknownSkipped(opcode: word, data: data, try expression(depth: depth + 1))
            }
            return .notUnderstood(opcode: word)
        }
        switch opcode {
        case .never: return .never
        case .always: return .always
        case .identifier: return .identifier(try data("identifier"))
        case .anchorApple: return .anchorApple
        case .certificateHash:
            let slot = try slot()
            return .certificateHash(slot: slot, hash: try data("hash"))
        case .infoString:
            let key = try data("key")
            return .infoString(key: key, value: try data("value"))
        case .and:
            let left = try expression(depth: depth + 1)
            return .and(left, try expression(depth: depth + 1))
        case .or:
            let left = try expression(depth: depth + 1)
            return .or(left, try expression(depth: depth + 1))
        case .cdhash: return .cdhash(try data("cdhash"))
        case .not: return .not(try expression(depth: depth + 1))
        case .info:
            let key = try data("key")
            return .info(key: key, try match())
        case .certificateField:
            let slot = try slot()
            let key = try data("key")
            return .certificateField(slot: slot, key: key, try match())
        case .certificateTrusted: return .certificateTrusted(slot: try slot())
        case .anchorTrusted: return .anchorTrusted
        case .certificateExtension:
            let (slot, oid) = (try slot(), try data("OID"))
            return .certificateExtension(slot: slot, oid: oid, try match())
        case .anchorAppleGeneric: return .anchorAppleGeneric
        case .entitlement:
            let key = try data("key")
            return .entitlement(key: key, try match())
        case .certificatePolicy:
            let (slot, oid) = (try slot(), try data("OID"))
            return .certificatePolicy(slot: slot, oid: oid, try match())
        case .namedAnchor: return .namedAnchor(try data("name"))
        case .named: return .named(try data("name"))
        case .platform: return .platform(Int32(bitPattern: try self.word("platform")))
        case .notarized: return .notarized
        case .certificateTimestamp:
            let (slot, oid) = (try slot(), try data("OID"))
            return .certificateTimestamp(slot: slot, oid: oid, try match())
        case .legacy: return .legacy
        }
    }
}

extension RequirementExpression {
    /// Reads the binary form: opcodes in prefix notation, without a blob around them. Bytes after it are ignored, as they
    /// are by Apple's reader.
    ///
    /// - Throws: ``FormatFault`` where the form ends early (Apple's verifier: ReqInvalid), or is nested too deeply.
    public init(decoding bytes: Bytes) throws(FormatFault) {
        var reader = RequirementReader(bytes)
        self = try reader.expression()
    }
}
