/// Edits of finished bytes, for tests that damage a good file at one known place.
///
/// Every one of them throws when the place lies outside: a fault that was not put in must not look like one that the
/// product failed to see.
extension Array where Element == UInt8 {
    /// Flips the bits of `mask` in the byte at `offset`.
    public mutating func flipByte(at offset: Int, mask: UInt8 = 0x01) throws {
        try checkRange(offset, 1)
        self[offset] ^= mask
    }

    /// Overwrites the bytes from `offset` on; the count stays the same.
    public mutating func overwrite(at offset: Int, with replacement: some Collection<UInt8>) throws {
        try checkRange(offset, replacement.count)
        replaceSubrange(offset..<offset + replacement.count, with: replacement)
    }

    /// Stores `value` at `offset` in the given byte order.
    public mutating func store(_ value: some FixedWidthInteger, at offset: Int, _ endian: Endian) throws {
        try overwrite(at: offset, with: value.bytes(endian))
    }

    /// The number of type `type` at `offset` in the given byte order.
    public func load<Number: FixedWidthInteger>(
        _ type: Number.Type, at offset: Int, _ endian: Endian
    ) throws -> Number {
        let width = Number.bitWidth / 8
        try checkRange(offset, width)
        var value: Number = 0
        for index in 0..<width {
            let byte = self[offset + (endian == .big ? index : width - 1 - index)]
            value = width == 1 ? Number(truncatingIfNeeded: byte) : (value << 8) | Number(truncatingIfNeeded: byte)
        }
        return value
    }

    func checkRange(_ offset: Int, _ length: Int) throws {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            throw BuildError("\(length) bytes at \(offset) lie outside the \(count) bytes to be edited")
        }
    }
}
