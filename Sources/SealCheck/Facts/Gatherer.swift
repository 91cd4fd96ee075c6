import MachOReader

/// Reads an input once and returns everything that was found (design: "Facts").
///
/// Which digests of a file are wanted depends on the CodeDirectories of the code objects around it, so the order is:
/// links and property lists, then main executables from the outside in, then everything else. Each phase uses all
/// workers.
struct Gatherer {
    let tree: any BundleTree
    /// The bundle or file to judge.
    let root: BundlePath
    let limits: Limits
    /// Whether every digest that a seal can record is computed, consulted by a verdict or not.
    let allDigests: Bool
    let pool: WorkerPool

    init(tree: any BundleTree, root: BundlePath, limits: Limits, jobs: Int, allDigests: Bool) throws(ReadFault) {
        self.tree = tree
        self.root = root
        self.limits = limits
        self.allDigests = allDigests
        pool = try WorkerPool(tree: tree, limits: limits, jobs: jobs)
    }

    /// - Throws: `CancellationError`. Everything else that goes wrong stands among the facts.
    func gather() async throws -> Facts {
        let (index, linkFaults) = try await readLinks()
        var state = State(index: index, files: Array(repeating: FileFacts(), count: index.entries.count))
        for (position, fault) in linkFaults { state.files[position].fault = fault }
        for position in index.entries.indices { state.files[position].mode = index.entries[position].mode }

        try await readBundles(&state)
        try await readExecutables(&state)
        try await readRest(&state)
        try await readDetachedSignatures(&state)

        var detached: [Int: SignatureFacts] = [:]
        for (number, code) in state.code.enumerated() { detached[number] = state.detached[code.path] }
        return Facts(
            root: root, index: index, files: state.files, code: state.code, seals: state.seals,
            detachedSignatures: detached, treeFaults: tree.faults, dataBundles: state.dataBundles,
            isArchive: tree is ArchiveTree, hasAllDigests: allDigests, counters: pool.counters)
    }

    /// What is known so far.
    private struct State: Sendable {
        let index: TreeIndex
        var files: [FileFacts]
        /// Positions in `files` whose contents were read.
        var done: Set<Int> = []
        var code: [CodeObject] = []
        var provisional: Set<BundlePath> = []
        var dataBundles: [BundlePath] = []
        /// Property lists that were read before it was known which digests are wanted.
        var held: [Int: [UInt8]] = [:]
        var seals: [Int: SealFacts] = [:]
        /// Signatures in files, by the path of their code object.
        var detached: [BundlePath: SignatureFacts] = [:]
        /// The functions that each confirmed code object consults, by its path.
        var algorithms: [BundlePath: Set<DigestAlgorithm>] = [:]

        /// The functions that any code object around a file consults.
        func wanted(at path: BundlePath) -> Set<DigestAlgorithm> {
            var wanted: Set<DigestAlgorithm> = []
            var folder = path.parent
            while let current = folder {
                if let algorithms = algorithms[current] { wanted.formUnion(algorithms) }
                folder = current.parent
            }
            return wanted
        }
    }

    private func readLinks() async throws -> (TreeIndex, [(Int, ReadFault)]) {
        let entries = tree.entries
        let positions = entries.indices.filter { entries[$0].kind == .symbolicLink }
        let targets = try await pool.map(positions.count) { worker, number in
            Result { () throws(ReadFault) in try worker.linkTarget(of: entries[positions[number]]) }
        }
        var links: [BundlePath: [UInt8]] = [:]
        var faults: [(Int, ReadFault)] = []
        for (position, target) in zip(positions, targets) {
            switch target {
            case .success(let text): links[entries[position].path] = text
            case .failure(let fault): faults.append((position, fault))
            }
        }
        return (TreeIndex(entries: entries, links: links), faults)
    }

    // MARK: Bundles and their property lists

