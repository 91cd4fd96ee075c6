/// A tree's entries, found by path, by folder and through links. A plain value over what was listed: no I/O.
public struct TreeIndex: Sendable {
    /// Every entry, in ascending order of path bytes.
    public let entries: [TreeEntry]
    /// The text of each symbolic link that could be read.
    public let links: [BundlePath: [UInt8]]
    private let positions: [BundlePath: Int]

    /// Symbolic links followed in one resolution before it counts as a loop; Darwin's `MAXSYMLINKS`.
    static let maximumLinks = 32

    public init(entries: [TreeEntry], links: [BundlePath: [UInt8]]) {
        self.entries = entries
        self.links = links
        var positions: [BundlePath: Int] = [:]
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() { positions[entry.path] = position }
        self.positions = positions
    }

    public subscript(path: BundlePath) -> TreeEntry? { positions[path].map { entries[$0] } }

    /// The position in ``entries`` of the entry at `path`.
    public func position(of path: BundlePath) -> Int? { positions[path] }

    public func isDirectory(_ path: BundlePath) -> Bool { path.isRoot || self[path]?.kind == .directory }

    public func isFile(_ path: BundlePath) -> Bool { self[path]?.kind == .file }

    /// Positions of all entries below `directory`, however deep.
    public func positions(below directory: BundlePath) -> Range<Int> {
        if directory.isRoot { return entries.indices }
        // Everything below `a` begins with `a/`, and `0` is the byte after `/`.
        let first = lowerBound(directory.bytes + [UInt8(ascii: "/")])
        let last = lowerBound(directory.bytes + [UInt8(ascii: "/") + 1])
        return first..<max(first, last)
    }

    /// The entries directly in `directory`, in order.
    public func children(of directory: BundlePath) -> [TreeEntry] {
        let depth = directory.depth + 1
        return entries[positions(below: directory)].filter { $0.path.depth == depth }
    }

    /// The directory (or link to one) directly in `parent` whose name is `name` in any case of ASCII letters, as
    /// CoreFoundation looks for layouts.
    public func directory(named name: String, in parent: BundlePath) -> BundlePath? {
        let exact = parent.appending(name)
        if leadsToDirectory(exact) { return exact }
        return children(of: parent).first {
            $0.path.lastComponent.count == name.utf8.count
                && zip($0.path.lastComponent, name.utf8).allSatisfy { Self.lowered($0) == Self.lowered($1) }
                && leadsToDirectory($0.path)
        }?.path
    }

    /// Whether `path` is a directory or a link that ends at one.
    public func leadsToDirectory(_ path: BundlePath) -> Bool { resolve(path).map(isDirectory) ?? false }

    /// Where a path leads when every link on the way is followed.
    public enum Resolution: Hashable, Sendable {
        case found(BundlePath)
        /// Something on the way is not there; where it would be.
        case missing(BundlePath)
        /// Too many links on the way, as when they lead round in circles.
        case loop
        /// It leads out of the tree, or is absolute; the text is that of the link that does.
        case outside([UInt8])
        /// A link on the way could not be read.
        case unknown
    }

    /// The real path behind `path`, with every link on the way followed; nil when something is missing, leads out of
    /// the tree, or goes round in circles.
    public func resolve(_ path: BundlePath) -> BundlePath? {
        if case .found(let real) = resolution(of: path) { return real }
        return nil
    }

    public func resolution(of path: BundlePath) -> Resolution {
        var rest = Array(path.components.reversed())
        var done = BundlePath.root
        var followed = 0
        var text: [UInt8] = []
        while let component = rest.popLast() {
            if component.elementsEqual([UInt8(ascii: ".")]) { continue }
            if component.elementsEqual([UInt8(ascii: "."), UInt8(ascii: ".")]) {
                guard let parent = done.parent else { return .outside(text) }
                done = parent
                continue
            }
            let next = done.appending(component)
            guard let entry = self[next] else { return .missing(next) }
            if entry.kind == .symbolicLink {
                followed += 1
                guard followed <= Self.maximumLinks else { return .loop }
                guard let target = links[next] else { return .unknown }
                text = target
                if target.first == UInt8(ascii: "/") { return .outside(target) }
                rest.append(contentsOf: BundlePath(bytes: target).components.reversed())
            } else {
                done = next
            }
        }
        return .found(done)
    }

    private func lowerBound(_ key: [UInt8]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].path.bytes.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
