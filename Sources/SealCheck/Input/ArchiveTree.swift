/// A ZIP archive, read in place: nothing is ever unpacked to disk.
///
/// The names are the raw bytes of the central directory; general-purpose bit 11 (UTF-8) is not asked, since Info-ZIP and
/// Apple's `ditto` often leave it unset. Whatever would lead outside, or would unpack differently with different
/// extractors, is left out of ``entries`` and stands in ``faults``: first what is wrong with names, in the order of the
/// directory, then what local headers say otherwise, in the order of the file.
///
/// Of two entries with one name the first is listed. Kinds and modes come from the external attributes where the entry
/// was made on Unix; elsewhere a name that ends in a slash is a directory, everything else a file, and `mode` is nil.
///
/// Encrypted entries and those of methods other than stored and deflated are listed, and fail when they are opened.
struct ArchiveTree: BundleTree {
    let entries: [TreeEntry]
    let faults: [TreeFault]

    private let archive: Archive

    /// What a reader needs of the archive.
    struct Archive: Sendable {
        let file: ArchiveFile
        /// In the order of the directory; an entry's ``TreeEntry/handle`` is the index.
        let records: [ZipRecord]
        let contentOffsets: [UInt64?]
        let limits: Limits
    }

    /// Lists the archive in `file`.
    ///
    /// - Throws: ``ReadFault/damaged(_:)`` when it is no archive, or one that this reading and libzip's do not agree
    ///   about; ``ReadFault/limit(_:)``; ``ReadFault/system(call:errno:)``.
    init(_ file: ArchiveFile, limits: Limits = .standard) throws(ReadFault) {
        let directory = try ZipDirectory(reading: file, limits: limits)
        // libzip refuses the whole archive for an entry of method 99 without WinZip's AES data, which is how the App
        // Store packs with LZFSE. Such an entry cannot be read in any case; the others need not be lost with it.
        if !directory.records.contains(where: { $0.method == ZipRecord.winZipAES }) {
            try LibZip(file).agree(with: directory)
        }
        let headers = try ZipLocalHeaders(of: directory, in: file)

        var table = EntryTable(directory.records, limits: limits)
        try table.addAll()
        try Self.check(directory, file, limits)
        table.entries.sort { $0.path < $1.path }
        entries = table.entries
        faults = table.faults + headers.faults
        archive = Archive(
            file: file, records: directory.records, contentOffsets: headers.contentOffsets, limits: limits)
    }

    func makeReader() throws(ReadFault) -> any EntryReader { ArchiveReader(archive) }

    /// What the archive says it holds has to be possible. Entries that share their data, the trick of the small archive
    /// that unpacks to petabytes, are seen here by the ratio.
    private static func check(_ directory: ZipDirectory, _ file: ArchiveFile, _ limits: Limits) throws(ReadFault) {
        var total: UInt64 = 0
        for record in directory.records {
            let (sum, overflow) = total.addingReportingOverflow(record.size)
            total = overflow ? .max : sum
            if total > limits.totalBytes { throw .exceeded("bytes in the archive", total, limits.totalBytes) }
        }
        if file.size > 0, total / file.size > limits.inflateRatio {
            throw .exceeded("times the archive's size in it", total / file.size, limits.inflateRatio)
        }
    }
}

/// The entries of an archive while they are being collected.
private struct EntryTable {
    var entries: [TreeEntry] = []
    var faults: [TreeFault] = []

    private let records: [ZipRecord]
    private let limits: Limits
    /// Positions in ``entries``.
    private var positions: [BundlePath: Int] = [:]
    /// The directory of the entry before: archives list the files of one directory together.
    private var lastParent = BundlePath.root

    /// The handle of a directory that only other entries' names imply.
    private static let implied = UInt64.max

    init(_ records: [ZipRecord], limits: Limits) {
        self.records = records
        self.limits = limits
        positions.reserveCapacity(records.count)
        entries.reserveCapacity(records.count)
    }

