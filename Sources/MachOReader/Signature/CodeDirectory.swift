/// The CodeDirectory: what a signature says of the code, and one hash a page (spec 1.5; codedirectory.h).
///
/// A field that is newer than the CodeDirectory's own version reads as zero even where bytes stand in its place. The
/// initialiser takes whatever Apple's reader takes; whether the values make sense is asked with
/// ``integrityFault()``, in Apple's order.
public struct CodeDirectory: Hashable, Sendable {
    /// The complete blob, `length` bytes. The cdhash is the digest of exactly these.
    public var blob: Bytes
    public var version: UInt32
    public var flags: CodeDirectoryFlags
    public var hashOffset: UInt32
    public var identOffset: UInt32
    public var specialSlotCount: UInt32
    public var codeSlotCount: UInt32
    /// `codeLimit`, the 32-bit field.
    public var codeLimit32: UInt32
    public var hashSize: UInt8
    public var hashType: HashType
    public var platform: UInt8
    /// `pageSize` as a power of two; 0 = one page that covers everything.
    public var pageShift: UInt8
    public var spare2: UInt32
    /// Since 0x20100.
    public var scatterOffset: UInt32 = 0
    /// Since 0x20200.
    public var teamIDOffset: UInt32 = 0
    /// Since 0x20300.
    public var spare3: UInt32 = 0
    /// Since 0x20300.
    public var codeLimit64: UInt64 = 0
    /// Since 0x20400.
    public var execSegment = ExecSegment(base: 0, limit: 0, flags: 0)
    /// Since 0x20500: `0x00XXYYZZ` for x.y.z.
    public var runtimeVersion: UInt32 = 0
    /// Since 0x20500.
    public var preEncryptOffset: UInt32 = 0
    /// Since 0x20600; the kernel's, unknown to Apple's static verifier.
    public var linkage = Linkage(hashType: 0, applicationType: 0, applicationSubType: 0, offset: 0, size: 0)

    /// `execSegBase`, `execSegLimit`, `execSegFlags`: where `__TEXT` lies in the file and what it may do (spec 1.13).
    public struct ExecSegment: Hashable, Sendable {
        public var base: UInt64
        public var limit: UInt64
        public var flags: UInt64

        /// `CS_EXECSEG_MAIN_BINARY`
        public var isMainBinary: Bool { flags & 0x1 != 0 }
    }

    public struct Linkage: Hashable, Sendable {
        public var hashType: UInt8
        public var applicationType: UInt8
        public var applicationSubType: UInt16
        public var offset: UInt32
        public var size: UInt32
    }

    /// Apple's verifier demands room for the whole 0x20500 structure whatever the version (spec 1.7).
    public static let minimumBytes: UInt64 = 96
    public static let earliestVersion: UInt32 = 0x20001
    public static let compatibilityLimit: UInt32 = 0x2f000
    static let structure = "CodeDirectory"

    /// Reads a CodeDirectory from its blob.
    ///
    /// - Throws: `badMagic`; `badSize` when the blob is shorter than 96 bytes or its length field is another
    ///   (Apple's verifier: SignatureFailed for each).
    public init(parsing blob: Bytes) throws(FormatFault) {
        let name = Self.structure
        let magic = BlobMagic(rawValue: try blob.integer(at: 0, in: name, field: "magic"))
        guard magic == .codeDirectory else {
            throw FormatFault(.badMagic, at: blob.origin, in: name, field: "magic", value: UInt64(magic.rawValue))
        }
        let length = UInt64(try blob.integer(at: 4, as: UInt32.self, in: name, field: "length"))
        guard length == UInt64(blob.count), length >= Self.minimumBytes else {
            throw FormatFault(
                .badSize, at: blob.place(4), in: name, field: "length", value: length,
                limit: length == UInt64(blob.count) ? Self.minimumBytes : UInt64(blob.count))
        }
        func word(_ offset: UInt64, _ field: String) throws(FormatFault) -> UInt32 {
            try blob.integer(at: offset, in: name, field: field)
        }
        func byte(_ offset: UInt64, _ field: String) throws(FormatFault) -> UInt8 {
            try blob.integer(at: offset, in: name, field: field)
        }
        func long(_ offset: UInt64, _ field: String) throws(FormatFault) -> UInt64 {
            try blob.integer(at: offset, in: name, field: field)
        }
        self.blob = blob
        version = try word(8, "version")
        flags = CodeDirectoryFlags(rawValue: try word(12, "flags"))
        hashOffset = try word(16, "hashOffset")
        identOffset = try word(20, "identOffset")
        specialSlotCount = try word(24, "nSpecialSlots")
        codeSlotCount = try word(28, "nCodeSlots")
        codeLimit32 = try word(32, "codeLimit")
        hashSize = try byte(36, "hashSize")
        hashType = HashType(rawValue: try byte(37, "hashType"))
        platform = try byte(38, "platform")
        pageShift = try byte(39, "pageSize")
        spare2 = try word(40, "spare2")
        if version >= 0x20100 { scatterOffset = try word(44, "scatterOffset") }
        if version >= 0x20200 { teamIDOffset = try word(48, "teamIDOffset") }
        if version >= 0x20300 {
            spare3 = try word(52, "spare3")
            codeLimit64 = try long(56, "codeLimit64")
        }
        if version >= 0x20400 {
            execSegment = ExecSegment(
                base: try long(64, "execSegBase"), limit: try long(72, "execSegLimit"),
                flags: try long(80, "execSegFlags"))
        }
        if version >= 0x20500 {
            runtimeVersion = try word(88, "runtime")
            preEncryptOffset = try word(92, "preEncryptOffset")
        }
        // The blob may end before these: Apple's verifier asks for 96 bytes only, and ignores them.
        if version >= 0x20600, blob.count >= 108 {
            linkage = Linkage(
                hashType: try byte(96, "linkageHashType"),
                applicationType: try byte(97, "linkageApplicationType"),
                applicationSubType: try blob.integer(at: 98, in: name, field: "linkageApplicationSubType"),
                offset: try word(100, "linkageOffset"), size: try word(104, "linkageSize"))
        }
    }

    /// Bytes of the code that the hashes cover, from the start of the slice.
    public var codeLimit: UInt64 {
        version >= 0x20300 && codeLimit64 != 0 ? codeLimit64 : UInt64(codeLimit32)
    }

    /// Bytes of one page; nil when one page covers everything. Shifts that no page can have give nil as well: the
    /// integrity rules refuse them first.
    public var pageSize: UInt64? {
        pageShift == 0 || pageShift > 62 ? nil : 1 << UInt64(pageShift)
    }

    /// The identifier's bytes.
    ///
    /// - Throws: `badOffset`, `unterminated`.
    public func identifier() throws(FormatFault) -> [UInt8] {
        try blob.terminatedText(at: UInt64(identOffset), in: Self.structure, field: "identOffset")
    }

    /// The team identifier's bytes, or nil when there is none.
    ///
    /// - Throws: `badOffset`, `unterminated`.
    public func teamIdentifier() throws(FormatFault) -> [UInt8]? {
        guard teamIDOffset != 0 else { return nil }
        return try blob.terminatedText(at: UInt64(teamIDOffset), in: Self.structure, field: "teamIDOffset")
    }
}
