/// Makes raw deflate streams.
///
/// The tests need streams that a real inflater accepts, not good compression: ``stored(_:)`` never compresses, and
/// ``compressed(_:)`` finds repeats with one hash table and writes them with the fixed codes of RFC 1951.
enum Deflate {
    /// `bytes` in uncompressed blocks of up to 65,535 bytes.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream = ByteBuilder(.little)
        var start = 0
        repeat {
            let length = min(0xFFFF, bytes.count - start)
            let isLast = start + length == bytes.count
            stream.append(UInt8(isLast ? 1 : 0))
            stream.append(UInt16(length))
            stream.append(~UInt16(length))
            stream.append(bytes[start..<start + length])
            start += length
        } while start < bytes.count
        return stream.bytes
    }

    /// `bytes` as one block with the fixed Huffman codes.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0b011, count: 3)  // the last block; fixed codes
        var recent = [Int](repeating: -1, count: 1 << 13)
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let length = match(in: bytes, at: index, &recent)
                if let (distance, length) = length {
                    bits.appendMatch(length: length, distance: distance)
                    index += length
                } else {
                    bits.appendLiteral(Int(bytes[index]))
                    index += 1
                }
            }
        }
        bits.appendLiteral(256)
        return bits.finished()
    }

    /// The latest earlier place with the same three bytes, if it is near enough, and how far it goes on being the same.
    private static func match(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ recent: inout [Int]
    ) -> (distance: Int, length: Int)? {
        guard index + 3 <= bytes.count else { return nil }
        let key = (Int(bytes[index]) << 7 ^ Int(bytes[index + 1]) << 4 ^ Int(bytes[index + 2])) & 0x1FFF
        let candidate = recent[key]
        recent[key] = index
        guard candidate >= 0, index - candidate <= 0x8000 else { return nil }
        var length = 0
        let limit = min(258, bytes.count - index)
        while length < limit, bytes[candidate + length] == bytes[index + length] { length += 1 }
        return length >= 3 ? (index - candidate, length) : nil
    }
}

/// Packs bits into bytes, the lowest bit first.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    mutating func append(_ value: Int, count: Int) {
        pending |= UInt64(value) << UInt64(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    /// Huffman codes go in with their highest bit first.
    mutating func appendCode(_ code: Int, count: Int) {
        var reversed = 0
        for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
        append(reversed, count: count)
    }

    /// A literal byte, the end mark 256, or a length code, in the fixed code of RFC 1951 3.2.6.
    mutating func appendLiteral(_ symbol: Int) {
        switch symbol {
        case ..<144: appendCode(0x30 + symbol, count: 8)
        case ..<256: appendCode(0x190 + symbol - 144, count: 9)
        case ..<280: appendCode(symbol - 256, count: 7)
        default: appendCode(0xC0 + symbol - 280, count: 8)
        }
    }

    mutating func appendMatch(length: Int, distance: Int) {
        let lengthCode = Self.lengthBases.lastIndex { $0 <= length } ?? 0
        let lengthExtra = lengthCode < 8 || lengthCode == 28 ? 0 : lengthCode / 4 - 1
        appendLiteral(257 + lengthCode)
        append(length - Self.lengthBases[lengthCode], count: lengthExtra)
        let distanceCode = Self.distanceBases.lastIndex { $0 <= distance } ?? 0
        appendCode(distanceCode, count: 5)
        append(distance - Self.distanceBases[distanceCode], count: max(0, distanceCode / 2 - 1))
    }

    mutating func finished() -> [UInt8] {
        append(0, count: (8 - pendingCount) % 8)
        return bytes
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
}
