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
        var climbs = false
        var isMalformed = false
        // The bytes and dots of the component at hand. Splitting would allocate for each of its names.
        var count = 0
        var dots = 0
        func endComponent() {
            if count == 2, dots == 2 { climbs = true }
            // An empty name is one empty component.
            if count == 0 || count == 1 && dots == 1 { isMalformed = true }
            count = 0
            dots = 0
        }
        for byte in path {
            if byte == slash {
                endComponent()
            } else {
                count += 1
                if byte == UInt8(ascii: ".") { dots += 1 }
            }
        }
        endComponent()
        if climbs { throw Rejection(kind: .climbingName) }
        if isMalformed { throw Rejection(kind: .malformedName) }
        self.path = BundlePath(bytes: isDirectory ? Array(path) : name)
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
