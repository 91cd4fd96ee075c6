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
    /// Whether there are certificates. Ad-hoc code has none, so that whatever asks for one is false; of other code
    /// nothing is said, because no certificate is looked at.
    var hasCertificates: Bool

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

extension RequirementExpression {
    /// Whether code satisfies the requirement; nil where that hangs on certificates or on what could not be read.
    func isSatisfied(by context: RequirementContext) throws(RequirementUnimplemented) -> Bool? {
        switch self {
        case .always: return true
        case .never, .unknownFalse: return false
        case .notUnderstood: throw RequirementUnimplemented()
        case .unknownSkipped(_, _, let next): return try next.isSatisfied(by: context)
        case .identifier(let name): return name == context.identifier
        case .cdhash(let hash): return context.cdhash.map { $0 == Digest(hash) } ?? false
        case .platform(let number): return number == Int32(context.platform)
        // Both sides, as Apple's reader does: an opcode that is not understood counts on either.
        case .and(let left, let right):
            let sides = [try left.isSatisfied(by: context), try right.isSatisfied(by: context)]
            return sides.contains(false) ? false : sides.contains(nil) ? nil : true
        case .or(let left, let right):
            let sides = [try left.isSatisfied(by: context), try right.isSatisfied(by: context)]
            return sides.contains(true) ? true : sides.contains(nil) ? nil : false
        case .not(let operand): return try operand.isSatisfied(by: context).map { !$0 }
        case .infoString(let key, let value): return context.info.matches(key, .equal(value))
        case .info(let key, let match): return context.info.matches(key, match)
        case .entitlement(let key, let match): return context.entitlements.matches(key, match)
        case .certificateTimestamp(_, _, let match): return context.hasCertificates ? nil : match.matches(nil)
        case .anchorApple, .anchorAppleGeneric, .anchorTrusted, .namedAnchor, .named, .certificateHash,
            .certificateTrusted, .certificateField, .certificateExtension, .certificatePolicy, .notarized, .legacy:
            return context.hasCertificates ? nil : false
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
