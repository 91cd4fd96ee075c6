import MachOReader

/// What strict verification asks of the places of a bundle that no seal covers (spec 4.3, 4.5, 4.6).
enum BundleStructure {
    /// Something that strict verification does not let be there, or misses.
    struct Fault: Hashable {
        var path: BundlePath
        var kind: Kind

        enum Kind: Hashable {
            /// A folder or link in `_CodeSignature`: ends the verification at once.
            case signatureFolderNotAFile
            /// A file in `_CodeSignature` that is no part of the signature.
            case signatureFolderStray
            /// Something beside `Contents`.
            case rootStray
            /// The root of a versioned framework, with what is wrong there.
            case frameworkRoot(FrameworkRoot)
            /// The executable or Info.plist of the folder and that of its current version are two files, or one of them
            /// is not there, which ends the verification before it begins.
            case ambiguous(isThere: Bool)
            /// The main executable or Info.plist is a link.
            case notRegular
        }

        /// Faults of the root of a versioned framework.
        enum FrameworkRoot: Hashable {
            case stray
            case noVersions
            case currentNotALink
            /// `Versions/Current` leads to something else than the plain name of a version.
            case currentTarget
            /// A link at the top that does not lead to its namesake in the current version.
            case link
        }
    }

    /// Every fault, in order of path bytes.
    static func faults(of code: CodeEvaluation, facts: Facts) -> [Fault] {
        // A bundle without any signature is told so once.
        guard let layout = code.code.layout, code.signatureKind != .unsigned else { return [] }
        var faults = signatureFolder(layout, code, facts)
        let isOwnVersion = layout.base != code.code.path
        if layout.isVersioned, isOwnVersion {
            faults += frameworkRoot(code.code.path, facts)
            if let fault = ambiguity(code.code, facts.index) { faults.append(fault) }
        } else if layout.kind == .deep, !layout.isVersioned {
            faults += rootStrays(layout, facts)
        }
        for path in [layout.infoPlist, code.code.executable].compactMap(\.self)
        where facts.index[path]?.kind == .symbolicLink {
            faults.append(Fault(path: path, kind: .notRegular))
        }
        return faults.sorted { $0.path < $1.path }
    }

    // MARK: _CodeSignature

    private static func signatureFolder(_ layout: BundleLayout, _ code: CodeEvaluation, _ facts: Facts) -> [Fault] {
        let folder = layout.codeSignatureDirectory
        var allowed: Set<BundlePath> = []
        if facts.seals[code.number] != nil { allowed.insert(layout.seal) }
        for slot in code.usedComponentFiles {
            if let name = Slot.componentFile(slot) { allowed.insert(folder.appending(name)) }
        }
        return facts.index.children(of: folder).compactMap { entry in
            guard entry.kind == .file else { return Fault(path: entry.path, kind: .signatureFolderNotAFile) }
            if entry.path == folder.appending("CodeSignature"), facts[entry.path]?.size == 0 { return nil }
            return allowed.contains(entry.path) ? nil : Fault(path: entry.path, kind: .signatureFolderStray)
        }
    }

    // MARK: Beside Contents

    /// Names that may stand beside `Contents`, as files that nobody can execute.
    private static let rootNames: Set<[UInt8]> = Set(
        [".LSOverride", ".DS_Store", "Icon\r", ".SoftwareDepot.tracking"].map { Array($0.utf8) })

    private static func rootStrays(_ layout: BundleLayout, _ facts: Facts) -> [Fault] {
        facts.index.children(of: layout.base).compactMap { entry in
            if entry.path == layout.supportDirectory, entry.kind == .directory { return nil }
            if rootNames.contains(Array(entry.path.lastComponent)), isPlainFile(entry, facts) { return nil }
            return Fault(path: entry.path, kind: .rootStray)
        }
    }

    private static func isPlainFile(_ entry: TreeEntry, _ facts: Facts) -> Bool {
        entry.kind == .file && (facts[entry.path]?.mode ?? entry.mode ?? 0) & 0o111 == 0
    }

    // MARK: Resources at the root

    /// The folder `Resources`, in any case, at the root of a flat bundle: on a Mac it makes the bundle one of the old
    /// style (spec 4.2, the trap).
    static func resourcesFolder(_ code: CodeObject, _ index: TreeIndex) -> BundlePath? {
        guard let layout = code.layout, layout.kind == .flat, !layout.isVersioned else { return nil }
        return index.directory(named: "Resources", in: layout.base)
    }

    // MARK: Versioned frameworks

