/// A directory on disk (or a lone file) as a tree.
///
/// The listing is physical: symbolic links are entries, never followed, so there are no cycles. Every directory is
/// opened relative to its parent's descriptor with `O_NOFOLLOW`; whatever is swapped in during the run, nothing outside
/// the input is ever read. FIFOs, sockets and devices are listed as ``TreeEntry/Kind/other(_:)`` and never opened.
///
/// Kinds come from the listing itself; only where the file system does not tell them is each item asked for. So `mode`
/// and `size` of entries are nil here: 50,000 calls just to know them cost as much as reading many an app. They are
/// known as soon as an entry is open (``EntryContents/mode``, ``EntryContents/size``).
///
/// Not done: extended attributes, ACLs and resource forks are not looked at.
struct DirectoryTree: BundleTree {
    let entries: [TreeEntry]
    let faults: [TreeFault]

    private let root: Root
    /// What every path begins with: the bundle's own name, as a single component.
    private let name: BundlePath
    private let limits: Limits

    /// What the tree was made from, held open for as long as the tree lives.
    private enum Root {
        case directory(Descriptor)
        case file(Descriptor)
    }

    /// Lists everything at and below `directory`. The directory itself becomes the entry `name`, and every other path
    /// begins with it, so that a bundle's paths are the same in a folder and at the top of an archive.
    ///
    /// - Throws: ``ReadFault/limit(_:)``, or ``ReadFault/system(call:errno:)`` when the directory itself cannot be
    ///   listed. Directories below that cannot be listed are ``faults``.
    init(directory: Descriptor, name: [UInt8], limits: Limits = .standard) throws(ReadFault) {
        var listing = Listing(limits: limits)
        self.root = .directory(directory)
        self.name = BundlePath(bytes: name)
        self.limits = limits
        try listing.add(self.name, .directory)
        let items = try reading { () throws(SystemFault) in try listing.items(of: directory) }
        try listing.add(items, of: directory, at: self.name, depth: 1)
        listing.entries.sort { $0.path < $1.path }
        self.entries = listing.entries
        self.faults = listing.faults
    }

    /// The tree whose one entry is the open file `file`, called `name`.
    init(file: Descriptor, name: [UInt8], limits: Limits = .standard) throws(ReadFault) {
        self.root = .file(file)
        self.name = BundlePath(bytes: name)
        self.limits = limits
        let status = try reading { () throws(SystemFault) in try file.status() }
        guard status.kind == .file else { throw .notAFile }
        self.entries = [TreeEntry(path: self.name, kind: .file, mode: status.mode, size: status.size)]
        self.faults = []
    }

    func makeReader() throws(ReadFault) -> any EntryReader {
        switch root {
        case .directory(let descriptor): DirectoryReader(root: descriptor, name: name, limits: limits)
        case .file(let descriptor): LoneFileReader(file: descriptor, name: name, limits: limits)
        }
    }
}

/// The listing of a directory while it is being made.
private struct Listing {
    let limits: Limits
    var entries: [TreeEntry] = []
    var faults: [TreeFault] = []

    init(limits: Limits) { self.limits = limits }

    mutating func add(_ path: BundlePath, _ kind: TreeEntry.Kind) throws(ReadFault) {
        try limits.check(path: path.bytes.count)
        try limits.check(entries: entries.count + 1)
        entries.append(TreeEntry(path: path, kind: kind, mode: nil, size: nil))
    }

    /// What `directory` holds: at most one more than there may be, so that one too many is seen as such.
    func items(of directory: Descriptor) throws(SystemFault) -> [DirectoryItem] {
        let allowed = max(limits.entries, entries.count) - entries.count
        return try directory.system.list(directory.number, allowed + 1)
    }

    /// Adds `items` of `directory`, and what is below them. Recursion is bounded by ``Limits/pathDepth``; the chain of
    /// open descriptors is as long as the path is deep.
    mutating func add(
        _ items: [DirectoryItem], of directory: Descriptor, at path: BundlePath, depth: Int
    ) throws(ReadFault) {
        if !items.isEmpty { try limits.check(depth: depth + 1) }
        for item in items {
            let child = path.appending(item.name)
            let kind = kind(of: item, in: directory)
            try add(child, kind)
            guard kind == .directory else { continue }
            let below: Descriptor
            let itemsBelow: [DirectoryItem]
            do throws(SystemFault) {
                below = try directory.open(item.name[...], for: .directory)
                itemsBelow = try self.items(of: below)
            } catch {
                faults.append(TreeFault(kind: .unreadableDirectory(errno: error.number), name: child.bytes))
                continue
            }
            try add(itemsBelow, of: below, at: child, depth: depth + 1)
        }
    }

    private func kind(of item: DirectoryItem, in directory: Descriptor) -> TreeEntry.Kind {
        if let kind = item.kind { return TreeEntry.Kind(kind) }
        do throws(SystemFault) {
            return TreeEntry.Kind(try directory.system.statusAt(directory.number, item.name[...]).kind)
        } catch {
            return .other("something whose kind could not be told")
        }
    }
}

extension TreeEntry.Kind {
    init(_ kind: FileStatus.Kind) {
        switch kind {
        case .file: self = .file
        case .directory: self = .directory
        case .symbolicLink: self = .symbolicLink
        case .other(let word): self = .other(word)
        }
    }
}

extension Limits {
    /// Throws when a tree may not hold so many entries.
    func check(entries count: Int) throws(ReadFault) {
        if count > entries { throw .exceeded("entries in the input", UInt64(count), UInt64(entries)) }
    }

    /// Throws when a path may not have so many bytes.
    func check(path bytes: Int) throws(ReadFault) {
        if bytes > pathBytes { throw .exceeded("bytes of one path", UInt64(bytes), UInt64(pathBytes)) }
    }

    /// Throws when a path may not have so many components.
    func check(depth: Int) throws(ReadFault) {
        if depth > pathDepth { throw .exceeded("components of one path", UInt64(depth), UInt64(pathDepth)) }
    }

    /// Throws when a file or entry may not be so large.
    func check(file size: UInt64) throws(ReadFault) {
        if size > fileBytes { throw .exceeded("bytes of one file", size, fileBytes) }
    }

    /// Throws when a symbolic link's text may not be so long.
    func check(link bytes: UInt64) throws(ReadFault) {
        if bytes > UInt64(max(linkBytes, 0)) {
            throw .exceeded("bytes of a symbolic link", bytes, UInt64(max(linkBytes, 0)))
        }
    }
}

extension ReadFault {
    static func exceeded(_ what: String, _ value: UInt64, _ limit: UInt64) -> ReadFault {
        .limit(Limits.Exceeded(what, value: value, limit: limit))
    }
}
