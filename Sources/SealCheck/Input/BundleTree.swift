/// What an input holds: a list of entries and a way to read one.
///
/// There are two implementations, ``DirectoryTree`` and ``ArchiveTree``. Hostile names, links and sizes stop at this
/// door: whatever a tree lists can be used as a key without further care, and what it refused stands in ``faults``.
public protocol BundleTree: Sendable {
    /// Every entry below the root, each path once, in ascending order of path bytes. The root itself is not listed.
    /// A directory that an archive only implies (`a/b` without `a/`) is listed too.
    var entries: [TreeEntry] { get }

    /// What was wrong with the input as a container, in the order it was met.
    var faults: [TreeFault] { get }

    /// A reader for one thread. Readers of one tree may be used side by side.
    func makeReader() throws(ReadFault) -> any EntryReader
}

/// One file, directory, symbolic link or odd thing in a tree.
public struct TreeEntry: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case file
        case directory
        /// A symbolic link; the target text is read when it is asked for (``EntryReader/linkTarget(of:)``).
        case symbolicLink
        /// A FIFO, socket, device, or something whose kind could not be told; the word is for people.
        case other(String)
    }

    public var path: BundlePath
    public var kind: Kind
    /// Unix permission bits (`mode & 07777`), or nil where the container records none.
    public var mode: UInt16?
    /// Size in bytes of the contents as the container declares it, or nil where it was not asked for. Not proven until
    /// the entry was read.
    public var size: UInt64?
    /// What the tree needs to find the entry again: an archive's index, or 0.
    public var handle: UInt64

    public init(path: BundlePath, kind: Kind, mode: UInt16?, size: UInt64?, handle: UInt64 = 0) {
        self.path = path
        self.kind = kind
        self.mode = mode
        self.size = size
        self.handle = handle
    }
}

/// A fault of the container itself, found while listing it.
public struct TreeFault: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The name begins with `/` or a drive letter.
        case absoluteName
        /// The name holds a `..` component.
        case climbingName
        /// The name holds a back-slash.
        case backslashName
        /// The name is empty, or holds an empty component, a `.` component or a NUL.
        case malformedName
        /// Two entries carry the same name; `sameBytes` tells whether their recorded size and CRC agree.
        case duplicateName(sameContents: Bool)
        /// One entry's name is a directory above another entry, but it is a file or a link.
        case fileAsDirectory
        /// The directory could not be listed; `errno` says why.
        case unreadableDirectory(errno: Int32)
    }

    public var kind: Kind
    /// The name as the container has it, hostile as it is.
    public var name: [UInt8]

    public init(kind: Kind, name: [UInt8]) {
        self.kind = kind
        self.name = name
    }
}

/// Why an entry could not be read. Nothing is known of its contents then: the caller reports that it could not check.
public enum ReadFault: Error, Hashable, Sendable {
    /// The archive entry is encrypted.
    case encrypted
    /// The archive entry uses a compression method other than stored (0) and deflated (8).
    case method(UInt16)
    /// The contents do not have the declared size.
    case sizeMismatch(declared: UInt64)
    /// The contents do not have the recorded CRC-32.
    case checksumMismatch
    /// The compressed stream is damaged.
    case damaged(String)
    /// The declared size, or the ratio of sizes, is beyond what ``Limits`` allows.
    case limit(Limits.Exceeded)
    /// A system call failed.
    case system(call: String, errno: Int32)
    /// The file changed while it was being read.
    case changed
    /// OpenSSL could not compute the digest of this name.
    case digest(String)
    /// The entry cannot be read as a file.
    case notAFile
}

/// Reads entries of one tree, on one thread at a time.
public protocol EntryReader: AnyObject {
    /// The text of a symbolic link, as bytes.
    func linkTarget(of entry: TreeEntry) throws(ReadFault) -> [UInt8]

    /// Opens a file entry. The contents are valid until the next call on this reader.
    func open(_ entry: TreeEntry) throws(ReadFault) -> any EntryContents
}

/// The contents of one file entry while it is open.
public protocol EntryContents: AnyObject {
    /// The size in bytes: what the file system says, or what the archive declares.
    var size: UInt64 { get }

    /// Unix permission bits as found when the entry was opened, where the listing did not tell; else nil.
    var mode: UInt16? { get }

    /// Whether ``bytes(in:)`` can answer without reading everything before it.
    var isSeekable: Bool { get }

    /// The bytes of `range`, cut at the end of the contents. Only for seekable contents; bounded by the caller.
    func bytes(in range: Range<UInt64>) throws(ReadFault) -> [UInt8]

    /// Hands over the whole contents once, in order, in pieces of at most 256 KiB (a seekable entry that is in memory
    /// may hand over larger ones). Returns only after the size and any recorded checksum were found right.
    func forEachChunk(_ body: (UnsafeRawBufferPointer, _ offset: UInt64) throws(ReadFault) -> Void) throws(ReadFault)
}
