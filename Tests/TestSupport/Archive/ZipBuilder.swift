/// An archive, written record by record.
public struct ZipBuilder: Hashable, Sendable {
    public var entries: [ZipEntry]
    /// Bytes before the first entry, as self-extracting archives have.
    public var prefix: [UInt8] = []
    /// Whether offsets count the prefix, as they should.
    public var countsPrefix = true
    public var comment: [UInt8] = []
    /// Bytes after the end record.
    public var suffix: [UInt8] = []
    /// Writes a zip64 end record and locator although nothing needs them.
    public var isZip64 = false

    /// Fields of the end record that are written as given.
    public var entryCount: UInt64?
    public var directorySize: UInt64?
    public var directoryOffset: UInt64?
    /// Replaces the bytes of the whole central directory.
    public var directoryBytes: [UInt8]?

    public init(_ entries: [ZipEntry] = []) {
        self.entries = entries
    }

    /// The index of the first entry of that name.
    public func index(of name: RawPath) throws -> Int {
        guard let index = entries.firstIndex(where: { $0.name == name.bytes }) else {
            throw BuildError("no archive entry \(name)")
        }
        return index
    }

    /// Edits the first entry of that name.
    public mutating func edit(_ name: RawPath, _ body: (inout ZipEntry) throws -> Void) throws {
        try body(&entries[try index(of: name)])
    }

    /// The archive as bytes.
    public func build() -> [UInt8] {
        var file = ByteBuilder(.little)
        file.append(prefix)
        var directory = ByteBuilder(.little)
        var count: UInt64 = 0
        let origin = countsPrefix ? 0 : prefix.count
        for entry in entries {
            let record = Record(entry, offset: UInt64(file.count + entry.gapBefore.count - origin))
            if entry.isInBody {
                file.append(entry.gapBefore)
                file.append(record.local)
            }
            if entry.isInDirectory {
                directory.append(record.central)
                count += 1
            }
        }
        let start = UInt64(file.count - origin)
        let bytes = directoryBytes ?? directory.bytes
        file.append(bytes)
        appendEnd(
            to: &file, origin: origin, count: entryCount ?? count, size: directorySize ?? UInt64(bytes.count),
            offset: directoryOffset ?? start)
        file.append(suffix)
        return file.bytes
    }

    private func appendEnd(to file: inout ByteBuilder, origin: Int, count: UInt64, size: UInt64, offset: UInt64) {
        if isZip64 {
            let end64 = UInt64(file.count - origin)
            file.append(UInt32(0x0606_4B50))
            file.append(UInt64(44))
            file.append(UInt16(0x031E))
            file.append(UInt16(45))
            file.append(UInt32(0))
            file.append(UInt32(0))
            file.append(count)
            file.append(count)
            file.append(size)
            file.append(offset)
            file.append(UInt32(0x0706_4B50))
            file.append(UInt32(0))
            file.append(end64)
            file.append(UInt32(1))
        }
        file.append(UInt32(0x0605_4B50))
        file.append(UInt16(0))
        file.append(UInt16(0))
        let count16 = isZip64 ? 0xFFFF : UInt16(truncatingIfNeeded: count)
        file.append(count16)
        file.append(count16)
        file.append(isZip64 ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: size))
        file.append(isZip64 ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: offset))
        file.append(UInt16(truncatingIfNeeded: comment.count))
        file.append(comment)
    }
}

/// Both records of one entry.
private struct Record {
    let local: [UInt8]
    let central: [UInt8]

    init(_ entry: ZipEntry, offset: UInt64) {
        let packed =
            entry.packed
            ?? {
                switch entry.packing {
                case .stored: entry.contents
                case .deflated: Deflate.compressed(entry.contents)
                case .deflatedBlocks: Deflate.stored(entry.contents)
                }
            }()
        let fields = Fields(entry: entry, crc: Crc32.checksum(entry.contents), packed: UInt64(packed.count))
        local = fields.local(packed: packed)
        central = fields.central(offset: offset)
    }

    private struct Fields {
        let entry: ZipEntry
        let crc: UInt32
        let packed: UInt64

        var flags: UInt16 {
            (entry.isEncrypted ? 1 : 0) | (entry.hasDataDescriptor ? 8 : 0) | (entry.isUTF8 ? 0x800 : 0)
        }
        var method: UInt16 { entry.packing == .stored ? 0 : 8 }
        var neededVersion: UInt16 { entry.isZip64 ? 45 : 20 }
        var unpacked: UInt64 { UInt64(entry.contents.count) }

        func common(_ overrides: ZipEntry.Overrides, hidesSizes: Bool) -> (bytes: [UInt8], extra: [UInt8]) {
            var fields = ByteBuilder(.little)
            fields.append(neededVersion)
            fields.append(overrides.flags ?? flags)
            fields.append(overrides.method ?? method)
            fields.append(entry.time)
            fields.append(entry.date)
            fields.append(overrides.crc ?? (hidesSizes ? 0 : crc))
            let sizes = [
                overrides.compressedSize ?? (hidesSizes ? 0 : packed),
                overrides.uncompressedSize ?? (hidesSizes ? 0 : unpacked),
            ]
            for size in sizes { fields.append(entry.isZip64 ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: size)) }
            var extra = ByteBuilder(.little)
            if entry.isZip64 { for size in sizes.reversed() { extra.append(size) } }
            return (fields.bytes, extra.bytes)
        }

        func zip64Extra(_ numbers: [UInt8]) -> [UInt8] {
            if numbers.isEmpty { return [] }
            return UInt16(1).bytes(.little) + UInt16(numbers.count).bytes(.little) + numbers
        }

        func local(packed bytes: [UInt8]) -> [UInt8] {
            let (fields, numbers) = common(entry.local, hidesSizes: entry.hasDataDescriptor)
            let name = entry.local.name ?? entry.name
            let extra = zip64Extra(numbers) + entry.localExtra
            var record = ByteBuilder(.little)
            record.append(UInt32(0x0403_4B50))
            record.append(fields)
            record.append(UInt16(truncatingIfNeeded: name.count))
            record.append(UInt16(truncatingIfNeeded: extra.count))
            record.append(name)
            record.append(extra)
            record.append(bytes)
            guard entry.hasDataDescriptor else { return record.bytes }
            record.append(UInt32(0x0807_4B50))
            record.append(entry.central.crc ?? crc)
            for size in [packed, unpacked] {
                if entry.isZip64 { record.append(size) } else { record.append(UInt32(truncatingIfNeeded: size)) }
            }
            return record.bytes
        }

        func central(offset: UInt64) -> [UInt8] {
            var (fields, numbers) = common(entry.central, hidesSizes: false)
            let offset = entry.central.localOffset ?? offset
            if entry.isZip64 { numbers += offset.bytes(.little) }
            let name = entry.central.name ?? entry.name
            let extra = zip64Extra(numbers) + entry.centralExtra
            fields.insert(contentsOf: [30, entry.madeBy], at: 0)
            var record = ByteBuilder(.little)
            record.append(UInt32(0x0201_4B50))
            record.append(fields)
            record.append(UInt16(truncatingIfNeeded: name.count))
            record.append(UInt16(truncatingIfNeeded: extra.count))
            record.append(UInt16(truncatingIfNeeded: entry.comment.count))
            record.append(UInt16(0))
            record.append(UInt16(0))
            record.append(UInt32(entry.mode ?? 0) << 16 | UInt32(entry.dosAttributes))
            record.append(entry.isZip64 ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: offset))
            record.append(name)
            record.append(extra)
            record.append(entry.comment)
            return record.bytes
        }
    }
}
