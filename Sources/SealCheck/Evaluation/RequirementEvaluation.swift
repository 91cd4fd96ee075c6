import MachOReader

/// What a requirement is tested against: one slice of a code object (spec 9.2).
struct RequirementContext {
    var identifier: [UInt8]
    /// Of the CodeDirectory that rules.
    var cdhash: Digest?
    /// The platform byte of the CodeDirectory.
    var platform: UInt8
    var info: Values
    var entitlements: Values
    /// The signer's certificate and its issuers; nil for ad-hoc code, which has none, so that whatever asks for one is
    /// false.
    var certificates: [CertificateFacts]?

    /// The dictionary that `info[…]` or `entitlement[…]` looks into.
    enum Values {
        case none
        case dictionary(PropertyList)
        /// It is there and cannot be read.
        case unreadable
    }
}

/// An opcode that older readers may not pass over (`errSecCSUnimplemented`).
struct RequirementUnimplemented: Error {}

/// Whether a requirement holds.
enum RequirementTruth: Hashable {
    case yes
    case no
    /// It hangs on whether certificates are to be trusted, which is not asked here.
    case trust
    /// It hangs on what could not be read.
    case unknown

    init(_ value: Bool) { self = value ? .yes : .no }
    init(_ value: Bool?) { self = value.map(Self.init) ?? .unknown }

    static func && (left: Self, right: Self) -> Self {
        let sides = [left, right]
        return [.no, .unknown, .trust].first(where: sides.contains) ?? .yes
    }

    static func || (left: Self, right: Self) -> Self {
        let sides = [left, right]
        return [.yes, .unknown, .trust].first(where: sides.contains) ?? .no
    }

    static prefix func ! (operand: Self) -> Self {
        switch operand {
        case .yes: .no
        case .no: .yes
        case .trust, .unknown: operand
        }
    }
}

extension RequirementExpression {
    /// Whether code satisfies the requirement.
    func truth(for context: RequirementContext) throws(RequirementUnimplemented) -> RequirementTruth {
        switch self {
        case .always: return .yes
        case .never, .unknownFalse: return .no
        case .notUnderstood: throw RequirementUnimplemented()
        case .unknownSkipped(_, _, let next): return try next.truth(for: context)
        case .identifier(let name): return RequirementTruth(name == context.identifier)
        case .cdhash(let hash): return RequirementTruth(context.cdhash.map { $0 == Digest(hash) } ?? false)
        case .platform(let number): return RequirementTruth(number == Int32(context.platform))
        // Both sides, as Apple's reader does: an opcode that is not understood counts on either.
        case .and(let left, let right):
            let sides = (try left.truth(for: context), try right.truth(for: context))
            return sides.0 && sides.1
        case .or(let left, let right):
            let sides = (try left.truth(for: context), try right.truth(for: context))
            return sides.0 || sides.1
        case .not(let operand): return !(try operand.truth(for: context))
        case .infoString(let key, let value): return RequirementTruth(context.info.matches(key, .equal(value)))
        case .info(let key, let match): return RequirementTruth(context.info.matches(key, match))
        case .entitlement(let key, let match): return RequirementTruth(context.entitlements.matches(key, match))
        default: return certificateTruth(context.certificates)
        }
    }

    /// What is asked of certificates.
    private func certificateTruth(_ chain: [CertificateFacts]?) -> RequirementTruth {
        guard let chain else {
            if case .certificateTimestamp(_, _, let match) = self { return RequirementTruth(match.matches(nil)) }
            return .no
        }
        func with(_ slot: Int32, _ body: (CertificateFacts) -> RequirementTruth) -> RequirementTruth {
            switch chain.certificate(slot) {
            case .found(let certificate): body(certificate)
            case .none: .no
            case .unknown: .unknown
            }
        }
        switch self {
        case .certificateHash(let slot, let hash):
            return with(slot) { RequirementTruth($0.hash == Digest(hash)) }
        case .certificateField(let slot, let key, let match):
            return with(slot) { certificate in
                guard key.starts(with: "subject.".utf8) else { return .unknown }
                let value = certificate.fields[ByteString(bytes: key)]
                return RequirementTruth(match.matches(value.map(PropertyList.string)))
            }
        case .certificateExtension(let slot, let oid, let match):
            return with(slot) { certificate in
                let isThere = certificate.extensions.contains(oid)
                switch match {
                case .exists: return RequirementTruth(isThere)
                case .absent: return RequirementTruth(!isThere)
                // What stands in it is of any type.
                default: return isThere ? .unknown : .no
                }
            }
        case .certificatePolicy, .certificateTimestamp: return .unknown
        // Anchors, notarization: whom the verifying machine trusts.
        default: return .trust
        }
    }
}

extension RequirementContext.Values {
    fileprivate func matches(_ key: [UInt8], _ match: RequirementMatch) -> Bool? {
        switch self {
        case .none: match.matches(nil)
        case .dictionary(let values): match.matches(values[ByteString(bytes: key)])
        case .unreadable: nil
        }
    }
}

extension RequirementMatch {
    /// Whether a value, or none, is what is asked for (spec 9.3).
    func matches(_ value: PropertyList?) -> Bool {
        guard let value else { return self == .absent }
        // Any element will do; then the array itself, so that an empty one exists.
        if let elements = value.array, elements.contains(where: matches) { return true }
        switch self {
        case .exists: return value.boolean != false
        case .absent, .notUnderstood: return false
        case .equal(let wanted): return value.string?.bytes == wanted
        case .contains(let part): return value.string?.bytes.contains(part) ?? false
        case .beginsWith(let start): return value.string?.bytes.starts(with: start) ?? false
        case .endsWith(let end): return value.string?.bytes.reversed().starts(with: end.reversed()) ?? false
        case .less(let other): return order(value, other).map { $0 < 0 } ?? false
        case .greater(let other): return order(value, other).map { $0 > 0 } ?? false
        case .lessOrEqual(let other): return order(value, other).map { $0 <= 0 } ?? false
        case .greaterOrEqual(let other): return order(value, other).map { $0 >= 0 } ?? false
        case .date(let relation, let seconds):
            guard case .date(let bits) = value else { return false }
            return relation.holds(Double(bitPattern: bits), Double(seconds))
        }
    }

    private func order(_ value: PropertyList, _ other: [UInt8]) -> Int? {
        value.string.map { NumericOrder.compare($0.bytes, other) }
    }
}

extension RequirementMatch.DateRelation {
    fileprivate func holds(_ left: Double, _ right: Double) -> Bool {
        switch self {
        case .on: left == right
        case .before: left < right
        case .after: left > right
        case .onOrBefore: left <= right
        case .onOrAfter: left >= right
        }
    }
}

/// The order of texts in which runs of digits count as numbers: `1.9` comes before `1.10`.
enum NumericOrder {
    /// Negative, zero or positive. Runs of digits may be of any length.
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (left, right) = (left[...], right[...])
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (one, other) = (number(&left), number(&right))
                if one.count != other.count { return one.count - other.count }
                if let difference = zip(one, other).first(where: { $0 != $1 }) {
                    return Int(difference.0) - Int(difference.1)
                }
            } else if first != second {
                return Int(first) - Int(second)
            } else {
                left = left.dropFirst()
                right = right.dropFirst()
            }
        }
        return left.count - right.count
    }

    /// Takes a run of digits away and gives it without leading zeros.
    private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
