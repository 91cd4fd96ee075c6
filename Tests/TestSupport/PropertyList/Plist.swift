/// A property list as a value.
///
/// Dictionaries are lists of pairs: they keep their order, may hold a key twice, and keep two keys apart that differ
/// only by Unicode normalisation. All three are cases that the tests need.
public indirect enum Plist: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case bool(Bool)
    case data([UInt8])
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case array([Plist])
    case dict([Entry])
    /// A keyed-archiver reference; only the binary form has it.
    case uid(UInt32)

    /// One key of a dictionary and its value.
    public struct Entry: Hashable, Sendable {
        public var key: String
        public var value: Plist

        public init(_ key: String, _ value: Plist) {
            self.key = key
            self.value = value
        }
    }

    /// The file format of a property list.
    public enum Form: Hashable, Sendable, CaseIterable {
        case xml
        case binary
    }

    /// This value as a file.
    public func encoded(as form: Form = .xml) -> [UInt8] {
        switch form {
        case .xml: PlistXML.encode(self)
        case .binary: PlistBinary.encode(self)
        }
    }
}

// MARK: - Looking inside

extension Plist {
    /// The value of the first entry whose key has exactly these bytes; nil for none, or for another type of value.
    ///
    /// Setting replaces that entry or appends one; setting nil removes it. On anything but a dictionary, setting makes
    /// it one.
    public subscript(key: String) -> Plist? {
        get { entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
        set {
            var entries = self.entries
            let index = entries.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(key, value))
            case (nil, nil): break
            }
            self = .dict(entries)
        }
    }

    /// The entries of a dictionary; none for any other value.
    public var entries: [Entry] {
        if case .dict(let entries) = self { entries } else { [] }
    }

    /// The text of a string, else nil.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A dictionary with the keys in ascending order of their UTF-8 bytes, at every depth.
    public func sorted() -> Plist {
        switch self {
        case .dict(let entries):
            .dict(
                entries.map { Entry($0.key, $0.value.sorted()) }
                    .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        case .array(let values): .array(values.map { $0.sorted() })
        default: self
        }
    }
}

// MARK: - Literals

extension Plist: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension Plist: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Plist: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension Plist: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension Plist: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Plist...) { self = .array(elements) }
}

extension Plist: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Plist)...) { self = .dict(elements.map(Entry.init)) }
}
