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

    /// The images of a file, in the order of the table.
    public static func images(_ file: [UInt8]) throws -> [SignedImage] {
        try slices(file).map { try SignedImage(Array(file[$0])) }
    }

    /// For each slice, the cdhash of each CodeDirectory, in ascending order of hash type.
    public static func cdhashes(_ file: [UInt8]) throws -> [[[UInt8]]] {
        try images(file).map { try $0.directories().sorted { $0.hash < $1.hash }.map(\.cdhash) }
    }

    /// For each slice, the cdhash of the CodeDirectory that rules: SHA-384, SHA-256, SHA-256 truncated, SHA-1 is the
    /// order of preference.
    public static func rulingCDHashes(_ file: [UInt8]) throws -> [[UInt8]] {
        let preference: [Sha] = [.sha384, .sha256, .sha256Truncated, .sha1]
        return try images(file).map { image in
            let directories = try image.directories()
            for hash in preference {
                if let ruling = directories.first(where: { $0.hash == hash }) { return ruling.cdhash }
            }
            throw BuildError("no CodeDirectory that rules")
        }
    }

    /// Edits one slice, or every slice when `index` is nil. A universal file is laid out anew when a size changed, with
    /// nothing in it but its slices.
    public static func edit(
        _ file: inout [UInt8], slice index: Int? = nil, _ body: (inout SignedImage) throws -> Void
    ) throws {
        let ranges = try slices(file)
        if let index, !ranges.indices.contains(index) { throw BuildError("the file has no slice \(index)") }
        var images = try Self.images(file)
        for position in images.indices where index == nil || index == position { try body(&images[position]) }
        if ranges.count == 1, let range = ranges.first, range == 0..<file.count, let image = images.first {
            file = image.bytes
        } else if zip(ranges, images).allSatisfy({ $0.count == $1.bytes.count }) {
            for (range, image) in zip(ranges, images) { file.replaceSubrange(range, with: image.bytes) }
        } else {
            file = UniversalBuilder(
                try images.map { image in
                    let type = UInt32(try image.load32(4))
                    let is4K = [CPU.x86_64, .i386, .ppc, .ppc64].contains { $0.type == type }
                    return .init(
                        CPU(
                            type: type, subtype: UInt32(try image.load32(8)), is64Bit: image.is64Bit,
                            endian: image.endian, alignment: is4K ? 12 : 14), image.bytes)
                }
            ).build()
        }
    }
}
