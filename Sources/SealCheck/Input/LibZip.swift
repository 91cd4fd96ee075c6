internal import CLibZip

/// libzip's view of an archive: a second reading of the directory, and the inflating of entries that are too large for
/// memory.
///
/// It reads through ``LibZipSource``, so from the very file that was opened, and never writes. Works with libzip 1.7.3
/// and later. One value serves one thread, and entries of it one after the other.
final class LibZip {
    private let source: LibZipSource
    private let handle: OpaquePointer

    /// - Throws: ``ReadFault/damaged(_:)`` when libzip does not take the file for an archive; what reading throws.
    init(_ file: ArchiveFile) throws(ReadFault) {
        let source = LibZipSource(file)
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let raw = source.makeHandle(&error) else { throw .damaged(String(cString: zip_error_strerror(&error))) }
        guard let handle = zip_open_from_source(raw, ZIP_RDONLY, &error) else {
            let text = String(cString: zip_error_strerror(&error))
            zip_source_free(raw)
            throw source.failure ?? .damaged(text)
        }
        self.source = source
        self.handle = handle
    }

    deinit { zip_discard(handle) }

    /// Makes sure that libzip reads the same directory out of the archive.
    ///
    /// Two readers of different descent that see the same names, sizes and checksums are good evidence that an
    /// installer sees them too. NULs (a space for libzip) and names with an alternative are left to our own reading.
    ///
    /// - Throws: ``ReadFault/damaged(_:)``.
    func agree(with directory: ZipDirectory) throws(ReadFault) {
        let disagreement = ReadFault.damaged("two readings of the archive's directory disagree")
        guard zip_get_num_entries(handle, 0) == directory.records.count else { throw disagreement }
        for (index, record) in directory.records.enumerated() {
            guard matches(index, record) else { throw disagreement }
            if record.alternativeName != nil { continue }
            guard let name = zip_get_name(handle, zip_uint64_t(index), zip_flags_t(ZIP_FL_ENC_RAW)) else {
                throw disagreement
            }
            let same = record.name.elementsEqual(UnsafeCString(start: name)) { $0 == $1 || $0 == 0 && $1 == 0x20 }
            if !same { throw disagreement }
        }
    }

    private func matches(_ index: Int, _ record: ZipRecord) -> Bool {
        var status = zip_stat_t()
        zip_stat_init(&status)
        guard zip_stat_index(handle, zip_uint64_t(index), 0, &status) == 0 else { return false }
        // For WinZip's AES (99) libzip tells the method inside the encryption.
        return status.size == record.size && status.comp_size == record.compressedSize
            && (status.crc == record.checksum || record.isEncrypted)
            && (status.comp_method == record.method || record.isEncrypted)
    }

    /// Opens an entry for inflating it in pieces.
    ///
    /// - Throws: ``ReadFault/damaged(_:)`` and what reading throws.
    func stream(_ index: Int, _ record: ZipRecord) throws(ReadFault) -> Stream {
        guard matches(index, record) else { throw .damaged("two readings of the archive's directory disagree") }
        source.failure = nil
        guard let entry = zip_fopen_index(handle, zip_uint64_t(index), 0) else {
            throw fault(zip_get_error(handle))
        }
        return Stream(owner: self, entry: entry)
    }

    /// What went wrong, in our words.
    private func fault(_ error: UnsafeMutablePointer<zip_error_t>) -> ReadFault {
        if let failure = source.failure { return failure }
        return switch zip_error_code_zip(error) {
        case ZIP_ER_CRC: .checksumMismatch
        case ZIP_ER_NOPASSWD, ZIP_ER_ENCRNOTSUPP, ZIP_ER_WRONGPASSWD: .encrypted
        default: .damaged(String(cString: zip_error_strerror(error)))
        }
    }

    /// An entry that is being inflated.
    final class Stream {
        private let owner: LibZip
        private let entry: OpaquePointer

        fileprivate init(owner: LibZip, entry: OpaquePointer) {
            self.owner = owner
            self.entry = entry
        }

        deinit { zip_fclose(entry) }

        /// Fills `buffer` with what comes next.
        ///
        /// - Returns: the number of bytes, less than fit only at the end.
        /// - Throws: ``ReadFault/checksumMismatch``, ``ReadFault/damaged(_:)``, and what reading throws.
        func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadFault) -> Int {
            var done = 0
            while done < buffer.count, let rest = buffer.baseAddress {
                let count = zip_fread(entry, rest + done, zip_uint64_t(buffer.count - done))
                if count < 0 { throw owner.fault(zip_file_get_error(entry)) }
                if count == 0 { break }
                done += min(Int(count), buffer.count - done)
            }
            return done
        }
    }
}

/// The bytes of a C string, without its terminator.
private struct UnsafeCString: Sequence, IteratorProtocol {
    private var position: UnsafePointer<CChar>

    init(start: UnsafePointer<CChar>) { position = start }

    mutating func next() -> UInt8? {
        let byte = position.pointee
        if byte == 0 { return nil }
        position += 1
        return UInt8(bitPattern: byte)
    }
}
