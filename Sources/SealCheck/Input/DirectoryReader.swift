/// Reads the files of a ``DirectoryTree``.
///
/// A file is opened one component after the other, each relative to the descriptor of the one before and none through a
/// link. The descriptors of the last file's directories are kept: in a sorted walk nearly every file costs one `openat`.
final class DirectoryReader: EntryReader {
    private let root: Descriptor
    private let name: BundlePath
    private let limits: Limits
    private var buffer = RecycledBuffer()
    /// The open directories from the root's child down to that of the last file.
    private var chain: [(name: ArraySlice<UInt8>, directory: Descriptor)] = []

    /// More kept descriptors than this would let a hostile depth, times the number of readers, use up what the process
    /// may open. Real bundles are some 15 levels deep.
    private static let keptLevels = 32

    init(root: Descriptor, name: BundlePath, limits: Limits) {
        self.root = root
        self.name = name
        self.limits = limits
    }

    func linkTarget(of entry: TreeEntry) throws(ReadFault) -> [UInt8] {
        guard entry.kind == .symbolicLink else { throw .notAFile }
        let text = try sinceListing { () throws(SystemFault) in
            let (directory, last) = try parent(of: entry.path)
            // One byte more than allowed, so that a text which is too long is seen as such.
            return try directory.system.readLink(directory.number, last, max(limits.linkBytes, 0) + 1)
        }
        try limits.check(link: UInt64(text.count))
        return text
    }

    func open(_ entry: TreeEntry) throws(ReadFault) -> any EntryContents {
        guard entry.kind == .file else { throw .notAFile }
        let file = try sinceListing { () throws(SystemFault) in
            let (directory, last) = try parent(of: entry.path)
            return try directory.open(last, for: .file)
        }
        return try FileContents(file, limits: limits, buffer: RecycledBuffer.recycle(&buffer))
    }

    /// The open directory that holds `path`, and the path's last component.
    private func parent(of path: BundlePath) throws(SystemFault) -> (Descriptor, ArraySlice<UInt8>) {
        var components = path.relative(to: name)?.components ?? []
        // The tree's own folder, or a path of another tree: neither is a file of this one.
        guard let last = components.popLast() else { throw .noSuchFile("openat") }
        let kept = zip(chain, components).prefix { $0.name == $1 }.count
        chain.removeLast(chain.count - kept)
        var directory = chain.last?.directory ?? root
        for component in components.dropFirst(kept) {
            directory = try directory.open(component, for: .directory)
            if chain.count < Self.keptLevels { chain.append((component, directory)) }
        }
        return (directory, last)
    }
}

/// Reads the only file of a tree that was made from a lone file, through the descriptor by which it was looked at.
final class LoneFileReader: EntryReader {
    private let file: Descriptor
    private let name: BundlePath
    private let limits: Limits
    private var buffer = RecycledBuffer()

    init(file: Descriptor, name: BundlePath, limits: Limits) {
        self.file = file
        self.name = name
        self.limits = limits
    }

    func linkTarget(of entry: TreeEntry) throws(ReadFault) -> [UInt8] { throw .notAFile }

    func open(_ entry: TreeEntry) throws(ReadFault) -> any EntryContents {
        guard entry.kind == .file, entry.path == name else { throw .notAFile }
        return try FileContents(file, limits: limits, buffer: RecycledBuffer.recycle(&buffer))
    }
}

/// An open file.
///
/// It is read with `pread`, never mapped: a file that is cut short under a map kills the process (SIGBUS). Size and time
/// of change are compared after every reading with what they were at opening.
final class FileContents: EntryContents {
    let size: UInt64
    let mode: UInt16?
    var isSeekable: Bool { true }

    private let file: Descriptor
    private let opened: FileStatus
    private let buffer: RecycledBuffer

    /// The step that reads big files fastest.
    static let step = 256 << 10

    init(_ file: Descriptor, limits: Limits, buffer: RecycledBuffer) throws(ReadFault) {
        opened = try reading { () throws(SystemFault) in try file.status() }
        // The listing said file; something else has been put in its place.
        guard opened.kind == .file else { throw .changed }
        try limits.check(file: opened.size)
        self.file = file
        self.size = opened.size
        self.mode = opened.mode
        self.buffer = buffer
    }

    func bytes(in range: Range<UInt64>) throws(ReadFault) -> [UInt8] {
        let range = range.clamped(to: 0..<size)
        guard let count = Int(exactly: range.upperBound - range.lowerBound) else { throw .notAFile }
        if count == 0 { return [] }
        let bytes = try reading { () throws(SystemFault) in try file.bytes(at: range.lowerBound, count: count) }
        if bytes.count != count { throw .changed }
        try checkUnchanged()
        return bytes
    }

    func forEachChunk(
        _ body: (UnsafeRawBufferPointer, _ offset: UInt64) throws(ReadFault) -> Void
    ) throws(ReadFault) {
        var offset: UInt64 = 0
        while offset < size {
            let wanted = Int(min(size - offset, UInt64(Self.step)))
            let count = try reading { () throws(SystemFault) in
                try file.read(into: buffer.bytes(wanted), at: offset)
            }
            if count != wanted { throw .changed }
            try body(buffer.contents(wanted), offset)
            offset += UInt64(wanted)
        }
        try checkUnchanged()
    }

    private func checkUnchanged() throws(ReadFault) {
        let now = try reading { () throws(SystemFault) in try file.status() }
        if now.contentsDiffer(from: opened) { throw .changed }
    }
}

/// Makes system calls for a file that the listing has seen: when it is gone, or something of another kind stands in
/// its place or in that of a folder above it, it changed.
private func sinceListing<Value>(_ calls: () throws(SystemFault) -> Value) throws(ReadFault) -> Value {
    do throws(SystemFault) {
        return try calls()
    } catch {
        throw error.meansReplaced ? .changed : ReadFault(error)
    }
}
