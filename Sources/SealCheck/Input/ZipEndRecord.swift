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

        let old = try ZipFields.reading(tail[index...], of: "end record of the archive") { fields throws(ReadFault) in
            _ = try fields.take(4)
            return try Fields<UInt16, UInt32>(&fields, disk: UInt16.self)
        }

        let directoryLimit: UInt64
        if let wide = try Self.zip64(before: index, in: tail, position: position, of: file) {
            // What fits into the old fields is there too, or says "see the other one"; anything else is two stories.
            guard old.entries == .max || UInt64(old.entries) == wide.record.entries,
                old.directorySize == .max || UInt64(old.directorySize) == wide.record.directorySize,
                old.directoryOffset == .max || UInt64(old.directoryOffset) == wide.record.directoryOffset
            else { throw .damaged("the two end records of the archive contradict each other") }
            self = wide.record
            directoryLimit = wide.position
        } else {
            guard old.isOfOneDisk else { throw .damaged("the archive is spread over several disks") }
            self.init(
                entries: UInt64(old.entries), directorySize: UInt64(old.directorySize),
                directoryOffset: UInt64(old.directoryOffset), isZip64: false)
            directoryLimit = position
        }
        let (directoryEnd, overflow) = self.directoryOffset.addingReportingOverflow(self.directorySize)
        // Where bytes lie between the two, many readers take all offsets for relative to something in front of the archive
        // and find the directory that ends at its end record: another one than this, with other entries.
        if overflow || directoryEnd != directoryLimit {
            throw .damaged("the archive's directory does not end where its end record begins")
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
        let locator = try ZipFields.reading(
            tail[(index - locatorSize)..<index], of: "zip64 end locator"
        ) { fields throws(ReadFault) in
            let signature = try fields.next(UInt32.self)
            let disk = try fields.next(UInt32.self)
            return (signature: signature, disk: disk, offset: try fields.next(UInt64.self))
        }
        guard locator.signature == ZipSignature.endLocator64 else { return nil }
        guard locator.disk == 0 else { throw .damaged("the archive is spread over several disks") }
        let (end, overflow) = locator.offset.addingReportingOverflow(56)
        guard !overflow, end <= position - UInt64(locatorSize) else {
            throw .damaged("the zip64 end record does not lie before its locator")
        }
        let bytes = try file.bytes(at: locator.offset, count: 56)
        let wide = try ZipFields.reading(bytes, of: "zip64 end record") { fields throws(ReadFault) in
            guard try fields.next(UInt32.self) == ZipSignature.endRecord64 else {
                throw .damaged("there is no zip64 end record where its locator points")
            }
            _ = try fields.take(12)  // own size, versions
            return try Fields<UInt64, UInt64>(&fields, disk: UInt32.self)
        }
        guard wide.isOfOneDisk else { throw .damaged("the archive is spread over several disks") }
        let record = ZipEndRecord(
            entries: wide.entries, directorySize: wide.directorySize, directoryOffset: wide.directoryOffset,
            isZip64: true)
        return (record, locator.offset)
    }

    private typealias Field = FixedWidthInteger & UnsignedInteger & BitwiseCopyable

    /// The fields that both kinds of end record have, in this order, each kind in its own widths.
    private struct Fields<Count: Field, Position: Field> {
        var isOfOneDisk: Bool
        var entries: Count
        var directorySize: Position
        var directoryOffset: Position

        init<Disk: Field>(_ fields: inout ZipFields, disk: Disk.Type) throws(ReadFault) {
            let thisDisk = try fields.next(disk)
            let directoryDisk = try fields.next(disk)
            let entriesHere: Count = try fields.next()
            entries = try fields.next()
            directorySize = try fields.next()
            directoryOffset = try fields.next()
            isOfOneDisk = thisDisk == 0 && directoryDisk == 0 && entriesHere == entries
        }
    }
}
