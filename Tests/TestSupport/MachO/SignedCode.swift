/// A reader of finished code, just good enough for what this library built itself.
///
/// It knows nothing of the product's reader on purpose: a mistake in one must not hide in the other.
public enum SignedCode {
    /// The ranges of the images in a file, in the order of the table: one range over everything for a thin file.
    public static func slices(_ file: [UInt8]) throws -> [Range<Int>] {
        let magic = try file.load(UInt32.self, at: 0, .big)
        guard magic == UniversalBuilder.magic32 || magic == UniversalBuilder.magic64 else { return [0..<file.count] }
        let is64 = magic == UniversalBuilder.magic64
        return try (0..<Int(try file.load(UInt32.self, at: 4, .big))).map { index in
            let entry = 8 + index * (is64 ? 32 : 20)
            let (offset, size): (UInt64, UInt64) =
                is64
                ? (try file.load(UInt64.self, at: entry + 8, .big), try file.load(UInt64.self, at: entry + 16, .big))
                : (
                    UInt64(try file.load(UInt32.self, at: entry + 8, .big)),
                    UInt64(try file.load(UInt32.self, at: entry + 12, .big))
                )
            try file.checkRange(Int(offset), Int(size))
            return Int(offset)..<Int(offset + size)
        }
    }

    /// For each slice, the cdhash of each CodeDirectory, in ascending order of hash type. The ruling one is the last.
    public static func cdhashes(_ file: [UInt8]) throws -> [[[UInt8]]] {
        try slices(file).map { range in
            let image = try SignedImage(Array(file[range]))
            return try image.directories().sorted { $0.hash < $1.hash }.map(\.cdhash)
        }
    }
}
