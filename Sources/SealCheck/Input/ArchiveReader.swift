internal import CLibDeflate

/// Reads the entries of an ``ArchiveTree``.
///
/// Entries up to ``Limits/wholeEntryBytes`` are read in one call and inflated whole, which is twice as fast as any
/// stream; their size and CRC-32 have been checked before they are handed out. Larger ones are read in place when they
/// are stored, else inflated in pieces by libzip, and checked at the end. libzip is opened by the first entry that needs
/// it: it costs a second listing of the archive for each reader.
///
/// A reader keeps the memory of the largest entry that it has read: up to twice ``Limits/wholeEntryBytes``.
final class ArchiveReader: EntryReader {
    private let archive: ArchiveTree.Archive
    private var input = RecycledBuffer()
    private var output = RecycledBuffer()
    private var inflater: Inflater?
    private var libzip: LibZip?

    init(_ archive: ArchiveTree.Archive) { self.archive = archive }

    func linkTarget(of entry: TreeEntry) throws(ReadFault) -> [UInt8] {
        guard entry.kind == .symbolicLink else { throw .notAFile }
        let (record, offset, _) = try located(entry)
        try archive.limits.check(link: record.size)
        let contents = try whole(record, at: offset, mode: nil)
        return Array(contents.all)
    }

    func open(_ entry: TreeEntry) throws(ReadFault) -> any EntryContents {
        guard entry.kind == .file else { throw .notAFile }
        let (record, offset, index) = try located(entry)
        let limit = archive.limits.wholeEntryBytes
        if record.size <= limit, record.compressedSize <= limit {
            return try whole(record, at: offset, mode: entry.mode)
        }
        let buffer = RecycledBuffer.recycle(&output)
        if record.method == ZipRecord.stored {
            return StoredContents(archive.file, record, at: offset, mode: entry.mode, buffer)
        }
        return StreamedContents(archive.file, record, index: index, mode: entry.mode, try streamer(), buffer)
    }

    private func wholeInflater() throws(ReadFault) -> Inflater {
        if let inflater { return inflater }
        let inflater = try Inflater()
        self.inflater = inflater
        return inflater
    }

    private func streamer() throws(ReadFault) -> LibZip {
        if let libzip { return libzip }
        let libzip = try LibZip(archive.file)
        self.libzip = libzip
        return libzip
    }

    /// The record of `entry` and where its contents begin, after everything that can be told without reading them.
    private func located(_ entry: TreeEntry) throws(ReadFault) -> (record: ZipRecord, offset: UInt64, index: Int) {
        guard let index = Int(exactly: entry.handle), archive.records.indices.contains(index) else { throw .notAFile }
        let record = archive.records[index]
        if record.isEncrypted { throw .encrypted }
        if record.isPatch { throw .damaged("it is a patch to contents that are not there") }
        try archive.limits.check(file: record.size)
        switch record.method {
        case ZipRecord.stored:
            if record.compressedSize != record.size { throw .sizeMismatch(declared: record.size) }
        case ZipRecord.deflated:
            let (most, overflow) = record.compressedSize.multipliedReportingOverflow(by: archive.limits.inflateRatio)
            if !overflow, record.size > most {
                throw .exceeded(
                    "times its compressed size in an entry", record.size / max(record.compressedSize, 1),
                    archive.limits.inflateRatio)
            }
        default:
            throw .method(record.method)
        }
        guard let offset = archive.contentOffsets[index] else {
            throw .damaged("its contents are not where the archive's directory says")
        }
        return (record, offset, index)
    }

    /// Reads an entry into memory.
    private func whole(
        _ record: ZipRecord, at offset: UInt64, mode: UInt16?
    ) throws(ReadFault) -> MemoryContents {
        guard let size = Int(exactly: record.size), let compressedSize = Int(exactly: record.compressedSize) else {
            throw .damaged("its size is impossible")
        }
        let buffer = RecycledBuffer.recycle(&output)
        let bytes = buffer.bytes(size)
        if record.method == ZipRecord.stored {
            try archive.file.fill(bytes, at: offset)
        } else {
            let compressed = input.bytes(compressedSize)
            try archive.file.fill(compressed, at: offset)
            let inflater = try wholeInflater()
            do throws(ReadFault) {
                try inflater.inflate(UnsafeRawBufferPointer(compressed), to: bytes)
            } catch {
                throw archive.file.explain(error)
            }
        }
        if libdeflate_crc32(0, bytes.baseAddress, bytes.count) != record.checksum {
            throw archive.file.explain(.checksumMismatch)
        }
        return MemoryContents(buffer, size: size, mode: mode)
    }
}

extension ZipRecord {
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
    static let winZipAES: UInt16 = 99
}

/// Inflates whole buffers.
private final class Inflater {
    private let state: OpaquePointer

    init() throws(ReadFault) {
        guard let state = libdeflate_alloc_decompressor() else { throw .damaged("no memory to inflate it") }
        self.state = state
    }

    deinit { libdeflate_free_decompressor(state) }

    /// Inflates `input`, which has to fill `output` exactly.
    ///
    /// Bytes after the end of the compressed stream are left alone, as every other reader does; they are contents of
    /// nothing.
    ///
    /// - Throws: ``ReadFault/sizeMismatch(declared:)``, ``ReadFault/damaged(_:)``.
    func inflate(_ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer) throws(ReadFault) {
        var actual = 0
        let result = libdeflate_deflate_decompress(
            state, input.baseAddress, input.count, output.baseAddress, output.count, &actual)
        switch result {
        case LIBDEFLATE_SUCCESS where actual == output.count: return
        case LIBDEFLATE_SUCCESS, LIBDEFLATE_SHORT_OUTPUT, LIBDEFLATE_INSUFFICIENT_SPACE:
            throw .sizeMismatch(declared: UInt64(output.count))
        default: throw .damaged("its compressed data are invalid")
        }
    }
}