    private func readBundles(_ state: inout State) async throws {
        let index = state.index
        let candidates = BundleDiscovery.candidates(root: root, index: index)
        let positions = candidates.map { candidate in
            index.resolve(candidate.layout.infoPlist).flatMap { index.isFile($0) ? index.position(of: $0) : nil }
        }
        let limits = limits
        let lists = try await pool.map(candidates.count) { worker, number -> (CodeObject.InfoPlist, [UInt8])? in
            guard let position = positions[number] else { return nil }
            let path = candidates[number].layout.infoPlist
            do throws(ReadFault) {
                let bytes = try worker.bytes(
                    of: index.entries[position], limit: limits.infoPlistBytes, named: "bytes of one Info.plist")
                return (CodeObject.InfoPlist(path: path, contents: worker.holdings.dictionary(bytes)), bytes)
            } catch {
                return (CodeObject.InfoPlist(path: path, contents: .failure(.unreadable(error))), [])
            }
        }
        for (number, candidate) in candidates.enumerated() {
            let list = lists[number]
            if let position = positions[number], let list {
                state.done.insert(position)
                if case .failure(.unreadable(let fault)) = list.0.contents {
                    state.files[position].fault = fault
                } else {
                    state.files[position].size = UInt64(list.1.count)
                    state.held[position] = list.1
                }
            }
            state.code.append(BundleDiscovery.codeObject(candidate, infoPlist: list?.0, index: index))
            if candidate.isProvisional { state.provisional.insert(candidate.path) }
        }
    }

    // MARK: Main executables, from the outside in

    private func readExecutables(_ state: inout State) async throws {
        let depths = Self.depths(of: state.code)
        for depth in 0...(depths.max() ?? 0) {
            let level = state.code.indices.filter { depths[$0] == depth }
            try await readExecutables(level, &state)
        }
        state.dataBundles = state.code.filter {
            state.provisional.contains($0.path) && $0.executable == nil && $0.info("CFBundleExecutable") != nil
        }.map(\.path)
        state.code.removeAll { state.provisional.contains($0.path) }
    }

    private func readExecutables(_ level: [Int], _ state: inout State) async throws {
        let index = state.index
        // A file that is the executable of two bundles is read once.
        var positions: Set<Int> = []
        for number in level {
            guard let position = realPosition(of: state.code[number].executable, index), !state.done.contains(position)
            else { continue }
            positions.insert(position)
        }
        try await readFiles(positions.sorted(), &state)
        for number in level {
            let code = state.code[number]
            let machO = realPosition(of: code.executable, index).flatMap { state.files[$0].machO }
            if machO != nil { state.provisional.remove(code.path) }
            guard !state.provisional.contains(code.path) else { continue }
            var algorithms: Set<DigestAlgorithm> = []
            for slice in machO?.slices ?? [] { algorithms.formUnion(slice.signatureFacts?.algorithms ?? []) }
            if let signature = try await detachedComponents(of: code, &state) {
                state.detached[code.path] = signature
                algorithms.formUnion(signature.algorithms)
            }
            state.algorithms[code.path] = allDigests ? Set(DigestAlgorithm.allCases) : algorithms
        }
    }

    private func realPosition(of path: BundlePath?, _ index: TreeIndex) -> Int? {
        guard let path, let real = index.resolve(path), index.isFile(real) else { return nil }
        return index.position(of: real)
    }

    /// Nesting of each code object in the list, which is sorted by path.
    static func depths(of code: [CodeObject]) -> [Int] {
        var byPath: [BundlePath: Int] = [:]
        return code.map { object in
            var depth = 0
            var folder = object.path.parent
            while let current = folder {
                if let outer = byPath[current] {
                    depth = outer + 1
                    break
                }
                folder = current.parent
            }
            byPath[object.path] = depth
            return depth
        }
    }

    // MARK: Everything else

