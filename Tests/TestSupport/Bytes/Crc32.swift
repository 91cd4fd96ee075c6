/// CRC-32 as archives use it (polynomial 0xEDB88320, reflected).
enum Crc32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let value = table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { buffer in
                var value: UInt32 = 0xFFFF_FFFF
                for byte in buffer {
                    value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8)
                }
                return value
            }
        }
        return ~value
    }
}
