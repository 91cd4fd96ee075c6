public import MachOReader

/// What was read of one Mach-O file.
public struct MachOFacts: Hashable, Sendable {
    public enum Container: Hashable, Sendable {
        case thin
        /// A universal file with a 32-bit table.
        case universal(UniversalFile)
        /// A universal file with a 64-bit table, which Apple's verifier does not take for Mach-O (spec 2.1).
        case universal64(UniversalFile)
        /// Its magic is that of a universal file, but the table cannot be read.
        case malformed(FormatFault)
    }

    public var container: Container
    /// Size of the file in bytes.
    public var fileSize: UInt64
    /// One for a thin file, one a table entry for a universal one.
    public var slices: [SliceFacts]
    /// Bytes between the table and the slices, between slices, and after the last.
    public var gaps: [Gap]

    /// Bytes of a universal file that belong to no slice.
    public struct Gap: Hashable, Sendable {
        public var range: Range<UInt64>
        /// The slice that follows, or nil after the last.
        public var before: Int?
        /// Offset of the first byte that is not zero; nil when all are, or when the gap was too large to read.
        public var nonZero: UInt64?
    }
}

/// What was read of one image: a thin file, or one slice of a universal one.
public struct SliceFacts: Hashable, Sendable {
    /// Position in the table.
    public var index: Int
    /// Offset in the file.
    public var offset: UInt64
    /// Size of the slice: the file's size for thin files, the table's word for others.
    public var size: UInt64
    /// What the table says, or for thin files the header.
    public var architecture: Architecture
    /// The header and commands.
    public var image: Parsed<MachOImage>
    public var signature: Signature
    /// The embedded `__TEXT,__info_plist`, where there is one.
    public var embeddedInfoPlist: Bytes?
    /// Which Swift types conform to the protocols of widgets and Live Activities; nil for an image without Swift.
    public var swiftMetadata: Parsed<SwiftMetadata>?

    public enum Signature: Hashable, Sendable {
        /// No `LC_CODE_SIGNATURE`, or no image to have one.
        case none
        /// The signature cannot be read as one (spec 1.4).
        case malformed(FormatFault)
        case present(SignatureFacts)
    }

    public var signatureFacts: SignatureFacts? {
        if case .present(let facts) = signature { return facts }
        return nil
    }
}