    private func readRest(_ state: inout State) async throws {
        try digestHeldLists(&state)
        let index = state.index
        let below =
            index.isDirectory(root)
            ? Array(index.positions(below: root)) : [index.position(of: root)].compactMap(\.self)
        let rest = below.filter { index.entries[$0].kind == .file && !state.done.contains($0) }
        var sealOwners: [Int: BundlePath] = [:]
        for code in state.code {
            guard let seal = code.layout?.seal, let position = realPosition(of: seal, index) else { continue }
            sealOwners[position] = code.path
        }
        let seals = try await readFiles(rest, &state, sealsAt: sealOwners)
        addLooseCode(rest, &state)
        for (number, code) in state.code.enumerated() {
            guard let seal = code.layout?.seal, let position = realPosition(of: seal, index) else { continue }
            if let facts = seals[position] { state.seals[number] = SealFacts(path: seal, contents: facts) }
        }
    }

    private func digestHeldLists(_ state: inout State) throws {
        let worker = try FileWorker(tree: tree, limits: limits, holdings: Holdings(limits: limits))
        for (position, bytes) in state.held {
            let wanted = state.wanted(at: state.index.entries[position].path)
            do throws(ReadFault) {
                state.files[position].digests = try worker.digests(of: bytes, wanted)
            } catch {
                state.files[position].fault = error
            }
        }
        state.held = [:]
    }

    /// Reads files with the digests that the code objects around them consult.
    ///
    /// - Returns: the seals among them, parsed, by position.
    @discardableResult
    private func readFiles(
        _ positions: [Int], _ state: inout State, sealsAt seals: [Int: BundlePath] = [:]
    ) async throws -> [Int: Result<PropertyList, CodeObject.InfoPlist.Fault>] {
        let (index, limits) = (state.index, limits)
        // Largest first, so that no worker is left with a big file at the end.
        let ordered = positions.sorted { (index.entries[$0].size ?? 0, $1) > (index.entries[$1].size ?? 0, $0) }
        let wanted = ordered.map { state.wanted(at: index.entries[$0].path) }
        let results = try await pool.map(ordered.count) { worker, number in
            let position = ordered[number]
            let isSeal = seals[position] != nil
            let (facts, bytes) = worker.read(
                index.entries[position], algorithms: wanted[number],
                capture: isSeal ? limits.propertyListBytes : nil)
            var seal: Result<PropertyList, CodeObject.InfoPlist.Fault>?
            if isSeal {
                if let fault = facts.fault {
                    seal = .failure(.unreadable(fault))
                } else {
                    seal = worker.holdings.dictionary(bytes ?? [])
                }
            }
            return (facts, seal)
        }
        var found: [Int: Result<PropertyList, CodeObject.InfoPlist.Fault>] = [:]
        for (position, result) in zip(ordered, results) {
            state.files[position] = result.0
            state.done.insert(position)
            if let seal = result.1 { found[position] = seal }
        }
        return found
    }

    /// Mach-O files that are no bundle's main executable are code objects of their own, found by magic and never by
    /// name. Object files, dSYM companions and cores need no signature.
    private func addLooseCode(_ positions: [Int], _ state: inout State) {
        let executables = Set(state.code.compactMap { realPosition(of: $0.executable, state.index) })
        var loose: [CodeObject] = []
        for position in positions where !executables.contains(position) {
            guard let machO = state.files[position].machO, let kind = CodeObject.Kind(loose: machO) else { continue }
            var code = CodeObject(path: state.index.entries[position].path, kind: kind)
            code.executable = code.path
            loose.append(code)
        }
        state.code = (state.code + loose).sorted { $0.path < $1.path }
        Self.linkParents(&state.code)
    }

    static func linkParents(_ code: inout [CodeObject]) {
        var byPath: [BundlePath: Int] = [:]
        for number in code.indices {
            var folder = code[number].path.parent
            while let current = folder {
                if let outer = byPath[current], code[outer].holds(code[number].path) {
                    code[number].parent = outer
                    break
                }
                folder = current.parent
            }
            byPath[code[number].path] = number
        }
    }

    // MARK: Signatures in files of _CodeSignature

