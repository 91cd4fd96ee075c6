public import Foundation

/// Puts a tree on the disk through the bare system calls: names are bytes, links are not followed, modes are exact.
extension FileTree {
    /// Writes everything below `folder`, which is made when it does not exist.
    public func write(to folder: URL) throws {
        let base = RawPath(folder.path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var made: Set<RawPath> = [.root]
        for path in paths {
            for ancestor in path.ancestors where made.insert(ancestor).inserted {
                try Self.makeDirectory(base / ancestor)
            }
            switch items[path] {
            case .file(let bytes, let mode): try Self.writeFile(base / path, bytes, mode: mode)
            case .symlink(let target):
                try Self.check(symlink(Self.cString(target), Self.cString((base / path).bytes)), "symlink", path)
            case .directory: if made.insert(path).inserted { try Self.makeDirectory(base / path) }
            case .fifo: try Self.check(mkfifo(Self.cString((base / path).bytes), 0o644), "mkfifo", path)
            case nil: break
            }
        }
        // Modes come last: a directory without permission to write must be filled first.
        for path in paths.reversed() {
            if case .directory(let mode) = items[path] {
                try Self.check(chmod(Self.cString((base / path).bytes), mode_t(mode)), "chmod", path)
            }
        }
    }

    private static func makeDirectory(_ path: RawPath) throws {
        if mkdir(cString(path.bytes), 0o755) != 0, errno != EEXIST { try check(-1, "mkdir", path) }
    }

    private static func writeFile(_ path: RawPath, _ bytes: [UInt8], mode: UInt16) throws {
        let descriptor = open(cString(path.bytes), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try check(descriptor, "open", path)
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            try check(Int32(clamping: count), "write", path)
            written += count
        }
        try check(fchmod(descriptor, mode_t(mode)), "fchmod", path)
    }

    private static func cString(_ bytes: [UInt8]) -> [CChar] { (bytes + [0]).map { CChar(bitPattern: $0) } }

    private static func check(_ result: Int32, _ call: String, _ path: RawPath) throws {
        if result < 0 { throw BuildError("\(call) \(path): \(String(cString: strerror(errno)))") }
    }
}

extension FileTree {
    /// The tree as archive entries below `prefix`, in ascending order of path bytes. A directory gets an entry before
    /// the first thing in it, as Apple's own packer writes them.
    public func zipEntries(below prefix: RawPath = .root, directories: Bool = true) -> [ZipEntry] {
        var entries: [ZipEntry] = []
        var made: Set<RawPath> = [.root]
        for path in paths {
            let name = prefix / path
            if directories {
                for ancestor in name.ancestors where made.insert(ancestor).inserted {
                    let own = ancestor.relative(to: prefix).flatMap { items[$0] }
                    if case .directory(let mode) = own {
                        entries.append(.directory(ancestor, mode: mode))
                    } else {
                        entries.append(.directory(ancestor))
                    }
                }
            }
            switch items[path] {
            case .file(let bytes, let mode):
                var entry = ZipEntry.file(name, bytes, mode: mode)
                // Big files are random bytes that would not get smaller; both ways of packing get their exercise.
                entry.packing = bytes.count > 4096 ? .deflatedBlocks : .deflated
                entries.append(entry)
            case .symlink(let target): entries.append(.symlink(name, target))
            case .directory(let mode):
                if made.insert(name).inserted { entries.append(.directory(name, mode: mode)) }
            case .fifo: entries.append(ZipEntry(name: name.bytes, contents: [], mode: 0o010644))
            case nil: break
            }
        }
        return entries
    }
}
