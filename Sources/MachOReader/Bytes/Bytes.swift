/// A run of bytes that were read from a file, and where they stood in it.
///
/// This is the only way in which this module touches input: every read is checked against the end of the run, and a
/// failed one says at which offset of the file, in which structure and field. Sub-runs share their parent's storage.
public struct Bytes: Sendable {
    private let storage: [UInt8]
    private let range: Range<Int>
    /// Offset of the first byte from the start of the slice or file.
    public let origin: UInt64

    public init(_ storage: [UInt8], origin: UInt64 = 0) {
        self.storage = storage
        self.range = 0..<storage.count
        self.origin = origin
    }

    private init(storage: [UInt8], range: Range<Int>, origin: UInt64) {
        self.storage = storage
        self.range = range
        self.origin = origin
    }

    public var count: Int { range.count }
    public var isEmpty: Bool { range.isEmpty }

    /// The bytes as an array slice of the shared storage.
    public var slice: ArraySlice<UInt8> { storage[range] }

    /// A copy of the bytes.
    public var array: [UInt8] { Array(slice) }

    /// The sub-run of `count` bytes at `offset`.
    ///
    /// - Throws: `truncated` when it does not lie wholly inside.
    public func sub(
        at offset: UInt64, count: UInt64, in structure: String, field: String? = nil
    ) throws(FormatFault) -> Bytes {
        let available = UInt64(range.count)
        guard offset <= available, count <= available - offset else {
            throw FormatFault(
                .truncated, at: place(offset), in: structure, field: field, value: count,
                limit: offset <= available ? available - offset : 0)
        }
        // Both fit in Int: they are at most `range.count`.
        let start = range.lowerBound + Int(offset)
        return Bytes(storage: storage, range: start..<(start + Int(count)), origin: place(offset))
    }

    /// Everything from `offset` on; empty at or past the end.
    public func suffix(from offset: UInt64) -> Bytes {
        let start = range.lowerBound + Int(min(offset, UInt64(range.count)))
        return Bytes(storage: storage, range: start..<range.upperBound, origin: place(offset))
    }

    /// An unsigned integer of the given width and byte order.
    ///
    /// - Throws: `truncated` when it does not lie wholly inside.
    public func integer<Integer: FixedWidthInteger & UnsignedInteger>(
        at offset: UInt64, as type: Integer.Type = Integer.self, order: ByteOrder = .big, in structure: String,
        field: String? = nil
    ) throws(FormatFault) -> Integer {
        let width = UInt64(Integer.bitWidth / 8)
        let available = UInt64(range.count)
        guard offset <= available, width <= available - offset else {
            throw FormatFault(.truncated, at: place(offset), in: structure, field: field, limit: place(available))
        }
        var value: Integer = 0
        let start = range.lowerBound + Int(offset)
        for index in 0..<Int(width) {
            let byte = storage[start + (order == .big ? index : Int(width) - 1 - index)]
            value = (value << 8) | Integer(byte)
        }
        return value
    }

    /// The bytes from `offset` up to the next zero byte.
    ///
    /// - Throws: `badOffset` when `offset` is outside, `unterminated` when no zero byte follows.
    public func terminatedText(at offset: UInt64, in structure: String, field: String) throws(FormatFault) -> [UInt8] {
        guard offset < UInt64(range.count) else {
            throw FormatFault(
                .badOffset, at: origin, in: structure, field: field, value: offset, limit: UInt64(range.count))
        }
        let tail = storage[(range.lowerBound + Int(offset))..<range.upperBound]
        guard let end = tail.firstIndex(of: 0) else {
            throw FormatFault(.unterminated, at: place(offset), in: structure, field: field)
        }
        return Array(tail[..<end])
    }

    /// A name in a field of fixed width, ended by its first zero byte or the width.
    public func fixedText(at offset: UInt64, width: UInt64, in structure: String) throws(FormatFault) -> String {
        let field = try sub(at: offset, count: width, in: structure)
        return String(decoding: field.slice.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Offset in the file of a byte of this run. Saturates: an offset that large is only ever printed.
    public func place(_ offset: UInt64) -> UInt64 {
        let (sum, overflow) = origin.addingReportingOverflow(offset)
        return overflow ? .max : sum
    }
}

extension Bytes: Hashable {
    public static func == (left: Bytes, right: Bytes) -> Bool {
        left.origin == right.origin && left.slice == right.slice
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        hasher.combine(slice)
    }
}

/// The order of the bytes of an integer.
public enum ByteOrder: Hashable, Sendable {
    case big
    case little
}
