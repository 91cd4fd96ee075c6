/// What the local headers say, compared with the directory.
///
/// A reader that has the whole file goes by the central directory; an installer that unpacks while it receives goes by
/// the headers in front of the contents. An archive in which the two differ is two archives, of which a verifier that
/// looks at one lets the other pass. So all headers are read once while the archive is listed, in the order in which
/// they lie in the file: some microseconds for each entry, and a header that lies is found even where nobody reads the
/// contents. Where the contents begin is learnt on the way.
struct ZipLocalHeaders {
    /// Where the contents of each record begin, in the order of the records; nil where there is no local header, or the
    /// contents do not end before the directory.
    private(set) var contentOffsets: [UInt64?]
    private(set) var faults: [TreeFault] = []

    private let file: ArchiveFile
    private let directoryOffset: UInt64
    private let buffer = RecycledBuffer()

    /// Bytes in front of the name.
    private static let headerSize = 30

    /// - Throws: what reading throws; a header that is not there is a fault.
    init(of directory: ZipDirectory, in file: ArchiveFile) throws(ReadFault) {
        self.file = file
        self.directoryOffset = directory.offset
        contentOffsets = Array(repeating: nil, count: directory.records.count)

        let order = directory.records.enumerated().sorted {
            ($0.element.headerOffset, $0.offset) < ($1.element.headerOffset, $1.offset)
        }
        // The end of everything seen so far, and the size of a data descriptor that may follow it.
        var end: UInt64 = 0
        var mayHaveDescriptor = false
        for (index, record) in order {
            if record.headerOffset < end {
                faults.append(TreeFault(kind: .overlappingEntries, name: record.name))
            } else if record.headerOffset > end {
                try lookForUnlisted(
                    from: end, to: min(record.headerOffset, directory.offset), afterDescriptor: mayHaveDescriptor)
            }
            guard let header = try header(of: record) else {
                faults.append(TreeFault(kind: .localHeaderDiffers(.position), name: record.name))
                continue
            }
            if let field = header.difference(from: record) {
                faults.append(TreeFault(kind: .localHeaderDiffers(field), name: record.name))
            }
            let (contentEnd, overflow) = header.contentOffset.addingReportingOverflow(record.compressedSize)
            if overflow || contentEnd > directory.offset { continue }
            contentOffsets[index] = header.contentOffset
            if header.leavesItToDescriptor(record), try !hasDescriptor(at: contentEnd, of: record) {
                faults.append(TreeFault(kind: .localHeaderDiffers(.descriptor), name: record.name))
            }
            if contentEnd >= end {
                end = contentEnd
                mayHaveDescriptor = record.hasDataDescriptor
            }
        }
        if end < directory.offset {
            try lookForUnlisted(from: end, to: directory.offset, afterDescriptor: mayHaveDescriptor)
        }
    }

    /// Reads the local header of `record`; nil when there is none.
    private func header(of record: ZipRecord) throws(ReadFault) -> ZipLocalHeader? {
        guard record.headerOffset < directoryOffset else { return nil }
        let available = directoryOffset - record.headerOffset
        // Room for the extra fields that nearly every packer writes; more is read when it is needed.
        let count = min(UInt64(Self.headerSize + record.name.count + 64), available)
        let header = try header(at: record.headerOffset, count: Int(count), expecting: record.name)
        guard let header, header.isCutOff else { return header }
        guard UInt64(header.count) <= available else { return nil }
        return try self.header(at: record.headerOffset, count: header.count, expecting: record.name)
    }

    private func header(
        at offset: UInt64, count: Int, expecting name: [UInt8]
    ) throws(ReadFault) -> ZipLocalHeader? {
        let bytes = buffer.bytes(count)
        try file.fill(bytes, at: offset)
        return try ZipLocalHeader(UnsafeRawBufferPointer(bytes), at: offset, expecting: name)
    }

    /// Whether a data descriptor that tells what the directory tells stands at `offset` (APPNOTE 4.3.9): with or without a
    /// signature, with sizes of four or eight bytes.
    private func hasDescriptor(at offset: UInt64, of record: ZipRecord) throws(ReadFault) -> Bool {
        let bytes = buffer.bytes(Int(min(directoryOffset - offset, 24)))
        try file.fill(bytes, at: offset)
        let whole = UnsafeRawBufferPointer(bytes)
        for start in [4, 0] where start < whole.count {
            var fields = ZipFields(UnsafeRawBufferPointer(rebasing: whole[start...]), of: "data descriptor")
            guard (try? fields.next(UInt32.self)) == record.checksum else { continue }
            var wide = fields
            if (try? fields.next(UInt32.self)).map(UInt64.init) == record.compressedSize,
                (try? fields.next(UInt32.self)).map(UInt64.init) == record.size
            {
                return true
            }
            if (try? wide.next(UInt64.self)) == record.compressedSize, (try? wide.next(UInt64.self)) == record.size {
                return true
            }
        }
        return false
    }

