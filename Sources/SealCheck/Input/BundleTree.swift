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
    /// Unix permission bits (`mode & 07777`), or nil where the container records none, and for what a directory on disk
    /// holds: there it would cost a system call for each file. An open file knows them (``EntryContents/mode``).
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
        /// An earlier entry carries the same name and is the one that is listed; `sameContents` tells whether their
        /// kinds and their recorded sizes and CRCs agree.
        case duplicateName(sameContents: Bool)
        /// The name stands for a file or link where an earlier entry has it for a directory, or the other way round
        /// (`a` and `a/b`). The earlier one is listed.
        case fileAsDirectory
        /// Info-ZIP's Unicode path field gives the entry another name than its header: readers that know the field and
        /// readers that do not see different trees. The name of the header is the one that is listed.
        case alternativeName([UInt8])
        /// The local header, by which an installer goes that unpacks what it receives, tells another story than the
        /// directory. The directory's is the one that is listed and read.
        case localHeaderDiffers(LocalField)
        /// The entry begins inside another one.
        case overlappingEntries
        /// A local header that the directory does not list stands between the entries: an installer that unpacks what
        /// it receives would unpack that entry too. The name is the local header's.
        case unlistedEntry
        /// The directory could not be listed; `errno` says why.
        case unreadableDirectory(errno: Int32)
    }

    /// The first field in which a local header differs from the directory.
    public enum LocalField: String, Hashable, Sendable {
        /// There is no local header where the directory says.
        case position
        case name, method, encryption, checksum, size
        /// The header leaves sizes or checksum to a data descriptor, which is not there or has others.
        case descriptor
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

    /// Unix permission bits (`mode & 07777`), or nil where the container records none.
    var mode: UInt16? { get }

    /// Whether ``bytes(in:)`` can answer without reading everything before it.
    var isSeekable: Bool { get }

    /// The bytes of `range`, cut at the end of the contents; the caller bounds its length.
    ///
    /// Where the contents are not seekable, everything before the range is read again on each call: good for a look at
    /// the beginning, ruinous for more. What it returns has not been checked against a recorded checksum unless the
    /// contents are in memory; ``forEachChunk(_:)`` does that.
    func bytes(in range: Range<UInt64>) throws(ReadFault) -> [UInt8]

    /// Hands over the whole contents once, in order, in pieces of at most 256 KiB (a seekable entry that is in memory
    /// may hand over larger ones). Returns only after the size and any recorded checksum were found right.
    func forEachChunk(_ body: (UnsafeRawBufferPointer, _ offset: UInt64) throws(ReadFault) -> Void) throws(ReadFault)
}