    /// The rules for the root of a versioned framework (spec 4.6).
    private static func frameworkRoot(_ root: BundlePath, _ facts: Facts) -> [Fault] {
        let index = facts.index
        let versions = root.appending("Versions")
        let current = versions.appending("Current")
        let currentText = index[current]?.kind == .symbolicLink ? index.links[current] : nil
        var faults: [Fault] = []
        func add(_ path: BundlePath, _ kind: Fault.FrameworkRoot) {
            faults.append(Fault(path: path, kind: .frameworkRoot(kind)))
        }
        for entry in index.children(of: root) where entry.path != versions {
            let name = Array(entry.path.lastComponent)
            switch entry.kind {
            case .file where [".DS_Store", "module.map"].contains { name.elementsEqual($0.utf8) }:
                if !isPlainFile(entry, facts) { add(entry.path, .stray) }
            case .symbolicLink:
                let text = index.links[entry.path] ?? []
                if !leadsIntoVersion(text, name: name, current: currentText) { add(entry.path, .link) }
            default: add(entry.path, .stray)
            }
        }
        if index[versions]?.kind != .directory { add(versions, .noVersions) }
        var hasVersion = false
        for entry in index.children(of: versions) {
            let name = entry.path.lastComponent
            switch entry.kind {
            case .symbolicLink where entry.path == current:
                if !isPlainName(currentText ?? []) { add(current, .currentTarget) }
            case .directory where entry.path == current: add(current, .currentNotALink)
            case .directory: hasVersion = true
            case .file where name.elementsEqual(".DS_Store".utf8) && isPlainFile(entry, facts): break
            default: add(entry.path, .stray)
            }
        }
        if index[current] == nil { add(current, .currentNotALink) }
        if !hasVersion, index[versions]?.kind == .directory { add(versions, .noVersions) }
        return faults
    }

    /// `Versions/<Current or its target>/<same name>`, optionally behind `./`; for `module.map` any version will do.
    private static func leadsIntoVersion(_ text: [UInt8], name: [UInt8], current: [UInt8]?) -> Bool {
        let dot = UInt8(ascii: "."), slash = UInt8(ascii: "/")
        let rest = text.starts(with: [dot, slash]) ? text.dropFirst(2) : text[...]
        let prefix = Array("Versions/".utf8)
        guard rest.starts(with: prefix), rest.reversed().starts(with: ([slash] + name).reversed()) else { return false }
        let version = Array(rest.dropFirst(prefix.count).dropLast(name.count + 1))
        if name.elementsEqual("module.map".utf8) { return !version.isEmpty }
        return version.elementsEqual("Current".utf8) || version == current
    }

    /// Apple's `^(\./)?(\.\.[^/]+|\.?[^\./][^/]*)$`: one name, neither `.` nor `..`.
    private static func isPlainName(_ text: [UInt8]) -> Bool {
        let dot = UInt8(ascii: "."), slash = UInt8(ascii: "/")
        let name = text.starts(with: [dot, slash]) ? text.dropFirst(2) : text[...]
        if name.contains(slash) { return false }
        if name.starts(with: [dot, dot]) { return name.count > 2 }
        let rest = name.first == dot ? name.dropFirst() : name
        return rest.first.map { $0 != dot } ?? false
    }

    /// Where a framework's folder, looked at without regard to versions, has another executable or Info.plist than its
    /// current version (spec 4.3).
    static func ambiguity(_ code: CodeObject, _ index: TreeIndex) -> Fault? {
        guard let layout = code.layout, layout.isVersioned, layout.base != code.path, let executable = code.executable
        else { return nil }
        let outer = BundleLayout(base: code.path, isVersioned: false, in: index)
        let seen = outer.executableDirectories.map { $0.appending(code.executableName) }
            .first { index.resolve($0).map(index.isFile) ?? false }
        func fault(_ outer: BundlePath, _ inner: BundlePath) -> Fault? {
            let (before, after) = (index.resolve(outer), index.resolve(inner))
            if before == after { return nil }
            return Fault(path: outer, kind: .ambiguous(isThere: before != nil && after != nil))
        }
        return fault(seen ?? code.path.appending(code.executableName), executable)
            ?? fault(outer.infoPlist, layout.infoPlist)
    }
}

extension BundleStructure.Fault.Kind {
    /// Apple's error for it (spec 4.3 to 4.6).
    var appleError: AppleError {
        switch self {
        case .signatureFolderNotAFile, .signatureFolderStray, .rootStray: .unsealedAppRoot
        case .frameworkRoot: .unsealedFrameworkRoot
        case .ambiguous: .ambiguousBundleFormat
        case .notRegular: .regularFile
        }
    }
}
