internal import CLibDeflate

/// An entry that is in memory, checked.
final class MemoryContents: EntryContents {
    let size: UInt64
    let mode: UInt16?
    var isSeekable: Bool { true }

    /// Everything, for as long as the contents live.
    var all: UnsafeRawBufferPointer { buffer.contents(count) }

    private let buffer: RecycledBuffer
    private let count: Int

    init(_ buffer: RecycledBuffer, size: Int, mode: UInt16?) {
        self.buffer = buffer
        self.count = size
        self.size = UInt64(size)
        self.mode = mode
    }

    func bytes(in range: Range<UInt64>) throws(ReadFault) -> [UInt8] {
        let range = range.clamped(to: 0..<size)
        return Array(all.dropFirst(Int(range.lowerBound)).prefix(Int(range.upperBound - range.lowerBound)))
    }

    func forEachChunk(
        _ body: (UnsafeRawBufferPointer, _ offset: UInt64) throws(ReadFault) -> Void
    ) throws(ReadFault) {
        if count > 0 { try body(all, 0) }
    }
}

/// A stored entry, read where it lies.
final class StoredContents: EntryContents {
    var size: UInt64 { record.size }
    let mode: UInt16?
    var isSeekable: Bool { true }

    private let file: ArchiveFile
    private let record: ZipRecord
    private let offset: UInt64
    private let buffer: RecycledBuffer

    init(_ file: ArchiveFile, _ record: ZipRecord, at offset: UInt64, mode: UInt16?, _ buffer: RecycledBuffer) {
        self.file = file
        self.record = record
        self.offset = offset
        self.mode = mode
        self.buffer = buffer
    }

    func bytes(in range: Range<UInt64>) throws(ReadFault) -> [UInt8] {
        let range = range.clamped(to: 0..<size)
        guard let count = Int(exactly: range.upperBound - range.lowerBound) else { throw .notAFile }
        return count == 0 ? [] : try file.bytes(at: offset + range.lowerBound, count: count)
    }

    func forEachChunk(
        _ body: (UnsafeRawBufferPointer, _ offset: UInt64) throws(ReadFault) -> Void
    ) throws(ReadFault) {
        var position: UInt64 = 0
        var checksum: UInt32 = 0
        while position < size {
            let chunk = buffer.bytes(Int(min(size - position, UInt64(FileContents.step))))
            try file.fill(chunk, at: offset + position)
            checksum = libdeflate_crc32(checksum, chunk.baseAddress, chunk.count)
            try body(UnsafeRawBufferPointer(chunk), position)
            position += UInt64(chunk.count)
        }
        if checksum != record.checksum { throw file.explain(.checksumMismatch) }
    }
}

/// A deflated entry too large for memory, inflated in pieces.
final class StreamedContents: EntryContents {
    var size: UInt64 { record.size }
    let mode: UInt16?
    var isSeekable: Bool { false }

    private let file: ArchiveFile
    private let record: ZipRecord
    private let index: Int
    private let libzip: LibZip
    private let buffer: RecycledBuffer

    init(
        _ file: ArchiveFile, _ record: ZipRecord, index: Int, mode: UInt16?, _ libzip: LibZip,
        _ buffer: RecycledBuffer
    ) {
        self.file = file
        self.record = record
        self.index = index
        self.mode = mode
        self.libzip = libzip
        self.buffer = buffer
    }

    func bytes(in range: Range<UInt64>) throws(ReadFault) -> [UInt8] {
        let range = range.clamped(to: 0..<size)
        guard let count = Int(exactly: range.upperBound - range.lowerBound) else { throw .notAFile }
        if count == 0 { return [] }
        let stream = try libzip.stream(index, record)
        // Not the buffer of the chunks: this may be called from within a chunk.
        let buffer = RecycledBuffer()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var position: UInt64 = 0
        while position < range.upperBound {
            let chunk = try next(of: stream, upTo: range.upperBound - position, buffer)
            if chunk.isEmpty { throw file.explain(.sizeMismatch(declared: size)) }
            let skip = range.lowerBound > position ? range.lowerBound - position : 0
            bytes.append(contentsOf: chunk.dropFirst(Int(min(skip, UInt64(chunk.count)))))
            position += UInt64(chunk.count)
        }
        return bytes
    }

    func forEachChunk(
        _ body: (UnsafeRawBufferPointer, _ offset: UInt64) throws(ReadFault) -> Void
    ) throws(ReadFault) {
        let stream = try libzip.stream(index, record)
        var position: UInt64 = 0
        var checksum: UInt32 = 0
        while true {
            // One byte more than there should be, so that an entry that goes on is seen to.
            let chunk = try next(of: stream, upTo: size - position + 1, buffer)
            if chunk.isEmpty { break }
            if UInt64(chunk.count) > size - position { throw file.explain(.sizeMismatch(declared: size)) }
            checksum = libdeflate_crc32(checksum, chunk.baseAddress, chunk.count)
            try body(chunk, position)
            position += UInt64(chunk.count)
        }
        // libzip has checked the CRC at the end of the stream; this does not take its word for it.
        if position != size { throw file.explain(.sizeMismatch(declared: size)) }
        if checksum != record.checksum { throw file.explain(.checksumMismatch) }
    }

    private func next(
        of stream: LibZip.Stream, upTo count: UInt64, _ buffer: RecycledBuffer
    ) throws(ReadFault) -> UnsafeRawBufferPointer {
        let chunk = buffer.bytes(Int(min(count, UInt64(FileContents.step))))
        do throws(ReadFault) {
            let count = try stream.read(into: chunk)
            return UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: chunk.prefix(count)))
        } catch {
            throw file.explain(error)
        }
    }
}
