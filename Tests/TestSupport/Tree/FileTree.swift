/// A folder and everything in it, in memory.
///
/// Folders that only hold other things need no item of their own: every path implies its ancestors.
public struct FileTree: Hashable, Sendable {
    /// What stands at one path.
    public enum Item: Hashable, Sendable {
        case file([UInt8], mode: UInt16 = 0o644)
        case symlink([UInt8])
        /// An explicit directory: an empty one, or one with another mode than 0755.
        case directory(mode: UInt16 = 0o755)
        /// A named pipe. A folder can hold one, an archive can only claim it.
        case fifo

        /// A file with this text.
        public static func text(_ text: String) -> Item { .file(Array(text.utf8)) }

        /// A symbolic link with this target.
        public static func link(_ target: String) -> Item { .symlink(Array(target.utf8)) }
    }

    public private(set) var items: [RawPath: Item]

    public init(_ items: [RawPath: Item] = [:]) {
        self.items = items
    }

    /// All paths, in ascending order of their bytes.
    public var paths: [RawPath] { items.keys.sorted() }

    /// What stands at `path`. Setting nil removes that one item and leaves what is below it.
    public subscript(path: RawPath) -> Item? {
        get { items[path] }
        set { items[path] = newValue }
    }

    /// Whether anything stands at or below `path`.
    public func contains(_ path: RawPath) -> Bool {
        items[path] != nil || items.keys.contains { $0.relative(to: path) != nil }
    }
}

// MARK: - Files

extension FileTree {
    /// The bytes of the regular file at `path`.
    public func bytes(_ path: RawPath) throws -> [UInt8] {
        guard case .file(let bytes, _) = items[path] else { throw BuildError("no regular file at \(path)") }
        return bytes
    }

    /// Puts a file at `path`, replacing what is there.
    public mutating func add(_ path: RawPath, _ bytes: [UInt8], mode: UInt16 = 0o644) {
        items[path] = .file(bytes, mode: mode)
    }

    /// Puts a file with this text at `path`, replacing what is there.
    public mutating func add(_ path: RawPath, text: String) { add(path, Array(text.utf8)) }

    /// Puts a symbolic link at `path`, replacing what is there.
    public mutating func link(_ path: RawPath, to target: String) { items[path] = .link(target) }

    /// Edits the bytes of an existing regular file and keeps its mode.
    public mutating func edit(_ path: RawPath, _ body: (inout [UInt8]) throws -> Void) throws {
        guard case .file(var bytes, let mode) = items[path] else { throw BuildError("no regular file at \(path)") }
        items[path] = nil
        try body(&bytes)
        items[path] = .file(bytes, mode: mode)
    }

    /// Flips one byte of an existing regular file.
    public mutating func flip(_ path: RawPath, at offset: Int = 0) throws {
        try edit(path) { try $0.flipByte(at: offset) }
    }

    /// Changes the mode of an existing file or directory.
    public mutating func setMode(_ path: RawPath, _ mode: UInt16) throws {
        switch items[path] {
        case .file(let bytes, _): items[path] = .file(bytes, mode: mode)
        case .directory: items[path] = .directory(mode: mode)
        case .symlink, .fifo, nil: throw BuildError("nothing with a mode at \(path)")
        }
    }
}

// MARK: - Whole branches

extension FileTree {
    /// Removes what stands at and below `path`. Throws when there is nothing.
    public mutating func remove(_ path: RawPath) throws {
        let doomed = items.keys.filter { $0.relative(to: path) != nil }
        if doomed.isEmpty { throw BuildError("nothing to remove at \(path)") }
        for path in doomed { items[path] = nil }
    }

    /// Moves what stands at and below `source`. Throws when there is nothing.
    public mutating func move(_ source: RawPath, to target: RawPath) throws {
        let branch = subtree(source)
        try remove(source)
        graft(branch, at: target)
    }

    /// What stands at and below `path`, with paths relative to it.
    public func subtree(_ path: RawPath) -> FileTree {
        if path.isRoot { return self }
        var branch = FileTree()
        for (candidate, item) in items {
            if let relative = candidate.relative(to: path) { branch.items[relative] = item }
        }
        return branch
    }

    /// Adds all of `branch` below `path`.
    public mutating func graft(_ branch: FileTree, at path: RawPath) {
        for (relative, item) in branch.items { items[path / relative] = item }
    }

    /// Replaces what stands at and below `path` by `branch`.
    public mutating func replace(_ path: RawPath, with branch: FileTree) {
        for candidate in items.keys where candidate.relative(to: path) != nil { items[candidate] = nil }
        graft(branch, at: path)
    }
}
