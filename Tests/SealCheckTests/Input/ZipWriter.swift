/// Writes ZIP archives for tests, right or wrong in every field.
///
/// Shares no code with the product: its CRC, its deflate and its idea of the format are its own.
struct ZipWriter {
    struct Entry {
        var name: [UInt8]
        var contents: [UInt8]
        var isDeflated = false
        /// `st_mode`, for the upper half of the external attributes.
        var mode: UInt32 = 0o100644
        var host: UInt16 = 3
        var flags: UInt16 = 0
        var extra: [UInt8] = []
        var localExtra: [UInt8] = []
        /// Writes sizes and offset into a zip64 field, and all ones where they belong.
        var isZip64 = false
        /// Writes zeros into the local header and the sizes behind the contents; nil: no descriptor.
        var descriptor: Descriptor?

        // What the archive says instead of the truth.
        var localName: [UInt8]?
        var method: UInt16?
        var localMethod: UInt16?
        var checksum: UInt32?
        var size: UInt64?
        var localSize: UInt64?
        var compressedSize: UInt64?
        var headerOffset: UInt64?
        /// Leaves the entry out of the directory.
        var isUnlisted = false
        /// Bytes that stand in front of the local header.
        var gap: [UInt8] = []

        enum Descriptor { case signed, unsigned, signedZip64 }

        init(_ name: String, _ contents: String = "", mode: UInt32 = 0o100644) {
            self.init(Array(name.utf8), Array(contents.utf8), mode: mode)
        }

        init(_ name: [UInt8], _ contents: [UInt8], mode: UInt32 = 0o100644) {
            self.name = name
            self.contents = contents
            self.mode = name.last == UInt8(ascii: "/") && mode == 0o100644 ? 0o040755 : mode
        }

        static func link(_ name: String, to target: String) -> Entry { Entry(name, target, mode: 0o120755) }

        func deflated() -> Entry { with { $0.isDeflated = true } }

        func with(_ change: (inout Entry) -> Void) -> Entry {
            var copy = self
            change(&copy)
            return copy
        }
    }

    var entries: [Entry]
    var comment: [UInt8] = []
    var prefix: [UInt8] = []
    var hasZip64EndRecord = false
    /// What the end record says instead of the truth.
    var entryCount: UInt64?

    init(_ entries: [Entry]) { self.entries = entries }

    static func archive(_ entries: Entry...) -> [UInt8] { ZipWriter(entries).bytes() }