    /// Adds a fault when a local header that no record points to begins where an entry's contents end.
    ///
    /// Other bytes between entries are nobody's entry and harm nobody: alignment, a signing block, a stub in front.
    private mutating func lookForUnlisted(
        from start: UInt64, to end: UInt64, afterDescriptor: Bool
    ) throws(ReadFault) {
        // A descriptor has 12 bytes, 8 more with zip64 sizes, and 4 more with a signature.
        for skip in afterDescriptor ? [0, 12, 16, 20, 24] : [0 as UInt64] {
            guard end - start >= skip + UInt64(Self.headerSize) else { return }
            let offset = start + skip
            let count = Int(min(end - offset, UInt64(Self.headerSize) + 4_096))
            guard let header = try header(at: offset, count: count, expecting: []) else { continue }
            faults.append(TreeFault(kind: .unlistedEntry, name: header.otherName ?? []))
            return
        }
    }
}

/// One local header (APPNOTE 4.3.7).
private struct ZipLocalHeader {
    /// The name, or the one in a Unicode path field, where it is not the expected one.
    let otherName: [UInt8]?
    let contentOffset: UInt64
    /// The size of the whole header.
    let count: Int
    /// Whether there were too few bytes to read it all. The name and the sizes are not to be trusted then.
    let isCutOff: Bool
    private let flags: UInt16
    private let method: UInt16
    private let checksum: UInt32
    private let compressedSize: UInt64
    private let size: UInt64

    /// Reads the header at `offset` from `bytes`. Nil when it is no header.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, expecting name: [UInt8]) throws(ReadFault) {
        var fields = ZipFields(bytes, of: "local header")
        guard bytes.count >= 30, try fields.next(UInt32.self) == ZipSignature.localHeader else { return nil }
        _ = try fields.next(UInt16.self)  // version needed
        flags = try fields.next()
        method = try fields.next()
        _ = try fields.next(UInt32.self)  // time and date
        checksum = try fields.next()
        let compressedSize: UInt32 = try fields.next()
        let size: UInt32 = try fields.next()
        let nameCount = Int(try fields.next(UInt16.self))
        let extraCount = Int(try fields.next(UInt16.self))
        count = 30 + nameCount + extraCount
        isCutOff = count > bytes.count
        contentOffset = offset + UInt64(count)

        let actualName = try fields.take(min(nameCount, fields.count))

        // Sizes that do not fit are in the zip64 field; both have to be, in this order (APPNOTE 4.5.3).
        let extra = ZipExtraFields(try fields.take(min(extraCount, fields.count)))
        otherName =
            actualName.elementsEqual(name) ? ZipRecord.unicodeName(extra.unicodePath, for: name) : Array(actualName)
        var wide = ZipFields(extra.zip64, of: "zip64 field of the local header")
        let wideSize = try? wide.next(UInt64.self)
        let wideCompressedSize = try? wide.next(UInt64.self)
        self.size = size == .max ? wideSize ?? .max : UInt64(size)
        self.compressedSize = compressedSize == .max ? wideCompressedSize ?? .max : UInt64(compressedSize)
    }

    /// Whether a reader that goes by the headers learns what this one leaves out from a data descriptor.
    func leavesItToDescriptor(_ record: ZipRecord) -> Bool {
        flags & 0x0008 != 0
            && (checksum != record.checksum || size != record.size || compressedSize != record.compressedSize)
    }

    /// The first field that tells another story than the directory, or nil.
    func difference(from record: ZipRecord) -> TreeFault.LocalField? {
        // A second name that the directory has as well is a fault of its own.
        if otherName != nil, otherName != record.alternativeName { return .name }
        if method != record.method { return .method }
        if flags & ZipRecord.contentFlags != record.flags & ZipRecord.contentFlags { return .encryption }
        // With a data descriptor the fields are zero by the book. Info-ZIP has the right values there all the same, and
        // Apple's Archive Utility only the compressed size.
        let mayBeZero = flags & 0x0008 != 0
        func differs<Number: FixedWidthInteger>(_ value: Number, _ recorded: Number) -> Bool {
            value != recorded && !(mayBeZero && value == 0)
        }
        if differs(checksum, record.checksum) { return .checksum }
        if differs(size, record.size) || differs(compressedSize, record.compressedSize) { return .size }
        return nil
    }
}