    /// The signature files of a bundle (spec 1.3, 4.4), or nil when it has none.
    private func detachedComponents(of code: CodeObject, _ state: inout State) async throws -> SignatureFacts? {
        guard let folder = code.layout?.codeSignatureDirectory else { return nil }
        var slots: [(Slot, Int)] = []
        for (slot, name) in Slot.componentFiles {
            let path = folder.appending(name)
            guard state.index.isFile(path), let position = state.index.position(of: path) else { continue }
            slots.append((slot, position))
        }
        guard !slots.isEmpty else { return nil }
        let (index, limits) = (state.index, limits)
        let wanted = slots
        let contents = try await pool.map(slots.count) { worker, number in
            Result { () throws(ReadFault) in
                try worker.bytes(
                    of: index.entries[wanted[number].1], limit: limits.signatureBytes,
                    named: "bytes of one signature file")
            }
        }
        var components: [Slot: Bytes] = [:]
        for ((slot, position), result) in zip(slots, contents) {
            state.done.insert(position)
            switch result {
            case .success(let bytes):
                state.held[position] = bytes
                state.files[position].size = UInt64(bytes.count)
                components[slot] = Bytes(bytes)
            case .failure(let fault): state.files[position].fault = fault
            }
        }
        return SignatureFacts(components: components, limits: limits)
    }

    private func readDetachedSignatures(_ state: inout State) async throws {
        let index = state.index
        for code in state.code {
            guard let signature = state.detached[code.path] else { continue }
            // Such a signature covers its "executable" as one generic file: the real one, else Info.plist (spec 4.3).
            guard let position = realPosition(of: code.executable ?? code.infoPlist?.path, index) else { continue }
            let results = try await pool.map(1) { worker, _ in
                Result { () throws(ReadFault) in
                    try worker.complete(signature, covering: index.entries[position])
                }
            }
            switch results.first {
            case .success(let complete): state.detached[code.path] = complete
            case .failure(let fault): state.files[position].fault = fault
            case nil: break
            }
        }
    }
}

extension Slot {
    /// Names of signature components as files of `_CodeSignature` (spec 1.3). The base name of the alternates is
    /// "CodeRequirements" in Apple's code, strange as it is.
    static let componentFiles: [(Slot, String)] = [
        (.codeDirectory, "CodeDirectory"), (.requirements, "CodeRequirements"), (.topDirectory, "CodeTopDirectory"),
        (.entitlements, "CodeEntitlements"), (.representation, "CodeRepSpecific"),
        (.entitlementsDER, "CodeEntitlementDER"), (.launchConstraintSelf, "LaunchConstraintSelf"),
        (.launchConstraintParent, "LaunchConstraintParent"),
        (.launchConstraintResponsible, "LaunchConstraintResponsible"), (.libraryConstraint, "LibraryConstraint"),
        (Slot(rawValue: 0x1000), "CodeRequirements-1"), (Slot(rawValue: 0x1001), "CodeRequirements-2"),
        (Slot(rawValue: 0x1002), "CodeRequirements-3"), (Slot(rawValue: 0x1003), "CodeRequirements-4"),
        (Slot(rawValue: 0x1004), "CodeRequirements-5"), (.cmsSignature, "CodeSignature"),
    ]

    static func componentFile(_ slot: Slot) -> String? { componentFiles.first { $0.0 == slot }?.1 }
}

extension CodeObject.Kind {
    /// The kind of a loose Mach-O file, or nil for one that needs no signature.
    init?(loose machO: MachOFacts) {
        // A file whose header cannot be read may be code: it is reported, not passed over.
        guard let type = machO.slices.first?.image.value?.header.fileType else {
            self = .machO
            return
        }
        guard type.isSignable else { return nil }
        switch type {
        case .execute: self = .tool
        case .dylib: self = .dylib
        default: self = .machO
        }
    }
}

extension Result where Failure == ReadFault {
    fileprivate init(_ body: () throws(ReadFault) -> Success) {
        do { self = .success(try body()) } catch { self = .failure(error) }
    }
}
