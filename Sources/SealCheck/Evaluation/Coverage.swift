/// How the seal around a nested code object covers it: the question that this program exists for.
public struct Coverage: Hashable, Sendable {
    /// Position in ``Facts/code`` of the nested object.
    public var code: Int
    /// Position of the object whose seal is around it.
    public var sealedBy: Int
    public var how: Method
    /// The parts that matter most, each by itself.
    public var executable: State
    public var infoPlist: State
    public var seal: State
    /// Files below the nested object that the seal records with the right digest or text.
    public var sealedFiles: Int
    /// Files below it that the seal does not record, or records differently; ascending.
    public var uncovered: [BundlePath]

    public enum Method: String, Hashable, Sendable {
        /// Each of its files has an entry of its own: every flat (iOS) app.
        case files
        /// One entry with a requirement stands for the whole: code places of deep (macOS) bundles.
        case nested
        /// Nothing in the seal around it concerns it, or there is no usable seal.
        case none
    }

    public enum State: String, Hashable, Sendable {
        /// Recorded, and the same.
        case sealed
        /// Recorded, and different.
        case differs
        /// There, but not recorded.
        case notSealed = "not-sealed"
        /// Covered by the entry that stands for the whole object.
        case byEntry = "by-entry"
        /// Not there.
        case absent
        /// There is no usable seal, or comparing it ended before its end.
        case unknown
    }

    /// Whether every file of the object is sealed as it is.
    public var isComplete: Bool {
        switch how {
        case .none: false
        case .nested: uncovered.isEmpty
        case .files: uncovered.isEmpty && sealedFiles > 0
        }
    }
}

extension Coverage {
    /// The coverage of every nested code object by the innermost one around it.
    static func all(_ evaluations: [CodeEvaluation], facts: Facts) -> [Coverage] {
        var surroundings: [Int: Surroundings] = [:]
        return evaluations.compactMap { nested in
            guard let parent = nested.code.parent else { return nil }
            let around = surroundings[parent] ?? Surroundings(evaluations[parent])
            surroundings[parent] = around
            return Coverage(of: nested, by: around, facts: facts)
        }
    }

    /// A code object with nested ones, of which there may be thousands.
    private struct Surroundings {
        let outer: CodeEvaluation
        let omitted: Set<BundlePath>
        let nested: [BundlePath: SealScan.NestedItem]
        let added: Set<BundlePath>

        init(_ outer: CodeEvaluation) {
            self.outer = outer
            let scan = outer.seal.comparison?.scan
            omitted = Set(scan?.omitted ?? [])
            nested = Dictionary((scan?.nested ?? []).map { ($0.path, $0) }) { first, _ in first }
            added = Set((scan?.problems ?? []).filter { $0.kind == .added }.map(\.path))
        }

        /// The entry that stands for what lies at or around `path`.
        func item(around path: BundlePath) -> SealScan.NestedItem? {
            if nested.isEmpty { return nil }
            var current: BundlePath? = path
            while let folder = current {
                if let item = nested[folder] { return item }
                current = folder.parent
            }
            return nil
        }
    }

    private init(of nested: CodeEvaluation, by around: Surroundings, facts: Facts) {
        let outer = around.outer
        code = nested.number
        sealedBy = outer.number
        (sealedFiles, uncovered) = (0, [])
        guard let scan = outer.seal.comparison?.scan, scan.ended == nil else {
            (how, executable, infoPlist, seal) = (.none, .unknown, .unknown, .unknown)
            uncovered = [nested.code.path]
            return
        }
        if let item = around.item(around: nested.code.path) {
            how = .nested
            (executable, infoPlist, seal) = (.byEntry, .byEntry, .byEntry)
            switch item.outcome(for: nested) {
            case .satisfied, .satisfiedOnTrust: break
            case .undecided:
                (executable, infoPlist, seal) = (.unknown, .unknown, .unknown)
                uncovered = [nested.code.path]
            default: uncovered = [nested.code.path]
            }
            return
        }
        var positions = Array(facts.index.positions(below: nested.code.path))
        if let own = facts.index.position(of: nested.code.path), facts.index.entries[own].kind != .directory {
            positions.append(own)
        }
        for position in positions {
            let entry = facts.index.entries[position]
            guard entry.kind == .file || entry.kind == .symbolicLink, !around.omitted.contains(entry.path) else {
                continue
            }
            if scan.compared[entry.path] == true { sealedFiles += 1 } else { uncovered.append(entry.path) }
        }
        func state(_ path: BundlePath?) -> State {
            guard let path, facts.index[path] != nil else { return .absent }
            if let same = scan.compared[path] {
                return same
                    ? .sealed : around.added.contains(path) ? .notSealed : .differs
            }
            return .notSealed
        }
        executable = state(nested.code.executable)
        infoPlist = state(nested.code.infoPlist?.path)
        seal = state(nested.code.layout?.seal)
        how = sealedFiles > 0 || executable == .differs ? .files : .none
    }
}