    func bytes() -> [UInt8] {
        var out = prefix
        var directory: [UInt8] = []
        var listed: UInt64 = 0
        for entry in entries {
            out += entry.gap
            let offset = entry.headerOffset ?? UInt64(out.count)
            let data = entry.isDeflated ? deflate(entry.contents) : entry.contents
            let method = entry.method ?? (entry.isDeflated ? 8 : 0)
            let checksum = entry.checksum ?? crc32(entry.contents)
            let size = entry.size ?? UInt64(entry.contents.count)
            let compressedSize = entry.compressedSize ?? UInt64(data.count)
            let flags = entry.flags | (entry.descriptor == nil ? 0 : 8)
            let hidden = entry.descriptor != nil

            let localSize = entry.localSize ?? size
            var localExtra = entry.localExtra
            if entry.isZip64 {
                localExtra += le16(1) + le16(16) + le64(hidden ? 0 : localSize) + le64(hidden ? 0 : compressedSize)
            }
            let localName = entry.localName ?? entry.name
            out += le32(0x0403_4B50) + le16(entry.isZip64 ? 45 : 20) + le16(flags)
            out += le16(entry.localMethod ?? method) + le32(0x5A21_0000) + le32(hidden ? 0 : checksum)
            out +=
                entry.isZip64
                ? le32(.max) + le32(.max)
                : hidden
                    ? le32(0) + le32(0)
                    : le32(UInt32(truncatingIfNeeded: compressedSize)) + le32(UInt32(truncatingIfNeeded: localSize))
            out += le16(UInt16(localName.count)) + le16(UInt16(localExtra.count)) + localName + localExtra + data
            switch entry.descriptor {
            case .signed: out += le32(0x0807_4B50) + le32(checksum) + le32(UInt32(compressedSize)) + le32(UInt32(size))
            case .unsigned: out += le32(checksum) + le32(UInt32(compressedSize)) + le32(UInt32(size))
            case .signedZip64: out += le32(0x0807_4B50) + le32(checksum) + le64(compressedSize) + le64(size)
            case nil: break
            }

            if entry.isUnlisted { continue }
            listed += 1
            var extra = entry.extra
            if entry.isZip64 { extra += le16(1) + le16(24) + le64(size) + le64(compressedSize) + le64(offset) }
            directory += le32(0x0201_4B50) + le16(entry.host << 8 | 30) + le16(entry.isZip64 ? 45 : 20) + le16(flags)
            directory += le16(method) + le32(0x5A21_0000) + le32(checksum)
            directory +=
                entry.isZip64
                ? le32(.max) + le32(.max)
                : le32(UInt32(truncatingIfNeeded: compressedSize)) + le32(UInt32(truncatingIfNeeded: size))
            directory += le16(UInt16(entry.name.count)) + le16(UInt16(extra.count)) + le16(0) + le16(0) + le16(0)
            directory += le32(entry.mode << 16) + le32(entry.isZip64 ? .max : UInt32(offset)) + entry.name + extra
        }
        let offset = UInt64(out.count)
        out += directory
        let count = entryCount ?? listed
        if hasZip64EndRecord {
            let record = UInt64(out.count)
            out += le32(0x0606_4B50) + le64(44) + le16(45) + le16(45) + le32(0) + le32(0)
            out += le64(count) + le64(count) + le64(UInt64(directory.count)) + le64(offset)
            out += le32(0x0706_4B50) + le32(0) + le64(record) + le32(1)
            out += le32(0x0605_4B50) + le16(0) + le16(0) + le16(.max) + le16(.max) + le32(.max) + le32(.max)
        } else {
            out +=
                le32(0x0605_4B50) + le16(0) + le16(0) + le16(UInt16(truncatingIfNeeded: count))
                + le16(UInt16(truncatingIfNeeded: count))
            out += le32(UInt32(directory.count)) + le32(UInt32(offset))
        }
        return out + le16(UInt16(comment.count)) + comment
    }
}

func le16(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
func le32(_ value: UInt32) -> [UInt8] { le16(UInt16(value & 0xFFFF)) + le16(UInt16(value >> 16)) }
func le64(_ value: UInt64) -> [UInt8] { le32(UInt32(value & 0xFFFF_FFFF)) + le32(UInt32(value >> 32)) }

private let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
}

func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes { crc = crc >> 8 ^ crcTable[Int((crc ^ UInt32(byte)) & 0xFF)] }
    return ~crc
}

/// Deflates without compressing, except that a run of one byte becomes a run: enough to be a real stream, and enough to
/// make a bomb.
func deflate(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.count > 1_000, Set(bytes).count == 1, let byte = bytes.first, byte < 144 {
        return deflateRun(byte, bytes.count)
    }
    var out: [UInt8] = []
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(65_535)
        rest = rest.dropFirst(65_535)
        out.append(rest.isEmpty ? 1 : 0)
        out += le16(UInt16(block.count)) + le16(~UInt16(block.count)) + block
    } while !rest.isEmpty
    return out
}

/// One block of the fixed code (RFC 1951, 3.2.6): the byte, then matches at distance 1.
func deflateRun(_ byte: UInt8, _ count: Int) -> [UInt8] {
    var out: [UInt8] = []
    var bits: UInt32 = 0
    var used: UInt32 = 0
    func flush() {
        while used >= 8 {
            out.append(UInt8(bits & 0xFF))
            bits >>= 8
            used -= 8
        }
    }
    /// Numbers go in from their lowest bit, codes from their highest.
    func number(_ value: UInt32, _ width: UInt32) {
        bits |= value << used
        used += width
        flush()
    }
    func code(_ value: UInt32, _ width: UInt32) {
        for bit in (0..<width).reversed() { number(value >> bit & 1, 1) }
    }
    func literal() { code(0x30 + UInt32(byte), 8) }
    number(1, 1)
    number(1, 2)
    literal()
    var left = count - 1
    while left >= 258 {
        code(0b1100_0101, 8)
        code(0, 5)
        left -= 258
    }
    for _ in 0..<left { literal() }
    code(0, 7)
    number(0, 7)
    return out
}
