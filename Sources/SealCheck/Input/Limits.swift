/// Every bound that sealcheck puts on an input, in one value.
///
/// Each has a reason; each can be lowered in a test. Reaching one is never a pass and never a crash: it is an
/// ``Exceeded`` fault that says which bound it was.
public struct Limits: Hashable, Sendable {
    /// Entries in one tree. The App Store's largest apps hold some 100,000 files; a zip directory of ten million
    /// entries is an attack.
    public var entries = 1_000_000
    /// Bytes of one path. Twice `PATH_MAX` of Darwin (1,024), so that whatever can exist on a device fits.
    public var pathBytes = 4_096
    /// Components of one path.
    public var pathDepth = 256
    /// Nesting of code objects. Real apps have four levels (app, watch app, appex, framework).
    public var codeDepth = 64
    /// Bytes of one file or entry. The largest iOS app allowed is 4 GB; macOS bundles are larger.
    public var fileBytes: UInt64 = 64 << 30
    /// Sum of the declared sizes of an archive's entries.
    public var totalBytes: UInt64 = 256 << 30
    /// Bytes of an archive's central directory. A million entries with names of 200 bytes.
    public var archiveDirectoryBytes: UInt64 = 256 << 20
    /// Inflated over deflated size of an archive. Deflate itself cannot exceed 1,032:1.
    public var inflateRatio: UInt64 = 1_100
    /// Text of a symbolic link. `PATH_MAX` of Linux.
    public var linkBytes = 4_096
    /// Bytes of one property list. The seal of 300,000 files has some 90 MB.
    public var propertyListBytes: UInt64 = 256 << 20
    /// Bytes of one Info.plist; they are held until they are hashed. Large real ones have some 100 KiB.
    public var infoPlistBytes: UInt64 = 16 << 20
    /// Nesting of one property list. libplist recurses once a level; CoreFoundation gives up at 512.
    public var propertyListDepth = 256
    /// Nodes of one property list.
    public var propertyListNodes = 4_000_000
    /// Nodes of all property lists of one input together: what they say is held to the end. As many as one may have.
    public var allPropertyListNodes = 4_000_000
    /// Rules in one rule dictionary. Apple's default sets have 13; each pattern may cost some 2 MB while it is matched.
    public var resourceRules = 128
    /// Bytes of one resource rule's pattern. Apple's longest has some 90.
    public var rulePatternBytes = 1_024
    /// Bytes of a Mach-O's load commands. The kernel refuses more than one page short of 64 KiB for main executables
    /// of old; large frameworks have some 30 KiB.
    public var loadCommandBytes: UInt32 = 16 << 20
    /// Bytes of one slice's signature. One hash for each 4 KiB page of a 4 GiB file is 32 MiB; two CodeDirectories 84.
    public var signatureBytes: UInt64 = 256 << 20
    /// Bytes of all signatures of one input together: they are held to the end. As many as one may have; those of an app
    /// of 4 GiB have 64 MiB.
    public var allSignatureBytes: UInt64 = 256 << 20
    /// Passes over one archive entry that is too large to be held, to read its structure. A slice may cost four; a
    /// universal file of that size has two slices, or three.
    public var streamedPasses = 16
    /// Blobs in one SuperBlob. Apple defines 21 slots.
    public var superBlobEntries = 1_024
    /// Contents up to this size are held in memory whole while they are hashed; larger archive entries are streamed.
    public var wholeEntryBytes: UInt64 = 64 << 20
    /// Nested fault lists (bad pages, say) kept for each subject; the count is always exact.
    public var listedFaults = 64

    public static let standard = Limits()

    public init() {}

    /// Which bound was reached, and the value that reached it.
    public struct Exceeded: Error, Hashable, Sendable {
        /// The bound's name, as a person would say it: "entries in the archive".
        public var what: String
        public var value: UInt64
        public var limit: UInt64

        public init(_ what: String, value: UInt64, limit: UInt64) {
            self.what = what
            self.value = value
            self.limit = limit
        }
    }
}
