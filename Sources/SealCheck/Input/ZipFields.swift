/// Takes little-endian fields off the front of a ZIP structure.
struct ZipFields {
    private(set) var rest: ArraySlice<UInt8>
    /// The structure's name, for the message when it is cut off.
    private let structure: StaticString

    init(_ bytes: ArraySlice<UInt8>, of structure: StaticString) {
        self.rest = bytes
        self.structure = structure
    }

    /// The next number.
    ///
    /// - Throws: ``ReadFault/damaged(_:)`` when the structure ends before it.
    mutating func next<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type = Number.self
    ) throws(ReadFault) -> Number {
        let field = try take(MemoryLayout<Number>.size)
        return field.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// The next `count` bytes. Errors as ``next(_:)``.
    mutating func take(_ count: Int) throws(ReadFault) -> ArraySlice<UInt8> {
        guard count >= 0, rest.count >= count else { throw .damaged("the \(structure) is cut off") }
        let field = rest.prefix(count)
        rest = rest.dropFirst(count)
        return field
    }
}

/// The first four bytes of each structure, as a little-endian number.
enum ZipSignature {
    static let localHeader: UInt32 = 0x0403_4B50
    static let dataDescriptor: UInt32 = 0x0807_4B50
    static let directoryEntry: UInt32 = 0x0201_4B50
    static let endRecord: UInt32 = 0x0605_4B50
    static let endRecord64: UInt32 = 0x0606_4B50
    static let endLocator64: UInt32 = 0x0706_4B50
}

/// The extra fields of one header that matter here.
struct ZipExtraFields {
    /// The zip64 extended information (0x0001).
    var zip64: ArraySlice<UInt8>?
    /// Info-ZIP's Unicode path (0x7075).
    var unicodePath: ArraySlice<UInt8>?

    /// Walks the fields. Trailing bytes that are no whole field are left alone: several packers pad with them, and what
    /// they would have told is missed by name where it is needed.
    init(_ bytes: ArraySlice<UInt8>) {
        var fields = ZipFields(bytes, of: "extra field")
        while let tag = try? fields.next(UInt16.self), let size = try? fields.next(UInt16.self),
            let data = try? fields.take(Int(size))
        {
            if tag == 0x0001, zip64 == nil { zip64 = data }
            if tag == 0x7075, unicodePath == nil { unicodePath = data }
        }
    }
}
