/// Everything that was read of an input, and nothing that was concluded. Each byte was read once for it.
public struct Facts: Sendable {
    /// The bundle or file that is judged, in the tree.
    public var root: BundlePath
    /// Entries and links of the tree.
    public var index: TreeIndex
    /// What was read of each entry, in the order of ``TreeIndex/entries``.
    public var files: [FileFacts]
    /// Code objects, each before those that it holds, otherwise in order of path bytes.
    public var code: [CodeObject]
    /// What the seal of a code object says, by position in ``code``. Absent where there is no seal file.
    public var seals: [Int: SealFacts]
    /// Signature files of `_CodeSignature` (spec 1.3, 4.4), by position in ``code``.
    public var detachedSignatures: [Int: SignatureFacts]
    /// Faults of the container.
    public var treeFaults: [TreeFault]
    /// Whether digests were computed with every function, and not only with those that a verdict consults.
    public var hasAllDigests: Bool
    public var counters: Counters

    public subscript(path: BundlePath) -> FileFacts? { index.position(of: path).map { files[$0] } }

    /// The Mach-O facts of a code object's executable.
    public func machO(of code: CodeObject) -> MachOFacts? {
        code.executable.flatMap { self[$0]?.machO }
    }
}

/// What was read of one entry.
public struct FileFacts: Hashable, Sendable {
    /// Digests of the contents, for the functions that a seal around the file uses.
    public var digests = DigestSet()
    /// Size as it was read; nil for what was not read.
    public var size: UInt64?
    /// Unix permission bits, where known.
    public var mode: UInt16?
    public var machO: MachOFacts?
    /// Why the contents are not known.
    public var fault: ReadFault?

    public init() {}
}

/// A seal file as it was read.
public struct SealFacts: Hashable, Sendable {
    public var path: BundlePath
    public var contents: Result<PropertyList, CodeObject.InfoPlist.Fault>
}

/// Exact counts of the work that was done, for people and for tests: machine-independent, unlike time.
public struct Counters: Hashable, Sendable {
    /// Files whose contents were read.
    public var filesRead = 0
    /// Bytes of contents, inflated, handed over by the tree.
    public var bytesRead: UInt64 = 0
    /// Bytes hashed, by function.
    public var bytesHashed: [DigestAlgorithm: UInt64] = [:]

    public init() {}

    mutating func add(_ other: Counters) {
        filesRead += other.filesRead
        bytesRead += other.bytesRead
        bytesHashed.merge(other.bytesHashed) { $0 + $1 }
    }
}
