/// A JSON document as a value, built by the encoders of each schema and written by ``JSONWriter``.
///
/// There is no synthesised coding on purpose: the shape of a report is an interface, and it is spelt out key by key where
/// it is made. The value is not `Equatable` either: Swift compares strings by canonical equivalence, and two reports that
/// differ in the normal form of a path are different. Compare what ``JSONWriter`` writes.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case string(String)
    case array([JSONValue])
    /// The members in any order: the writer sorts them. Keys are unique by their bytes; what came from an input and may
    /// repeat a key belongs in an array.
    case object([Member])

    /// One key of an object, with its value.
    public struct Member: Sendable {
        public var key: String
        public var value: JSONValue

        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }
}

/// From Swift values; an absent one is `null`, because keys of a schema are always there.
extension JSONValue {
    public init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
    public init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    public init(_ number: Int32?) { self = number.map { .integer(Int64($0)) } ?? .null }
    public init(_ number: UInt64?) { self = number.map(JSONValue.unsigned) ?? .null }
    public init(_ flag: Bool?) { self = flag.map(JSONValue.bool) ?? .null }
    public init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// The value under `key`, or nil where this is no object or has no such key. For tests and for composing reports;
    /// linear in the number of members.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}

/// Literals, so that an encoder looks like the document that it makes:
/// `["id": .string(finding.id), "severity": "error", "offset": nil]`.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
