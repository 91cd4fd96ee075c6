/// The name of an archive entry, found fit to be a path inside a tree.
struct ZipName: Hashable, Sendable {
    let path: BundlePath
    /// Whether the name ends in a slash, which is how an archive names a directory.
    let isDirectory: Bool

    /// What is wrong with a name.
    struct Rejection: Error, Hashable, Sendable {
        var kind: TreeFault.Kind
    }

    /// Takes a name apart.
    ///
    /// Nothing is repaired: extractors that do repair such names do it each in its own way, so that one archive unpacks
    /// to different trees.
    init(_ name: [UInt8]) throws(Rejection) {
        let slash = UInt8(ascii: "/")
        if name.first == slash || Self.isDrive(name) { throw Rejection(kind: .absoluteName) }
        if name.contains(UInt8(ascii: "\\")) { throw Rejection(kind: .backslashName) }
        if name.contains(0) { throw Rejection(kind: .malformedName) }

        isDirectory = name.last == slash
        let path = isDirectory ? name.dropLast() : name[...]
        var isMalformed = false
        for component in path.split(separator: slash, omittingEmptySubsequences: false) {
            if component.elementsEqual("..".utf8) { throw Rejection(kind: .climbingName) }
            if component.isEmpty || component.elementsEqual(".".utf8) { isMalformed = true }
        }
        // An empty name splits into one empty component.
        if isMalformed { throw Rejection(kind: .malformedName) }
        self.path = BundlePath(bytes: Array(path))
    }

    /// Whether the name begins with a drive letter. `a:b.txt` does not: a colon is a good character on Apple's systems.
    private static func isDrive(_ name: [UInt8]) -> Bool {
        let start = Array(name.prefix(3))
        guard start.count == 3, let letter = start.first, let end = start.last else { return false }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
        return isLetter && start.dropFirst().first == UInt8(ascii: ":")
            && (end == UInt8(ascii: "/") || end == UInt8(ascii: "\\"))
    }
}
