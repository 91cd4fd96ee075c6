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
        // Room for the extra fields that nearly every packer writes; more is read when it is needed.
        let wanted = UInt64(Self.headerSize + record.name.count + 64)
        guard record.headerOffset < directoryOffset else { return nil }
        return try ZipLocalHeader(
            try file.bytes(
                at: record.headerOffset, count: Int(min(wanted, directoryOffset - record.headerOffset)))[...],
            at: record.headerOffset
        ) { (offset, count) throws(ReadFault) in
            guard offset <= directoryOffset, UInt64(count) <= directoryOffset - offset else { return nil }
            return try file.bytes(at: offset, count: count)[...]
        }
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
            let header = try ZipLocalHeader(try file.bytes(at: offset, count: count)[...], at: offset) { (_, _) in nil }
            guard let header else { continue }
            faults.append(TreeFault(kind: .unlistedEntry, name: header.name))
            return
        }
    }
}

/// One local header (APPNOTE 4.3.7).
private struct ZipLocalHeader {
    let name: [UInt8]
    let contentOffset: UInt64
    private let flags: UInt16
    private let method: UInt16
    private let checksum: UInt32
    private let compressedSize: UInt64
    private let size: UInt64

    /// Reads the header at `offset` from `bytes`, which may end before its name or extra fields do: then `more` is asked
    /// for a part of the archive. Nil when it is no header, or is cut off.
    init?(
        _ bytes: ArraySlice<UInt8>, at offset: UInt64,
        more: (_ offset: UInt64, _ count: Int) throws(ReadFault) -> ArraySlice<UInt8>?
    ) throws(ReadFault) {
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
        var rest = fields.rest
        if rest.count < nameCount + extraCount {
            guard let all = try more(offset + 30, nameCount + extraCount) else { return nil }
            rest = all
        }
        name = Array(rest.prefix(nameCount))
        contentOffset = offset + UInt64(30 + nameCount + extraCount)

        // Sizes that do not fit are in the zip64 field; both have to be, in this order (APPNOTE 4.5.3).
        let extra = ZipExtraFields(rest.dropFirst(nameCount).prefix(extraCount))
        var wide = ZipFields(extra.zip64 ?? [], of: "zip64 field of the local header")
        let wideSize = try? wide.next(UInt64.self)
        let wideCompressedSize = try? wide.next(UInt64.self)
        self.size = size == .max ? wideSize ?? .max : UInt64(size)
        self.compressedSize = compressedSize == .max ? wideCompressedSize ?? .max : UInt64(compressedSize)
    }

    /// The first field that tells another story than the directory, or nil.
    func difference(from record: ZipRecord) -> TreeFault.LocalField? {
        if name != record.name { return .name }
        if method != record.method { return .method }
        if flags & 1 != record.flags & 1 { return .encryption }
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
