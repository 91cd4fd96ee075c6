/// What is wrong with a binary structure, and exactly where.
///
/// A fault never says what follows from it: whether it makes code unsigned, invalid, or merely odd is for the reader of
/// the fault to decide. Offsets count from the start of the thing that was parsed (a slice of a universal file, or the
/// whole file).
public struct FormatFault: Error, Hashable, Sendable {
    /// What kind of fault it is. A struct, so that a new kind breaks nobody's `switch`.
    public struct Kind: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The structure runs past the end of what holds it.
        public static let truncated = Kind(rawValue: "truncated")
        /// A magic number is not the expected one.
        public static let badMagic = Kind(rawValue: "bad-magic")
        /// A length, count or size cannot be right.
        public static let badSize = Kind(rawValue: "bad-size")
        /// An offset points outside of what it may point into.
        public static let badOffset = Kind(rawValue: "bad-offset")
        /// A text is not terminated inside the structure.
        public static let unterminated = Kind(rawValue: "unterminated")
        /// A version or type that nobody has defined.
        public static let unsupported = Kind(rawValue: "unsupported")
        /// A bound of this reader was reached.
        public static let limit = Kind(rawValue: "limit")
        /// Two fields contradict each other.
        public static let inconsistent = Kind(rawValue: "inconsistent")
    }

    public var kind: Kind
    /// Offset in bytes of the field that is wrong.
    public var offset: UInt64
    /// The structure's own name: `CodeDirectory`, `LC_SEGMENT_64 #7`.
    public var structure: String
    /// The field's own name: `hashOffset`.
    public var field: String?
    /// What stands there.
    public var value: UInt64?
    /// What it had to stay within, or equal.
    public var limit: UInt64?

    public init(
        _ kind: Kind, at offset: UInt64, in structure: String, field: String? = nil, value: UInt64? = nil,
        limit: UInt64? = nil
    ) {
        self.kind = kind
        self.offset = offset
        self.structure = structure
        self.field = field
        self.value = value
        self.limit = limit
    }
}

extension FormatFault: CustomStringConvertible {
    public var description: String {
        var text = structure
        if let field { text += ".\(field)" }
        switch kind {
        case .truncated: text += " runs past the end"
        case .badMagic: text += " has an unexpected magic number"
        case .badSize: text += " has an impossible size"
        case .badOffset: text += " points outside"
        case .unterminated: text += " is not terminated"
        case .unsupported: text += " is of an unknown kind"
        case .limit: text += " is larger than this reader allows"
        case .inconsistent: text += " contradicts another field"
        default: text += ": \(kind.rawValue)"
        }
        if let value {
            text += " (0x\(String(value, radix: 16))"
            if let limit { text += ", limit 0x\(String(limit, radix: 16))" }
            text += ")"
        } else if let limit {
            text += " (limit 0x\(String(limit, radix: 16)))"
        }
        return text + " at offset 0x\(String(offset, radix: 16))"
    }
}

/// A value, or what is wrong with it: one bad blob does not hide five good ones.
public enum Parsed<Value> {
    case value(Value)
    case fault(FormatFault)

    /// The value, or nil when there is a fault.
    public var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }

    /// The fault, or nil when there is a value.
    public var fault: FormatFault? {
        if case .fault(let fault) = self { return fault }
        return nil
    }

    /// Runs `body` and keeps its outcome.
    public init(catching body: () throws(FormatFault) -> Value) {
        do { self = .value(try body()) } catch { self = .fault(error) }
    }
}

extension Parsed: Equatable where Value: Equatable {}
extension Parsed: Hashable where Value: Hashable {}
extension Parsed: Sendable where Value: Sendable {}
