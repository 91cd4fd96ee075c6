import SealCheck
import TestSupport

/// A tree in memory: facts, checks and judgement without a disk or an archive.
struct MemoryTree: BundleTree {
    let entries: [TreeEntry]
    var faults: [TreeFault] = []
    private let items: [BundlePath: FileTree.Item]

    /// - Parameter prefix: the bundle's own name, with which all paths begin.
    init(_ tree: FileTree, below prefix: BundlePath) {
        var items: [BundlePath: FileTree.Item] = [:]
        for (path, item) in tree.items { items[prefix.appending(path.bytes)] = item }
        var folders: Set<BundlePath> = [prefix]
        for path in items.keys {
            var folder = path.parent
            while let current = folder, !current.isRoot {
                folders.insert(current)
                folder = current.parent
            }
        }
        for folder in folders where items[folder] == nil { items[folder] = .directory() }
        entries = items.map { path, item in
            switch item {
            case .file(let bytes, let mode):
                TreeEntry(path: path, kind: .file, mode: mode, size: UInt64(bytes.count))
            case .symlink: TreeEntry(path: path, kind: .symbolicLink, mode: nil, size: nil)
            case .directory(let mode): TreeEntry(path: path, kind: .directory, mode: mode, size: nil)
            case .fifo: TreeEntry(path: path, kind: .other("FIFO"), mode: nil, size: nil)
            }
        }.sorted { $0.path < $1.path }
        self.items = items
    }

    func makeReader() throws(ReadFault) -> any EntryReader { Reader(items: items) }

    final class Reader: EntryReader {
        private let items: [BundlePath: FileTree.Item]

        init(items: [BundlePath: FileTree.Item]) { self.items = items }

        func linkTarget(of entry: TreeEntry) throws(ReadFault) -> [UInt8] {
            guard case .symlink(let target) = items[entry.path] else { throw .notAFile }
            return target
        }

        func open(_ entry: TreeEntry) throws(ReadFault) -> any EntryContents {
            guard case .file(let bytes, _) = items[entry.path] else { throw .notAFile }
            return Contents(bytes)
        }
    }

    final class Contents: EntryContents {
        private let array: [UInt8]
        let mode: UInt16? = nil
        let isSeekable = true

        init(_ bytes: [UInt8]) { array = bytes }

        var size: UInt64 { UInt64(array.count) }

        func bytes(in range: Range<UInt64>) throws(ReadFault) -> [UInt8] {
            let range = range.clamped(to: 0..<size)
            return Array(array[Int(range.lowerBound)..<Int(range.upperBound)])
        }

        func forEachChunk(
            _ body: (UnsafeRawBufferPointer, _ offset: UInt64) throws(ReadFault) -> Void
        ) throws(ReadFault) {
            // Odd pieces, so that pages, headers and signatures straddle them.
            var offset = 0
            while offset < array.count {
                let end = min(array.count, offset + 3_001)
                let piece = Array(array[offset..<end])
                try piece.span.bytes.withUnsafeBytes { (bytes) throws(ReadFault) in try body(bytes, UInt64(offset)) }
                offset = end
            }
        }
    }
}

extension Verifier {
    /// Judges a bundle in memory.
    func verify(_ bundle: SealedBundle) async throws -> Report {
        let root = BundlePath(bytes: Array(bundle.name.utf8))
        return try await verify(
            MemoryTree(bundle.tree, below: root), root: root, inputPath: bundle.name, inputKind: "bundle")
    }
}
