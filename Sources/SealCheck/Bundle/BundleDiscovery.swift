/// Finds the bundles of a tree by their structure. Pure: what has to be read for it is asked for first
/// (``candidates(root:index:)``) and handed in later.
///
/// A folder is a code object when it is the input itself, ends in `.app`, `.appex`, `.framework`, `.xpc` or `.xctest`,
/// has signature files in `_CodeSignature`, or has an Info.plist whose executable turns out to be Mach-O. Any other
/// folder, `.bundle` included, is plain data. Where it lies does not matter: an appex in `Extensions/` or at the root
/// of an app is found like one in `PlugIns/`.
struct BundleDiscovery {
    /// A folder that is, or may be, a code object.
    struct Candidate {
        var path: BundlePath
        var kind: CodeObject.Kind
        var layout: BundleLayout
        /// Whether it is a code object only if its executable is Mach-O.
        var isProvisional: Bool
    }

    /// Every folder at or below `root` that may be a code object, each before those below it.
    static func candidates(root: BundlePath, index: TreeIndex) -> [Candidate] {
        guard index.isDirectory(root) else { return [] }
        var found: [Candidate] = []
        // Folders that are part of a bundle already found: its `Contents`, `Resources` or versions.
        var inner: Set<BundlePath> = []
        func add(_ candidate: Candidate) {
            found.append(candidate)
            inner.insert(candidate.layout.supportDirectory)
            inner.insert(candidate.layout.base)
            if let folder = candidate.layout.infoPlist.parent { inner.insert(folder) }
            if candidate.layout.isVersioned { inner.insert(candidate.path.appending("Resources")) }
        }

        let folders = [root] + index.entries[index.positions(below: root)].filter { $0.kind == .directory }.map(\.path)
        for folder in folders {
            let named = CodeObject.Kind(directoryName: folder)
            if let kind = folder == root ? named ?? .bundle : named {
                let layout = BundleLayout(of: folder, in: index)
                add(Candidate(path: folder, kind: kind, layout: layout, isProvisional: false))
                for version in otherVersions(of: folder, than: layout, in: index) { add(version) }
            } else if !inner.contains(folder), mayBeBundle(folder, in: index) {
                let layout = BundleLayout(of: folder, in: index)
                let hasSignatureFiles = index.isFile(layout.codeSignatureDirectory.appending("CodeDirectory"))
                add(Candidate(path: folder, kind: .bundle, layout: layout, isProvisional: !hasSignatureFiles))
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    private static func mayBeBundle(_ folder: BundlePath, in index: TreeIndex) -> Bool {
        ["Info.plist", "Contents/Info.plist", "_CodeSignature/CodeDirectory", "Contents/_CodeSignature/CodeDirectory"]
            .contains { index[folder.appending($0)] != nil }
    }

    /// The versions of a versioned framework that its `Current` does not lead to. Each has a seal of its own.
    private static func otherVersions(
        of folder: BundlePath, than layout: BundleLayout, in index: TreeIndex
    ) -> [Candidate] {
        let versions = folder.appending("Versions")
        guard folder.hasSuffix(".framework"), index.isDirectory(versions) else { return [] }
        return index.children(of: versions)
            .filter {
                $0.kind == .directory && $0.path != layout.base && $0.path.lastComponent != Array("Current".utf8)[...]
            }
            .map {
                let layout = BundleLayout(base: $0.path, isVersioned: true, in: index)
                return Candidate(path: $0.path, kind: .framework, layout: layout, isProvisional: false)
            }
    }

    /// The code object that a candidate is, given its Info.plist.
    static func codeObject(
        _ candidate: Candidate, infoPlist: CodeObject.InfoPlist?, index: TreeIndex
    ) -> CodeObject {
        var code = CodeObject(path: candidate.path, kind: candidate.kind, layout: candidate.layout)
        code.infoPlist = infoPlist
        code.executable = executable(of: code, in: index)
        return code
    }

    /// Searches the main executable in the order of spec 4.3. Without one, an existing Info.plist is the "executable":
    /// a generic file, which is how Apple's verifier comes to call such a bundle unsigned.
    private static func executable(of code: CodeObject, in index: TreeIndex) -> BundlePath? {
        guard let layout = code.layout else { return nil }
        let name = code.executableName
        for folder in layout.executableDirectories {
            let path = folder.appending(name)
            if let real = index.resolve(path), index.isFile(real) { return path }
        }
        return nil
    }
}
