/// A property list: Info.plist, CodeResources, entitlements.
public enum PropertyList: Hashable, Sendable {
    /// Entries in the order of the file, each key once.
    case dictionary(Dictionary)
    case array([PropertyList])
    case string(ByteString)
    case data([UInt8])
    case boolean(Bool)
    /// A whole number; the format does not always tell whether it is signed.
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    /// The bits of the double, so that values compare and hash exactly.
    case real(bits: UInt64)
    /// Seconds since 2001-01-01, as bits of a double.
    case date(bits: UInt64)
    /// The keyed archiver's own type.
    case uid(UInt64)

    /// A dictionary that keeps the order of its entries.
    public struct Dictionary: Hashable, Sendable {
        public private(set) var entries: [(key: ByteString, value: PropertyList)]
        /// Where each key is. Empty for a small dictionary, which is searched: a seal has one for every file.
        private var index: [ByteString: Int]
        private static let small = 8

        /// - Parameter entries: in order; of entries with one key the first counts.
        public init(_ entries: [(key: ByteString, value: PropertyList)]) {
            self.entries = []
            index = [:]
            self.entries.reserveCapacity(entries.count)
            if entries.count > Self.small { index.reserveCapacity(entries.count) }
            for entry in entries where place(of: entry.key) == nil {
                if entries.count > Self.small { index[entry.key] = self.entries.count }
                self.entries.append(entry)
            }
        }

        public var count: Int { entries.count }

        public subscript(key: ByteString) -> PropertyList? { place(of: key).map { entries[$0].value } }

        private func place(of key: ByteString) -> Int? {
            index.isEmpty ? entries.firstIndex { $0.key == key } : index[key]
        }

        /// Equal when keys and values are, whatever their order.
        public static func == (left: Dictionary, right: Dictionary) -> Bool {
            left.count == right.count && left.entries.allSatisfy { right[$0.key] == $0.value }
        }

        public func hash(into hasher: inout Hasher) {
            // Order must not matter: fold the entries' own hashes with an operation that commutes.
            var folded = 0
            for entry in entries {
                var one = Hasher()
                one.combine(entry.key)
                one.combine(entry.value)
                folded ^= one.finalize()
            }
            hasher.combine(count)
            hasher.combine(folded)
        }
    }

    public var dictionary: Dictionary? {
        if case .dictionary(let value) = self { return value }
        return nil
    }

    public var array: [PropertyList]? {
        if case .array(let value) = self { return value }
        return nil
    }

    public var string: ByteString? {
        if case .string(let value) = self { return value }
        return nil
    }

    public var data: [UInt8]? {
        if case .data(let value) = self { return value }
        return nil
    }

    public var boolean: Bool? {
        if case .boolean(let value) = self { return value }
        return nil
    }

    /// The number as a double, for any of the number types.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let bits): Double(bitPattern: bits)
        default: nil
        }
    }

    /// The value under `key` when this is a dictionary.
    public subscript(key: ByteString) -> PropertyList? { dictionary?[key] }

    /// What a value is, in words: "a dictionary", "a string".
    public var kindName: String {
        switch self {
        case .dictionary: "a dictionary"
        case .array: "an array"
        case .string: "a string"
        case .data: "data"
        case .boolean: "a boolean"
        case .integer, .unsigned: "a whole number"
        case .real: "a number"
        case .date: "a date"
        case .uid: "a UID"
        }
    }
}

/// How a property list is written.
public enum PropertyListFormat: String, Hashable, Sendable {
    case xml
    case binary
}

/// Why bytes could not be read as a property list.
public enum PropertyListFault: Error, Hashable, Sendable {
    /// Neither of the two formats, or damaged.
    case malformed(String)
    /// Beyond what ``Limits`` allows.
    case limit(Limits.Exceeded)
}
