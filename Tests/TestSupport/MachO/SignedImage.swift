/// A finished thin image that can be looked into and edited where the tests need it.
public struct SignedImage: Sendable {
    public var bytes: [UInt8]
    public let endian: Endian
    public let is64Bit: Bool

    /// A load command: its number, and where it is.
    public struct Command: Hashable, Sendable {
        public let number: UInt32
        public let offset: Int
        public let size: Int
    }

    /// An embedded blob: the type that the index gives it, and where it is.
    public struct Blob: Hashable, Sendable {
        public let type: UInt32
        public let indexOffset: Int
        public let range: Range<Int>
    }

    /// A CodeDirectory in the image.
    public struct Directory: Hashable, Sendable {
        public let type: UInt32
        public let range: Range<Int>
        public let bytes: [UInt8]
        public let hash: Sha

        /// The digest of the whole blob with its own algorithm, cut to 20 bytes.
        public var cdhash: [UInt8] { Array(hash.digest(bytes).prefix(20)) }

        /// A field of the fixed part.
        public func field(_ field: CodeDirectoryField) throws -> Int {
            Int(truncatingIfNeeded: try field.read(from: bytes[...]))
        }
    }

    public init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        switch try bytes.load(UInt32.self, at: 0, .big) {
        case 0xFEED_FACF: (endian, is64Bit) = (.big, true)
        case 0xFEED_FACE: (endian, is64Bit) = (.big, false)
        case 0xCFFA_EDFE: (endian, is64Bit) = (.little, true)
        case 0xCEFA_EDFE: (endian, is64Bit) = (.little, false)
        default: throw BuildError("not a thin Mach-O image")
        }
    }

    public func load32(_ offset: Int) throws -> Int { Int(try bytes.load(UInt32.self, at: offset, endian)) }

    // MARK: - Load commands

    public var headerSize: Int { is64Bit ? 32 : 28 }

    public func commands() throws -> [Command] {
        var offset = headerSize
        return try (0..<(try load32(16))).map { _ in
            let command = Command(
                number: try bytes.load(UInt32.self, at: offset, endian), offset: offset, size: try load32(offset + 4))
            offset += command.size
            return command
        }
    }

    /// The first load command of that number.
    public func command(_ number: UInt32) throws -> Command {
        guard let command = try commands().first(where: { $0.number == number }) else {
            throw BuildError("the image has no load command \(number)")
        }
        return command
    }

    /// The segment of that name.
    public func segment(_ name: String) throws -> Command {
        let wanted = Array(name.utf8) + [0]
        let found = try commands().first { command in
            (command.number == LC.segment64 || command.number == LC.segment)
                && bytes[(command.offset + 8)...].starts(with: wanted)
        }
        guard let found else { throw BuildError("the image has no segment \(name)") }
        return found
    }

    // MARK: - Signature

    /// The area that LC_CODE_SIGNATURE names.
    public func signatureRange() throws -> Range<Int> {
        let command = try command(LC.codeSignature)
        let start = try load32(command.offset + 8)
        let size = try load32(command.offset + 12)
        try bytes.checkRange(start, size)
        return start..<start + size
    }

    /// The blobs that the index of the SuperBlob names, in its order.
    public func blobs() throws -> [Blob] {
        let start = try signatureRange().lowerBound
        return try (0..<Int(try bytes.load(UInt32.self, at: start + 8, .big))).map { index in
            let line = start + 12 + 8 * index
            let offset = start + Int(try bytes.load(UInt32.self, at: line + 4, .big))
            let length = Int(try bytes.load(UInt32.self, at: offset + 4, .big))
            try bytes.checkRange(offset, length)
            return Blob(
                type: try bytes.load(UInt32.self, at: line, .big), indexOffset: line, range: offset..<offset + length)
        }
    }

    /// The first blob of that type.
    public func blob(_ type: UInt32) throws -> Blob {
        guard let blob = try blobs().first(where: { $0.type == type }) else {
            throw BuildError("the signature has no blob of type \(type)")
        }
        return blob
    }

    /// Slot 0 and the alternates.
    public func directories() throws -> [Directory] {
        try blobs().filter { $0.type == 0 || 0x1000..<0x1005 ~= $0.type }.map { blob in
            let content = Array(bytes[blob.range])
            guard let hash = Sha(rawValue: try content.load(UInt8.self, at: 37, .big)) else {
                throw BuildError("a CodeDirectory names an unknown hash type")
            }
            return Directory(type: blob.type, range: blob.range, bytes: content, hash: hash)
        }
    }
}
