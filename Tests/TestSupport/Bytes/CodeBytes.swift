import Synchronization

/// Bytes that stand in for code and resources.
public enum CodeBytes {
    private struct Key: Hashable {
        let count: Int
        let seed: UInt64
    }

    /// What was made so far: the tables of tests build the same few images thousands of times.
    private static let made = Mutex<[Key: [UInt8]]>([:])

    /// `count` bytes that look random and are the same each time; another `seed` gives others.
    ///
    /// No two pages of them are alike, so a page hash put in the wrong slot cannot go unnoticed.
    public static func make(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        let key = Key(count: count, seed: seed)
        if let bytes = made.withLock({ $0[key] }) { return bytes }
        let bytes = generate(count, seed: seed)
        made.withLock { $0[key] = bytes }
        return bytes
    }

    private static func generate(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let words = (0..<(count + 7) / 8).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state.littleEndian
        }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }
}
