/// Edits of a finished image. None of them makes the rest fit again, unless its name says so.
extension SignedImage {
    // MARK: - CodeDirectories

    /// Stores a field into every CodeDirectory.
    public mutating func setField(_ field: CodeDirectoryField, to value: UInt64) throws {
        for directory in try directories() { try setField(field, to: value, in: directory) }
    }

    /// Stores a field into one CodeDirectory.
    public mutating func setField(_ field: CodeDirectoryField, to value: UInt64, in directory: Directory) throws {
        try field.write(value, into: &bytes, at: directory.range.lowerBound)
    }

    /// Where the hash of a special slot (its positive number) or of a code slot (0 and below: page −n) lies.
    private func hashRange(_ index: Int, of directory: Directory) throws -> Range<Int> {
        let start = directory.range.lowerBound + (try directory.field(.hashOffset)) + index * directory.hash.size
        try bytes.checkRange(start, directory.hash.size)
        return start..<start + directory.hash.size
    }

    /// Where the hash of special slot −`slot` lies.
    public func specialSlotRange(_ slot: Int, of directory: Directory) throws -> Range<Int> {
        guard slot > 0, slot <= (try directory.field(.nSpecialSlots)) else {
            throw BuildError("the CodeDirectory has no slot −\(slot)")
        }
        return try hashRange(-slot, of: directory)
    }

    /// Where the hash of a page lies.
    public func codeSlotRange(_ page: Int, of directory: Directory) throws -> Range<Int> {
        guard page >= 0, page < (try directory.field(.nCodeSlots)) else {
            throw BuildError("the CodeDirectory has no page \(page)")
        }
        return try hashRange(page, of: directory)
    }

    /// Makes slot −`slot` of every CodeDirectory the digest of `content`; nil zeroes it.
    public mutating func setSpecialSlot(_ slot: Int, to content: [UInt8]?) throws {
        for directory in try directories() {
            let hash = content.map(directory.hash.digest) ?? [UInt8](repeating: 0, count: directory.hash.size)
            try bytes.overwrite(at: specialSlotRange(slot, of: directory).lowerBound, with: hash)
        }
    }

    /// Makes the page hashes of every CodeDirectory fit the bytes as they are now.
    public mutating func rehashPages() throws {
        for directory in try directories() {
            let pages = CodePages(
                limit: try directory.field(.codeLimit), pageSizeLog2: UInt8(try directory.field(.pageSize)))
            for page in 0..<(try directory.field(.nCodeSlots)) {
                let hash = directory.hash.digest(bytes[pages.range(page).clamped(to: 0..<bytes.count)])
                try bytes.overwrite(at: codeSlotRange(page, of: directory).lowerBound, with: hash)
            }
        }
    }

    /// Shortens the code limit by at least `count` bytes, down to a page boundary, with the slots that it then needs.
    public mutating func shortenCodeLimit(by count: Int = 1) throws {
        for directory in try directories() {
            let log2 = try directory.field(.pageSize)
            let pageSize = 1 << log2
            let limit = ((try directory.field(.codeLimit)) - count) / pageSize * pageSize
            try setField(.codeLimit, to: UInt64(limit), in: directory)
            try setField(.nCodeSlots, to: UInt64(log2 == 0 ? 1 : limit / pageSize), in: directory)
        }
        try rehashPages()
    }

    // MARK: - Blobs

    /// Takes a blob out of the index. Its bytes stay where they are.
    public mutating func dropBlob(_ type: UInt32) throws {
        let start = try signatureRange().lowerBound
        let all = try blobs()
        let dropped = try blob(type)
        let end = start + 12 + 8 * all.count
        let following = Array(bytes[dropped.indexOffset + 8..<end])
        try bytes.overwrite(at: dropped.indexOffset, with: following + [UInt8](repeating: 0, count: 8))
        try bytes.store(UInt32(all.count - 1), at: start + 8, .big)
    }

    /// Flips a bit in the payload of a blob.
    public mutating func flipBlob(_ type: UInt32) throws {
        let range = try blob(type).range
        try bytes.flipByte(at: range.lowerBound + (range.count > 8 ? 8 + (range.count - 8) / 2 : 7))
    }

    // MARK: - Load commands

    /// Adds a load command after the last one, into the room before the first section.
    public mutating func insertCommand(_ command: LoadCommandBytes) throws {
        let end = headerSize + (try load32(20))
        let new = command.bytes(endian)
        try bytes.checkRange(end, new.count)
        guard bytes[end..<end + new.count].allSatisfy({ $0 == 0 }) else { throw BuildError("no room for the command") }
        try bytes.overwrite(at: end, with: new)
        try setCommandCounts(count: try load32(16) + 1, size: end - headerSize + new.count)
    }

    /// Takes the signature away: LC_CODE_SIGNATURE, the signature's bytes, and their part of `__LINKEDIT`.
    public mutating func strip() throws {
        let range = try signatureRange()
        let command = try command(LC.codeSignature)
        let linkedit = try segment("__LINKEDIT")
        let start = try load32(linkedit.offset + (is64Bit ? 40 : 32))
        let size = range.lowerBound - start
        if is64Bit {
            try bytes.store(UInt64(size), at: linkedit.offset + 48, endian)
        } else {
            try bytes.store(UInt32(size), at: linkedit.offset + 36, endian)
        }
        let end = headerSize + (try load32(20))
        let following = Array(bytes[command.offset + command.size..<end])
        try bytes.overwrite(at: command.offset, with: following + [UInt8](repeating: 0, count: command.size))
        try setCommandCounts(count: try load32(16) - 1, size: end - headerSize - command.size)
        bytes.removeSubrange(range.lowerBound...)
    }

    private mutating func setCommandCounts(count: Int, size: Int) throws {
        try bytes.store(UInt32(count), at: 16, endian)
        try bytes.store(UInt32(size), at: 20, endian)
    }
}
