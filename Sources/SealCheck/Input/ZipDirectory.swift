internal import CLibDeflate

/// The central directory of a ZIP archive, as it stands in the file (PKWARE APPNOTE 6.3.10, 4.3.12–4.3.16).
///
/// libzip reads the same directory and has to agree with this reading (``LibZip/agree(with:)``), but it does not tell
/// all that a verifier has to know: it turns NULs in names into spaces, puts Info-ZIP's Unicode path in the place of
/// the name that other readers see, and keeps to itself where the local headers are.
///
/// Not done: archives of several disks, an encrypted directory. Both are refused as damaged.
struct ZipDirectory: Sendable {
    /// The records in the order of the directory, which is that of libzip's indices.
    let records: [ZipRecord]
    /// Where the directory begins. Every entry's contents end before it.
    let offset: UInt64

    /// - Throws: ``ReadFault/damaged(_:)``, ``ReadFault/limit(_:)``, and what reading throws.
    init(reading file: ArchiveFile, limits: Limits) throws(ReadFault) {
        let end = try ZipEndRecord(reading: file)
        if end.entries > UInt64(max(limits.entries, 0)) {
            throw .exceeded("entries in the archive", end.entries, UInt64(max(limits.entries, 0)))
        }
        if end.directorySize > limits.archiveDirectoryBytes {
            throw .exceeded("bytes of the archive's directory", end.directorySize, limits.archiveDirectoryBytes)
        }
        guard let size = Int(exactly: end.directorySize) else { throw .damaged("the directory's size is impossible") }
        let bytes = try file.bytes(at: end.directoryOffset, count: size)

        var records: [ZipRecord] = []
        // An entry has at least 46 bytes, so that what the end record claims is not allocated on its word.
        records.reserveCapacity(min(size / 46, max(limits.entries, 0)))
        try bytes.withUnsafeBufferPointer { buffer throws(ReadFault) in
            var fields = ZipFields(UnsafeRawBufferPointer(buffer), of: "archive's directory")
            while fields.count > 0 {
                try limits.check(entries: records.count + 1)
                records.append(try ZipRecord(&fields))
            }
        }
        // Info-ZIP without zip64 writes the number of entries modulo 65,536, and libzip knows that.
        let counted = end.isZip64 ? UInt64(records.count) : UInt64(records.count & 0xFFFF)
        if counted != end.entries {
            throw .damaged("the directory holds \(records.count) entries, and its end record says \(end.entries)")
        }
        self.records = records
        self.offset = end.directoryOffset
    }
}

/// One entry of the central directory.
struct ZipRecord: Hashable, Sendable {
    /// The name, byte for byte.
    let name: [UInt8]
    /// Another name for the same entry, from a valid Info-ZIP Unicode path field; nil when it says the same.
    let alternativeName: [UInt8]?
    /// The system whose attributes ``externalAttributes`` holds: 3 is Unix, 19 is Darwin.
    let host: UInt8
    let flags: UInt16
    let method: UInt16
    let checksum: UInt32
    let compressedSize: UInt64
    let size: UInt64
    let externalAttributes: UInt32
    let headerOffset: UInt64

    /// Takes one entry off `fields`.
    init(_ fields: inout ZipFields) throws(ReadFault) {
        guard try fields.next(UInt32.self) == ZipSignature.directoryEntry else {
            throw .damaged("the archive's directory holds something that is no entry")
        }
        host = UInt8(truncatingIfNeeded: try fields.next(UInt16.self) >> 8)
        _ = try fields.next(UInt16.self)  // version needed
        flags = try fields.next()
        method = try fields.next()
        _ = try fields.next(UInt32.self)  // time and date
        checksum = try fields.next()
        let compressedSize: UInt32 = try fields.next()
        let size: UInt32 = try fields.next()
        let nameCount: UInt16 = try fields.next()
        let extraCount: UInt16 = try fields.next()
        let commentCount: UInt16 = try fields.next()
        let disk: UInt16 = try fields.next()
        _ = try fields.next(UInt16.self)  // internal attributes
        externalAttributes = try fields.next()
        let headerOffset: UInt32 = try fields.next()
        name = Array(try fields.take(Int(nameCount)))
        let extra = ZipExtraFields(try fields.take(Int(extraCount)))
        _ = try fields.take(Int(commentCount))
        if disk != 0 && disk != .max { throw .damaged("the archive is spread over several disks") }

        // The field holds only what did not fit, in this order.
        var wide = ZipFields(extra.zip64, of: "zip64 field of the directory")
        self.size = size == .max ? try wide.next() : UInt64(size)
        self.compressedSize = compressedSize == .max ? try wide.next() : UInt64(compressedSize)
        self.headerOffset = headerOffset == .max ? try wide.next() : UInt64(headerOffset)
        alternativeName = Self.unicodeName(extra.unicodePath, for: name)
    }

    /// Flags that change what the contents are: encrypted (0, 6, 13), or a patch to something else (5).
    static let contentFlags: UInt16 = 0x2061

    /// Whether the contents cannot be read without a password.
    var isEncrypted: Bool { flags & 0x2041 != 0 }

    /// Whether the contents are a patch, which no reader applies.
    var isPatch: Bool { flags & 0x0020 != 0 }

    /// Whether sizes and checksum stand behind the contents instead of in the local header.
    var hasDataDescriptor: Bool { flags & 0x0008 != 0 }

    /// Version (1), CRC-32 of the name it was made for, name. A field whose CRC does not fit is stale: no reader uses it.
    static func unicodeName(_ field: UnsafeRawBufferPointer?, for name: [UInt8]) -> [UInt8]? {
        guard let field else { return nil }
        var fields = ZipFields(field, of: "Unicode path field")
        guard let version = try? fields.next(UInt8.self), version == 1, let checksum = try? fields.next(UInt32.self),
            let other = try? fields.take(fields.count)
        else { return nil }
        let actual = name.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        return checksum == actual && !other.elementsEqual(name) ? Array(other) : nil
    }
}
