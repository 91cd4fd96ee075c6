/// Where one code object of a bundle is, and where its parts are.
public struct CodePlace: Hashable, Sendable, CustomStringConvertible {
    /// The object's name for ``BundleBuilder/update(_:_:)``; empty for the outermost bundle.
    public var path: RawPath
    /// The object relative to the outermost bundle's folder, as files have it.
    public var treePath: RawPath
    /// Nil for a lone file.
    public var layout: BundleLayout?
    /// The code, relative to the object; empty for a lone file.
    public var executable: RawPath
    /// Info.plist, relative to the object.
    public var infoPlist: RawPath?
    /// The seal, relative to the object.
    public var seal: RawPath?

    public var description: String { path.isRoot ? "." : path.text }
}

extension BundleBuilder {
    /// Every code object, the bundle itself first, inner ones after what they are in.
    public var places: [CodePlace] {
        let own = CodePlace(
            path: .root, treePath: .root, layout: layout, executable: executablePath, infoPlist: infoPath,
            seal: sealPath)
        return [own]
            + nested.flatMap { path, item -> [CodePlace] in
                switch item {
                case .code:
                    return [CodePlace(path: path, treePath: layout.root / path, executable: .root)]
                case .bundle(let bundle):
                    return bundle.places.map { place in
                        var place = place
                        place.path = path / place.path
                        place.treePath = layout.root / path / place.treePath
                        return place
                    }
                }
            }
    }

    /// Where the code object at `path` is.
    public func place(_ path: RawPath) throws -> CodePlace {
        guard let place = places.first(where: { $0.path == path }) else {
            throw BuildError("no code object at \(path)")
        }
        return place
    }

    /// How much of what is around an edited object is sealed after the edit.
    public enum Rebuild: Hashable, Sendable, CustomStringConvertible {
        /// Everything: all outer seals fit the edited object.
        case all
        /// Nothing: all outer seals still fit the object as it was.
        case none
        /// What is outside the named object, which itself and everything in it was sealed before.
        case above(RawPath)

        public var description: String {
            switch self {
            case .all: "outer seals rebuilt"
            case .none: "outer seals stale"
            case .above(let path): "sealed again above \(path)"
            }
        }
    }

    /// Adds an edit of the finished code object at `path`. The tree that it gets is the object's own.
    public mutating func edit(_ path: RawPath, rebuilding: Rebuild, _ body: @escaping Edit) throws {
        switch rebuilding {
        case .all: try edit(path, .afterSealing, body)
        case .none: try edit(path, .atTheEnd, body)
        case .above(let outer):
            let place = try place(path)
            guard let inner = place.treePath.relative(to: try self.place(outer).treePath) else {
                throw BuildError("\(path) is not inside \(outer)")
            }
            try edit(outer, .afterSealing) { tree in
                var branch = tree.subtree(inner)
                try body(&branch)
                tree.replace(inner, with: branch)
            }
        }
    }

    /// Adds an edit at one stage of the code object at `path`.
    public mutating func edit(_ path: RawPath, _ stage: Stage, _ body: @escaping Edit) throws {
        if case .code = try item(at: path) {
            try updateCode(path) { $0.edits.append(StagedEdit(stage: stage, body: body)) }
        } else {
            try update(path) { $0.edit(stage, body) }
        }
    }
}
