/// The bytes of ZIP structures, read as little-endian fields with every bound checked.
///
/// A value of this type lives inside the closure of ``ZipFields/reading(_:of:_:)``, as the memory it looks at does. It
/// walks a buffer instead of slicing an array because a directory of a hundred thousand entries has some two million
/// fields, and each slice would be counted by the reference counter.
struct ZipFields {
    private var rest: UnsafeRawBufferPointer
    /// The structure's name, for the message when it is cut off.
    private let structure: StaticString

    init(_ bytes: UnsafeRawBufferPointer, of structure: StaticString) {
        self.rest = bytes
        self.structure = structure
    }

    /// Reads fields from the front of `bytes`.
    static func reading<Value>(
        _ bytes: some Collection<UInt8>, of structure: StaticString,
        _ body: (inout ZipFields) throws(ReadFault) -> Value
    ) throws(ReadFault) -> Value {
        try ContiguousArray(bytes).withUnsafeBufferPointer { buffer throws(ReadFault) in
            var fields = ZipFields(UnsafeRawBufferPointer(buffer), of: structure)
            return try body(&fields)
        }
    }

    /// How many bytes are left.
    var count: Int { rest.count }

    /// The next number.
    ///
    /// - Throws: ``ReadFault/damaged(_:)`` when the structure ends before it.
    @inline(__always)
    mutating func next<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(ReadFault) -> Number {
        Number(littleEndian: try take(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }

    /// The next `count` bytes. Errors as ``next(_:)``.
    @inline(__always)
    mutating func take(_ count: Int) throws(ReadFault) -> UnsafeRawBufferPointer {
        guard count >= 0, rest.count >= count else { throw .damaged("the \(structure) is cut off") }
        let field = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        return field
    }
}

/// The first four bytes of each structure, as a little-endian number.
enum ZipSignature {
    static let localHeader: UInt32 = 0x0403_4B50
    static let directoryEntry: UInt32 = 0x0201_4B50
    static let endRecord: UInt32 = 0x0605_4B50
    static let endRecord64: UInt32 = 0x0606_4B50
    static let endLocator64: UInt32 = 0x0706_4B50
}

/// The extra fields of one header that matter here, in the memory of the header.
struct ZipExtraFields {
    /// The zip64 extended information (0x0001); empty where there is none.
    private(set) var zip64 = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Info-ZIP's Unicode path (0x7075).
    private(set) var unicodePath: UnsafeRawBufferPointer?

    /// Walks the fields. Trailing bytes that are no whole field are left alone: several packers pad with them, and what
    /// they would have told is missed by name where it is needed.
    init(_ bytes: UnsafeRawBufferPointer) {
        var fields = ZipFields(bytes, of: "extra field")
        var hasZip64 = false
        while fields.count >= 4, let tag = try? fields.next(UInt16.self), let size = try? fields.next(UInt16.self) {
            guard fields.count >= Int(size), let data = try? fields.take(Int(size)) else { return }
            if tag == 0x0001, !hasZip64 {
                zip64 = data
                hasZip64 = true
            }
            if tag == 0x7075, unicodePath == nil { unicodePath = data }
        }
    }
}
