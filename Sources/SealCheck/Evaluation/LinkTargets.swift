import MachOReader

/// Where the symbolic links under a seal lead, which strict verification restricts (spec 5.7 point 1, 5.9).
struct LinkTargets {
    /// The code object whose seal it is, and those around it, the innermost first.
    let roots: [Root]
    let index: TreeIndex
    /// What was judged: of what lies outside of it nothing is known.
    let whole: BundlePath

    /// A code object's seal as the place of targets.
    struct Root {
        let folder: BundlePath
        let rules: ResourceRules
    }

    enum Fault: Hashable {
        /// The target is not there.
        case dangling
        case loop
        /// The target lies outside of the code and of all code around it.
        case outside
        /// The target lies inside, but no seal covers it.
        case notSealed(BundlePath)
    }

    /// - Parameter around: the code objects around `code` that were verified on the way to it, the innermost first.
    init?(_ code: CodeEvaluation, around: [CodeEvaluation], facts: Facts, limits: Limits) {
        roots = ([code] + around).compactMap { Root($0, limits: limits) }
        guard roots.first?.folder == code.code.layout?.supportDirectory, !roots.isEmpty else { return nil }
        index = facts.index
        whole = facts.root
    }

    /// What is wrong with where the link at `path` leads; nil if nothing is.
    func fault(_ path: BundlePath) -> Fault? {
        switch index.resolution(of: path) {
        case .missing(let place): return place.isAtOrBelow(whole) ? .dangling : .outside
        // Said where the link is.
        case .unknown: return nil
        case .loop: return .loop
        // What lies in the system cannot be looked at here; by its text it is what it may be.
        case .outside(let text): return Self.isSystem(text) ? nil : .outside
        case .found(let target):
            guard let root = roots.first(where: { target.isAtOrBelow($0.folder) }),
                let inside = target.relative(to: root.folder)
            else { return .outside }
            return root.includes(inside) ? nil : .notSealed(target)
        }
    }

    private static func isSystem(_ text: [UInt8]) -> Bool {
        text.first == UInt8(ascii: "/") && !text.split(separator: UInt8(ascii: "/")).contains(Array("..".utf8)[...])
            && ["/System/", "/Library/"].contains { text.starts(with: $0.utf8) }
    }
}

extension LinkTargets.Root {
    init?(_ code: CodeEvaluation, limits: Limits) {
        guard let layout = code.code.layout, let seal = code.seal.comparison?.seal,
            let rules = try? ResourceRules(
                seal.rules, executable: code.code.executable?.relative(to: layout.supportDirectory), limits: limits)
        else { return nil }
        folder = layout.supportDirectory
        self.rules = rules
    }

    /// Whether the seal covers what lies at a path: its first part is asked for exclusions, then the whole path for a
    /// rule. An exclusion may be a target only where it is the main executable.
    func includes(_ path: BundlePath) -> Bool {
        if let first = path.components.first,
            case .excluded(let isExecutable) = rules.match(BundlePath(bytes: Array(first)))
        {
            return isExecutable
        }
        switch rules.match(path) {
        case .excluded(let isExecutable): return isExecutable
        case .rule(let rule): return !rule.isOmit
        case .none: return false
        }
    }
}