    mutating func addAll() throws(ReadFault) {
        for (index, record) in records.enumerated() { try add(record, index: index) }
    }

    private mutating func add(_ record: ZipRecord, index: Int) throws(ReadFault) {
        try limits.check(path: record.name.count)
        let name: ZipName
        do throws(ZipName.Rejection) {
            name = try ZipName(record.name)
        } catch {
            faults.append(TreeFault(kind: error.kind, name: record.name))
            return
        }
        try limits.check(depth: name.path.depth)
        if let other = record.alternativeName {
            faults.append(TreeFault(kind: .alternativeName(other), name: record.name))
        }
        let entry = TreeEntry(name, record, index: index)
        if let position = positions[name.path] {
            try meet(entry, record, at: position)
        } else if try addParents(of: name.path) {
            try append(entry)
        } else {
            faults.append(TreeFault(kind: .fileAsDirectory, name: record.name))
        }
    }

    /// Handles an entry whose path is taken.
    private mutating func meet(_ entry: TreeEntry, _ record: ZipRecord, at position: Int) throws(ReadFault) {
        let earlier = entries[position]
        if (earlier.kind == .directory) != (entry.kind == .directory) {
            faults.append(TreeFault(kind: .fileAsDirectory, name: record.name))
            return
        }
        guard let index = Int(exactly: earlier.handle), records.indices.contains(index) else {
            // A directory that was only implied so far.
            entries[position] = entry
            return
        }
        let earlierRecord = records[index]
        let same =
            earlier.kind == entry.kind && earlierRecord.size == record.size
            && earlierRecord.checksum == record.checksum
        faults.append(TreeFault(kind: .duplicateName(sameContents: same), name: record.name))
    }

    /// Makes sure that every directory above `path` is listed. False when one of them is a file or a link.
    private mutating func addParents(of path: BundlePath) throws(ReadFault) -> Bool {
        guard let slash = path.bytes.lastIndex(of: UInt8(ascii: "/")) else { return true }
        if path.bytes[..<slash] == lastParent.bytes[...] { return true }
        let parent = BundlePath(bytes: Array(path.bytes[..<slash]))
        if let position = positions[parent] {
            guard entries[position].kind == .directory else { return false }
        } else {
            guard try addParents(of: parent) else { return false }
            try append(TreeEntry(path: parent, kind: .directory, mode: nil, size: nil, handle: Self.implied))
        }
        lastParent = parent
        return true
    }

    private mutating func append(_ entry: TreeEntry) throws(ReadFault) {
        try limits.check(entries: entries.count + 1)
        positions[entry.path] = entries.count
        entries.append(entry)
    }
}

extension TreeEntry {
    /// The entry that an archive's record stands for.
    fileprivate init(_ name: ZipName, _ record: ZipRecord, index: Int) {
        // 3 is Unix, 19 Darwin: their attributes hold `st_mode` in the upper half.
        let isUnix = record.host == 3 || record.host == 19
        let mode = isUnix ? UInt16(record.externalAttributes >> 16) : 0
        let kind: Kind =
            switch (mode & 0o170000, name.isDirectory) {
            case (0o040000, true), (0, true): .directory
            case (0o100000, false), (0, false): .file
            case (0o120000, false): .symbolicLink
            case (0o010000, _): .other("FIFO")
            case (0o020000, _): .other("character device")
            case (0o060000, _): .other("block device")
            case (0o140000, _): .other("socket")
            case (0o040000, false): .other("directory whose name does not end in a slash")
            case (0o120000, true): .other("symbolic link whose name ends in a slash")
            case (0o100000, true): .directory
            default: .other("file of an unknown kind")
            }
        self.init(
            path: name.path, kind: kind, mode: isUnix ? mode & 0o7777 : nil,
            size: kind == .directory ? nil : record.size, handle: UInt64(index))
    }
}
