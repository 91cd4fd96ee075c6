extension BinaryPrescan {
    /// One object of the object table, within bounds.
    struct Object {
        enum Kind {
            case scalar(needsWritingOut: Bool)
            case data(Int)
            case text(Int, isUTF16: Bool)
            /// References up to `keysEnd` are keys.
            case container(references: Range<Int>, keysEnd: Int)
        }

        let kind: Kind
        private let offset: Int
        /// Where the contents begin, after marker and count.
        private let contents: Int

        var isString: Bool {
            if case .text = kind { return true }
            return false
        }

        init(at offset: Int, in bytes: [UInt8], trailer: Trailer) throws(PropertyListFault) {
            let marker = bytes[offset]
            var reader = Reader(bytes: bytes, offset: offset + 1, end: trailer.table, object: offset)
            self.offset = offset
            switch marker >> 4 {
            case 0x0 where marker == 0x08 || marker == 0x09:
                kind = .scalar(needsWritingOut: false)
            case 0x1 where marker <= 0x13:
                // Eight bytes are signed, fewer are not.
                let number = try reader.number(size: 1 << Int(marker & 0xF))
                kind = .scalar(needsWritingOut: number > UInt64(Int64.max))
            case 0x1 where marker == 0x14:
                // CoreFoundation takes the lower half as it is, and never a sign.
                guard try reader.number(size: 8) == 0 else { throw reader.fault("a number of more than 64 bits") }
                kind = .scalar(needsWritingOut: try reader.number(size: 8) > UInt64(Int64.max))
            case 0x2 where marker == 0x22 || marker == 0x23:
                _ = try reader.number(size: 1 << Int(marker & 0xF))
                kind = .scalar(needsWritingOut: false)
            case 0x3 where marker == 0x33:
                _ = try reader.number(size: 8)
                kind = .scalar(needsWritingOut: true)
            case 0x8 where marker <= 0x87:
                guard try reader.number(size: Int(marker & 0xF) + 1) <= UInt64(UInt32.max) else {
                    throw reader.fault("a UID of more than 32 bits")
                }
                kind = .scalar(needsWritingOut: false)
            case 0x4:
                kind = .data(try reader.contents(marker, unit: 1).count)
            case 0x5:
                kind = .text(try reader.contents(marker, unit: 1).count, isUTF16: false)
            case 0x6:
                kind = .text(try reader.contents(marker, unit: 2).count, isUTF16: true)
            case 0xA:
                let references = try reader.contents(marker, unit: trailer.referenceSize)
                kind = .container(references: references, keysEnd: references.lowerBound)
            case 0xD:
                let references = try reader.contents(marker, unit: 2 * trailer.referenceSize)
                kind = .container(references: references, keysEnd: references.lowerBound + references.count / 2)
            default:
                throw reader.fault("an object of an unknown type (0x\(String(marker, radix: 16)))")
            }
            contents = reader.offset
        }

        /// Refuses text that libplist would change: it cuts ASCII at a NUL, aborts on a key with one, and leaves out
        /// halves of surrogate pairs.
        func checkText(in bytes: [UInt8]) throws(PropertyListFault) {
            guard case .text(let size, let isUTF16) = kind else { return }
            let text = bytes[contents..<(contents + size)]
            guard isUTF16 else {
                if text.allSatisfy({ $0 &- 1 < 0x7F }) { return }
                throw .malformed("a string that is not plain ASCII, at byte \(offset)")
            }
            var isInPair = false
            for index in stride(from: text.startIndex, to: text.endIndex, by: 2) {
                let unit = UInt16(text[index]) << 8 | UInt16(text[index + 1])
                guard unit != 0, UTF16.isTrailSurrogate(unit) == isInPair else {
                    throw .malformed("a string that is not UTF-16 without NUL, at byte \(offset)")
                }
                isInPair = UTF16.isLeadSurrogate(unit)
            }
            if isInPair { throw .malformed("a string that is not UTF-16 without NUL, at byte \(offset)") }
        }
    }

    /// Reads forward from an object's marker, never beyond the objects.
    private struct Reader {
        let bytes: [UInt8]
        var offset: Int
        let end: Int
        /// Where the marker is.
        let object: Int

        mutating func number(size: Int) throws(PropertyListFault) -> UInt64 {
            guard size <= end - offset else { throw fault("an object that runs past the end of the objects") }
            defer { offset += size }
            return bytes[offset..<(offset + size)].bigEndianNumber
        }

        /// The bytes of so many units as the marker, or the number after it, says. Moves to their start.
        mutating func contents(_ marker: UInt8, unit: Int) throws(PropertyListFault) -> Range<Int> {
            var count = UInt64(marker & 0xF)
            if count == 0xF {
                let size = try number(size: 1)
                guard (0x10...0x13).contains(size) else { throw fault("a count that is no number") }
                count = try number(size: 1 << Int(size & 0xF))
            }
            guard count <= UInt64((end - offset) / unit) else {
                throw fault("an object that runs past the end of the objects")
            }
            return offset..<(offset + Int(count) * unit)
        }

        func fault(_ text: String) -> PropertyListFault { .malformed("\(text), at byte \(object)") }
    }
}
