/// Reaching what is inside a bundle.
///
/// Nested objects are named by their path through the roots of the seals: `PlugIns/Widget.appex`, and
/// `Frameworks/Kit.framework/Frameworks/Core.framework` for one inside another. The bundle itself is the empty path.
extension BundleBuilder {
    /// Puts a bundle inside.
    public mutating func nest(_ bundle: BundleBuilder, in folder: RawPath) {
        nested.append((folder / RawPath(bundle.name), .bundle(bundle)))
    }

    /// Puts a lone file of code inside.
    public mutating func nest(_ code: CodeFile, at path: RawPath) {
        nested.append((path, .code(code)))
    }

    /// Takes a nested object out.
    public mutating func removeNested(_ path: RawPath) throws {
        try withOwner(of: path) { owner, index in _ = owner.nested.remove(at: index) }
    }

    /// Edits a nested bundle, or the bundle itself.
    public mutating func update(_ path: RawPath, _ body: (inout BundleBuilder) throws -> Void) throws {
        if path.isRoot { return try body(&self) }
        try withOwner(of: path) { owner, index in
            guard case .bundle(var bundle) = owner.nested[index].item else { throw BuildError("\(path) is no bundle") }
            try body(&bundle)
            owner.nested[index].item = .bundle(bundle)
        }
    }

    /// Edits the code of a nested object: the main executable of a bundle, or a lone file.
    public mutating func updateCode(_ path: RawPath, _ body: (inout CodeFile) throws -> Void) throws {
        guard !path.isRoot else { return try Self.updateExecutable(&self, body) }
        try withOwner(of: path) { owner, index in
            switch owner.nested[index].item {
            case .bundle(var bundle):
                try Self.updateExecutable(&bundle, body)
                owner.nested[index].item = .bundle(bundle)
            case .code(var code):
                try body(&code)
                owner.nested[index].item = .code(code)
            }
        }
    }

    /// Edits all code, at every depth.
    public mutating func eachCode(_ body: (inout CodeFile) throws -> Void) rethrows {
        for index in nested.indices {
            switch nested[index].item {
            case .bundle(var bundle):
                try bundle.eachCode(body)
                nested[index].item = .bundle(bundle)
            case .code(var code):
                try body(&code)
                nested[index].item = .code(code)
            }
        }
        guard var code = executable else { return }
        try body(&code)
        executable = code
    }

    /// Edits every bundle, at every depth, inner ones first.
    public mutating func eachBundle(_ body: (inout BundleBuilder) throws -> Void) rethrows {
        for index in nested.indices {
            guard case .bundle(var bundle) = nested[index].item else { continue }
            try bundle.eachBundle(body)
            nested[index].item = .bundle(bundle)
        }
        try body(&self)
    }

    /// The nested object at `path`.
    public func item(at path: RawPath) throws -> Nested {
        if path.isRoot { return .bundle(self) }
        var copy = self
        return try copy.withOwner(of: path) { owner, index in owner.nested[index].item }
    }

    /// The finished tree of one nested object alone. A lone file stands at the root of its tree.
    public func sealedItem(at path: RawPath) throws -> FileTree {
        switch try item(at: path) {
        case .bundle(let bundle): try bundle.sealed().tree
        case .code(let code): try Self.tree(of: code, at: path)
        }
    }

    /// A lone file of code as a tree.
    static func tree(of code: CodeFile, at path: RawPath) throws -> FileTree {
        let bytes = try code.build(in: SignatureContext(identifier: path.stem))
        return FileTree([.root: .file(bytes, mode: code.mode)])
    }

    /// Runs `body` on the bundle that holds the object at `path` directly, and the object's index in it.
    private mutating func withOwner<Result>(
        of path: RawPath, _ body: (inout BundleBuilder, Int) throws -> Result
    ) throws -> Result {
        for index in nested.indices {
            if nested[index].path == path { return try body(&self, index) }
            guard case .bundle(var bundle) = nested[index].item,
                let inner = path.relative(to: nested[index].path)
            else { continue }
            let result = try bundle.withOwner(of: inner, body)
            nested[index].item = .bundle(bundle)
            return result
        }
        throw BuildError("no nested code at \(path)")
    }

    private static func updateExecutable(
        _ bundle: inout BundleBuilder, _ body: (inout CodeFile) throws -> Void
    ) throws {
        guard var code = bundle.executable else { throw BuildError("\(bundle.name) has no executable") }
        try body(&code)
        bundle.executable = code
    }
}
