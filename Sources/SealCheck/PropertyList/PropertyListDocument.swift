/// A property list with what can be said about the file it came from.
public struct PropertyListDocument: Hashable, Sendable {
    public let value: PropertyList
    public let format: PropertyListFormat
    /// How often a dictionary names a key that it has named before.
    ///
    /// Readers disagree on what such a file says, so nothing that is checked may rest on it. In ``value`` the entry
    /// that CoreFoundation keeps is the one that counts: the last in XML (`CFDictionarySetValue`), the first in binary
    /// (`CFBasicHashAddValue`).
    public let duplicateKeyCount: Int
    /// The first of those keys, as many as ``Limits/listedFaults`` allows.
    public let duplicateKeys: [ByteString]
    /// Bytes of an XML file after the end of its root element, when more than white space follows. CoreFoundation never
    /// looks at them.
    public let trailingBytes: Int
}

extension PropertyListDocument {
    /// Reads a property list in either format.
    ///
    /// The work is shared. A scan of our own (``XMLPrescan``, ``BinaryPrescan``) holds the file against the grammar that
    /// CoreFoundation accepts and against `limits`; only then libplist reads it, for the values. libplist 2.2 alone would
    /// accept far more than Apple's reader does (a `<dict>` that never ends, `<integer>010</integer>` as eight), recurses
    /// without bound, and aborts on a key with a NUL in it.
    ///
    /// - Throws: ``PropertyListFault``.
    public init(parsing bytes: [UInt8], limits: Limits = .standard) throws(PropertyListFault) {
        // libplist counts in 32 bits.
        let allowed = min(limits.propertyListBytes, UInt64(UInt32.max))
        guard UInt64(bytes.count) <= allowed else {
            throw .limit(.init("bytes of the property list", value: UInt64(bytes.count), limit: allowed))
        }
        switch PropertyList.format(of: bytes) {
        case .xml: try self.init(parsingXML: bytes, limits: limits)
        case .binary: try self.init(parsingBinary: bytes, limits: limits)
        case nil: throw .malformed(Self.noFormat(bytes))
        }
    }

    private init(parsingXML bytes: [UInt8], limits: Limits) throws(PropertyListFault) {
        let scan = try XMLPrescan.scan(bytes, limits: limits)
        let conversion = try LibPlistConversion.xml(bytes, in: scan.document, limits: limits)
        var duplicates = DuplicateKeys(listing: limits.listedFaults)
        // libplist has merged them by now; scan once more, for their names, only when entries are missing.
        if conversion.entries != scan.keys { duplicates = try XMLPrescan.duplicateKeys(of: bytes, limits: limits) }
        value = conversion.value
        format = .xml
        duplicateKeyCount = duplicates.count
        duplicateKeys = duplicates.listed
        trailingBytes = scan.trailingBytes
    }

    private init(parsingBinary bytes: [UInt8], limits: Limits) throws(PropertyListFault) {
        try BinaryPrescan.check(bytes, limits: limits)
        let conversion = try LibPlistConversion.binary(bytes, limits: limits)
        value = conversion.value
        format = .binary
        duplicateKeyCount = conversion.duplicates.count
        duplicateKeys = conversion.duplicates.listed
        trailingBytes = 0
    }

    /// Why bytes are in neither format. CoreFoundation reads two more kinds of text, and no signing tool writes them:
    /// XML in UTF-16 or UTF-32, and the OpenStep form, to which an empty file belongs too.
    private static func noFormat(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "the file is empty" }
        let start = bytes.prefix(4)
        if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) || start.prefix(2).contains(0) {
            return "text in UTF-16 or UTF-32 is not read"
        }
        return "neither XML nor binary"
    }
}

/// Keys that dictionaries name again: all counted, some listed.
struct DuplicateKeys {
    private(set) var count = 0
    private(set) var listed: [ByteString] = []
    private let capacity: Int

    init(listing capacity: Int) { self.capacity = capacity }

    mutating func add(_ key: ByteString) {
        count += 1
        if listed.count < capacity { listed.append(key) }
    }
}
