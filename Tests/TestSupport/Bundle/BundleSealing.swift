/// Signing from the inside out.
extension BundleBuilder {
    /// The finished bundle.
    public func sealed() throws -> SealedBundle {
        var tree = try sealedTree()
        try applyFinalEdits(to: &tree, at: .root)
        return SealedBundle(name: name, tree: tree)
    }

    /// The bundle's tree with everything in it signed and every edit but the final ones applied.
    private func sealedTree() throws -> FileTree {
        let root = layout.root
        var tree = FileTree()
        tree.graft(files, at: root)
        for (path, item) in nested {
            switch item {
            case .bundle(let bundle): tree.graft(try bundle.sealedTree(), at: root / path)
            case .code(let code):
                var file = try Self.tree(of: code, at: path)
                for edit in code.edits where edit.stage != .atTheEnd { try edit.body(&file) }
                tree.graft(file, at: root / path)
            }
        }
        if hasInfoPlist { tree.add(infoPath, infoBytes ?? info.encoded(as: infoForm)) }
        if case .versioned(let version) = layout { addFrameworkLinks(version, to: &tree) }
        try apply(.beforeSealing, to: &tree)
        if let executable {
            let isSigned = executable.slices.contains { $0.signature != nil }
            var context = SignatureContext(identifier: identifier)
            if isSigned {
                if case .file(let bytes, _) = tree[infoPath] { context.infoPlist = bytes }
                if hasSeal {
                    let bytes = try makeSeal(of: tree, for: executable)
                    context.codeResources = bytes
                    tree.add(sealPath, bytes)
                }
            }
            tree.add(executablePath, try executable.build(in: context), mode: executable.mode)
        }
        try apply(.afterSealing, to: &tree)
        return tree
    }

    private func makeSeal(of tree: FileTree, for executable: CodeFile) throws -> [UInt8] {
        var executables: [RawPath: RawPath] = [:]
        for case (let path, .bundle(let bundle)) in nested where bundle.executable != nil {
            executables[path] = bundle.executablePath
        }
        return try seal.build(
            tree.subtree(layout.root),
            .init(
                hashes: executable.hashes, resources: layout.resources, executable: layout.executable(mainName),
                nestedExecutables: executables))
    }

    /// The links that a versioned framework has in its own folder.
    private func addFrameworkLinks(_ version: String, to tree: inout FileTree) {
        tree.link("Versions/Current", to: version)
        if executable != nil { tree.link(RawPath(mainName), to: "Versions/Current/\(mainName)") }
        for folder in ["Resources", "Frameworks", "Headers"] where tree.contains(layout.root / RawPath(folder)) {
            tree.link(RawPath(folder), to: "Versions/Current/\(folder)")
        }
    }

    private func apply(_ stage: Stage, to tree: inout FileTree) throws {
        for edit in edits where edit.stage == stage { try edit.body(&tree) }
    }

    /// Applies the edits of the last stage, those of inner objects first.
    private func applyFinalEdits(to tree: inout FileTree, at path: RawPath) throws {
        for (inner, item) in nested {
            let place = path / layout.root / inner
            switch item {
            case .bundle(let bundle): try bundle.applyFinalEdits(to: &tree, at: place)
            case .code(let code): try Self.applyFinal(code.edits, to: &tree, at: place)
            }
        }
        try Self.applyFinal(edits, to: &tree, at: path)
    }

    private static func applyFinal(_ edits: [StagedEdit], to tree: inout FileTree, at path: RawPath) throws {
        for edit in edits where edit.stage == .atTheEnd {
            var branch = tree.subtree(path)
            try edit.body(&branch)
            tree.replace(path, with: branch)
        }
    }
}
