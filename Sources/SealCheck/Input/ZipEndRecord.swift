/// Where the central directory is: the end record and, for large archives, the zip64 one (APPNOTE 4.3.14–4.3.16).
struct ZipEndRecord: Hashable, Sendable {
    var entries: UInt64
    var directorySize: UInt64
    var directoryOffset: UInt64
    var isZip64: Bool

    private static let size = 22
    private static let locatorSize = 20

    /// Finds and reads the end record.
    ///
    /// It is the last one whose comment fits into the file, as nearly every reader has it. libzip looks for the most
    /// consistent one; an archive with two that both would do is refused because the two readings disagree.
    ///
    /// - Throws: ``ReadFault/damaged(_:)``.
    init(reading file: ArchiveFile) throws(ReadFault) {
        let tail = try Self.tail(of: file)
        guard let index = Self.lastIndex(in: tail) else { throw .damaged("the end record of the archive is missing") }
        let position = file.size - UInt64(tail.count - index)

        var fields = ZipFields(tail[index...], of: "end record of the archive")
        _ = try fields.take(4)
        let disks = [try fields.next(UInt16.self), try fields.next(UInt16.self)]
        let entriesHere: UInt16 = try fields.next()
        let entries: UInt16 = try fields.next()
        let directorySize: UInt32 = try fields.next()
        let directoryOffset: UInt32 = try fields.next()

        let directoryLimit: UInt64
        if let wide = try Self.zip64(before: index, in: tail, position: position, of: file) {
            // What fits into the old fields is there too, or says "see the other one"; anything else is two stories.
            guard entries == .max || UInt64(entries) == wide.record.entries,
                directorySize == .max || UInt64(directorySize) == wide.record.directorySize,
                directoryOffset == .max || UInt64(directoryOffset) == wide.record.directoryOffset
            else { throw .damaged("the two end records of the archive contradict each other") }
            self = wide.record
            directoryLimit = wide.position
        } else {
            guard disks.allSatisfy({ $0 == 0 }), entriesHere == entries else {
                throw .damaged("the archive is spread over several disks")
            }
            self.init(
                entries: UInt64(entries), directorySize: UInt64(directorySize),
                directoryOffset: UInt64(directoryOffset), isZip64: false)
            directoryLimit = position
        }
        let (directoryEnd, overflow) = self.directoryOffset.addingReportingOverflow(self.directorySize)
        if overflow || directoryEnd > directoryLimit {
            throw .damaged("the archive's directory does not lie before its end record")
        }
    }

    private init(entries: UInt64, directorySize: UInt64, directoryOffset: UInt64, isZip64: Bool) {
        self.entries = entries
        self.directorySize = directorySize
        self.directoryOffset = directoryOffset
        self.isZip64 = isZip64
    }

    /// Whether `file` ends in an end record, so that readers which look there first take it for an archive.
    static func isPresent(in file: ArchiveFile) throws(ReadFault) -> Bool {
        lastIndex(in: try tail(of: file)) != nil
    }

    /// The end of the file, as long as the end record can be from its end: a comment of 65,535 bytes; and before it the
    /// zip64 locator.
    private static func tail(of file: ArchiveFile) throws(ReadFault) -> [UInt8] {
        let count = min(file.size, UInt64(size + 65_535 + locatorSize))
        return try file.bytes(at: file.size - count, count: Int(count))
    }

    private static func lastIndex(in tail: [UInt8]) -> Int? {
        let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
        var window = tail.dropLast(min(size - 4, tail.count))
        while window.count >= 4 {
            if window.suffix(4).elementsEqual(signature) {
                let index = window.endIndex - 4
                let comment = tail[index...].dropFirst(20).prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
                if tail.count - index - size >= comment { return index }
            }
            window = window.dropLast()
        }
        return nil
    }

    private static func zip64(
        before index: Int, in tail: [UInt8], position: UInt64, of file: ArchiveFile
    ) throws(ReadFault) -> (record: ZipEndRecord, position: UInt64)? {
        guard index >= locatorSize else { return nil }
        var locator = ZipFields(tail[(index - locatorSize)..<index], of: "zip64 end locator")
        guard try locator.next(UInt32.self) == ZipSignature.endLocator64 else { return nil }
        let disk: UInt32 = try locator.next()
        let offset: UInt64 = try locator.next()
        guard disk == 0 else { throw .damaged("the archive is spread over several disks") }
        let (end, overflow) = offset.addingReportingOverflow(56)
        guard !overflow, end <= position - UInt64(locatorSize) else {
            throw .damaged("the zip64 end record does not lie before its locator")
        }
        var fields = ZipFields(try file.bytes(at: offset, count: 56)[...], of: "zip64 end record")
        guard try fields.next(UInt32.self) == ZipSignature.endRecord64 else {
            throw .damaged("there is no zip64 end record where its locator points")
        }
        _ = try fields.take(12)  // own size, versions
        let disks = [try fields.next(UInt32.self), try fields.next(UInt32.self)]
        let entriesHere: UInt64 = try fields.next()
        let record = ZipEndRecord(
            entries: try fields.next(), directorySize: try fields.next(), directoryOffset: try fields.next(),
            isZip64: true)
        guard disks.allSatisfy({ $0 == 0 }), entriesHere == record.entries else {
            throw .damaged("the archive is spread over several disks")
        }
        return (record, offset)
    }
}
