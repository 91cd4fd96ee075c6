/// A SuperBlob: an index of types and offsets, and the blobs.
///
/// It says what it is told: types may come twice or unsorted, offsets may point anywhere, count and length may lie.
public struct SuperBlobBuilder: Hashable, Sendable {
    /// One line of the index and the blob behind it.
    public struct Entry: Hashable, Sendable {
        public var type: UInt32
        public var blob: [UInt8]
        /// What the index says in place of where ``blob`` is.
        public var offset: UInt32?
        /// Bytes before the blob that nothing points at.
        public var gapBefore: Int = 0
        /// Whether the index has a line for it.
        public var isIndexed = true

        public init(_ type: UInt32, _ blob: [UInt8], offset: UInt32? = nil) {
            self.type = type
            self.blob = blob
            self.offset = offset
        }
    }

    public static let embeddedSignature: UInt32 = 0xFADE_0CC0
    public static let requirementSet: UInt32 = 0xFADE_0C01

    public var magic: UInt32
    public var entries: [Entry]
    public var length: UInt32?
    public var count: UInt32?

    public init(magic: UInt32 = embeddedSignature, entries: [Entry] = []) {
        self.magic = magic
        self.entries = entries
    }

    /// The first entry of that type.
    public func entry(_ type: UInt32) throws -> Entry { entries[try index(type)] }

    /// Edits the first entry of that type.
    public mutating func edit(_ type: UInt32, _ body: (inout Entry) throws -> Void) throws {
        try body(&entries[try index(type)])
    }

    private func index(_ type: UInt32) throws -> Int {
        guard let index = entries.firstIndex(where: { $0.type == type }) else {
            throw BuildError("the SuperBlob has no entry of type \(type)")
        }
        return index
    }

    public func build() -> [UInt8] {
        let indexed = entries.filter(\.isIndexed)
        var index = ByteBuilder(.big)
        var blobs = ByteBuilder(.big)
        let start = 12 + 8 * indexed.count
        for entry in entries {
            blobs.appendZeros(entry.gapBefore)
            if entry.isIndexed {
                index.append(entry.type)
                index.append(entry.offset ?? UInt32(start + blobs.count))
            }
            blobs.append(entry.blob)
        }
        var file = ByteBuilder(.big)
        file.append(magic)
        file.append(length ?? UInt32(start + blobs.count))
        file.append(count ?? UInt32(indexed.count))
        file.append(index.bytes)
        file.append(blobs.bytes)
        return file.bytes
    }
}

/// A blob: magic, length of everything, payload.
public enum Blob {
    public static let requirement: UInt32 = 0xFADE_0C00
    public static let wrapper: UInt32 = 0xFADE_0B01
    public static let entitlements: UInt32 = 0xFADE_7171
    public static let entitlementsDER: UInt32 = 0xFADE_7172
    public static let constraint: UInt32 = 0xFADE_8181

    public static func make(_ magic: UInt32, _ payload: [UInt8]) -> [UInt8] {
        magic.bytes(.big) + UInt32(8 + payload.count).bytes(.big) + payload
    }
}
