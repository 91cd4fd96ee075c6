public import MachOReader

/// What comparing a seal with the tree found (spec 5.5 to 5.7).
public struct SealScan: Hashable, Sendable {
    /// Differences, in order of path bytes, those of leftover keys last.
    public var problems: [Problem] = []
    /// What ended the comparison before its end, if anything did. Apple's verifier then drops ``problems``.
    public var ended: SealFault?
    /// Entries that the seal records as nested code and that the walk met.
    public var nested: [NestedItem] = []
    /// Files and links whose record was compared, with the outcome.
    public var compared: [BundlePath: Bool] = [:]
    /// Symbolic links that the walk met under a rule.
    public var links: [BundlePath] = []
    /// Entries that the rules leave unsealed, exclusions aside.
    public var omitted: [BundlePath] = []
    /// Sealed paths that are absent and may be.
    public var optionalAbsent: [BundlePath] = []

    public struct Problem: Hashable, Sendable {
        /// The path in the tree.
        public var path: BundlePath
        public var kind: Kind
        /// The pattern of the rule that brought the path under the seal, where one did.
        public var rule: ByteString?
    }

    public enum Kind: Hashable, Sendable {
        /// There, but not in the seal.
        case added
        /// In the seal, but not there.
        case missing
        /// In the seal and there, but the rules omit it or it lies inside a nested unit, so the verifier never meets it.
        case sealedButNotScanned
        /// The digest of this type differs from the record.
        case altered(HashType, expected: Digest, actual: Digest)
        /// The seal has no digest of this type, and the SHA-1 that stands in cannot match.
        case noDigest(HashType)
        /// Sealed as a file, found as a link.
        case becameLink
        /// Sealed as a link, found as something else.
        case becameFile
        /// The text of a link differs.
        case linkAltered(expected: [UInt8], actual: [UInt8])
        /// A directory where the seal records a file, under a rule for nested code.
        case directoryForFile
        /// A FIFO, socket or device.
        case unsupportedType(String)
        /// The main executable itself is listed.
        case recursive
        /// The contents could not be read.
        case unchecked(ReadFault)
    }

    public struct NestedItem: Hashable, Sendable {
        public var path: BundlePath
        public var requirement: ByteString
        public var cdhash: [UInt8]?
        /// Whether the entry is a link, which no nested code may be.
        public var isLink: Bool
    }
}

/// Compares a seal with a tree.
struct SealScanner {
    let seal: CodeResources
    let rules: ResourceRules
    /// The root of the seal in the tree.
    let base: BundlePath
    let index: TreeIndex
    let files: [FileFacts]
    /// The viable hash types of the signature, the ruling one first.
    let hashTypes: [HashType]
    var exemption: StoreExemption?

    func scan() -> SealScan {
        var scan = SealScan()
        var visited: Set<BundlePath> = []
        // Directories that are not entered: nested units and excluded ones.
        var closed: Set<BundlePath> = []
        for position in index.positions(below: base) {
            let entry = index.entries[position]
            guard let path = entry.path.relative(to: base), let folder = entry.path.parent else { continue }
            if closed.contains(folder) {
                if entry.kind == .directory { closed.insert(entry.path) }
                continue
            }
            let match = rules.match(path)
            switch entry.kind {
            case .directory:
                if case .excluded = match { closed.insert(entry.path) }
                guard case .rule(let rule) = match, rule.isNested,
                    path.lastComponent.contains(UInt8(ascii: "."))
                else { continue }
                closed.insert(entry.path)
                check(entry, at: position, path, rule, &scan, &visited)
            case .symbolicLink where isDSStore(path):
                scan.ended = .dsStoreLink(entry.path)
                return scan
            case .file, .symbolicLink:
                guard case .rule(let rule) = match, !rule.isOmit else {
                    if case .excluded = match {} else { scan.omitted.append(entry.path) }
                    continue
                }
                if entry.kind == .symbolicLink { scan.links.append(entry.path) }
                check(entry, at: position, path, rule, &scan, &visited)
            case .other(let kind):
                scan.problems.append(.init(path: entry.path, kind: .unsupportedType(kind), rule: nil))
            }
            if scan.ended != nil { return scan }
        }
        addLeftovers(visited, &scan)
        return scan
    }

    private func isDSStore(_ path: BundlePath) -> Bool {
        path.lastComponent.map { (65...90).contains($0) ? $0 + 32 : $0 } == Array(".ds_store".utf8)
    }

    /// One item under the seal (spec 5.7).
    private func check(
        _ entry: TreeEntry, at position: Int, _ path: BundlePath, _ rule: ResourceRule, _ scan: inout SealScan,
        _ visited: inout Set<BundlePath>
    ) {
        func report(_ kind: SealScan.Kind) {
            if let exemption, exemption.excuses(kind, at: path) { return }
            scan.problems.append(.init(path: entry.path, kind: kind, rule: rule.pattern))
            scan.compared[entry.path] = false
        }
        guard let item = seal.files[path] else {
            // Version 1 does not seal links.
            if seal.version == 1, entry.kind == .symbolicLink { return }
            report(.added)
            return
        }
        visited.insert(path)
        switch item.content {
        case .invalid(let reason):
            scan.ended = .item(entry.path, reason)
        case .nested(let requirement, let cdhash):
            scan.nested.append(
                .init(path: entry.path, requirement: requirement, cdhash: cdhash, isLink: entry.kind == .symbolicLink))
        case .link(let expected):
            guard entry.kind == .symbolicLink else { return report(.becameFile) }
            if let fault = files[position].fault { return report(.unchecked(fault)) }
            let actual = index.links[entry.path] ?? []
            if actual != expected { return report(.linkAltered(expected: expected, actual: actual)) }
            scan.compared[entry.path] = true
        case .file:
            // The record for the ruling type is looked up before anything else, and its lack ends the comparison.
            if let ruling = hashTypes.first, item.digest(for: ruling) == nil {
                scan.ended = .item(entry.path, "there is no digest for \(ruling.name)")
                return
            }
            if entry.kind == .symbolicLink { return report(.becameLink) }
            if entry.kind == .directory { return report(.directoryForFile) }
            if let fault = files[position].fault { return report(.unchecked(fault)) }
            switch compare(item, files[position]) {
            case .equal: scan.compared[entry.path] = true
            case .problem(let kind): report(kind)
            case .noRecord(let type): scan.ended = .item(entry.path, "there is no digest for \(type.name)")
            }
        }
    }

    private enum Comparison {
        case equal
        case problem(SealScan.Kind)
        /// The seal has neither the digest of this type nor SHA-1's, which ends the comparison.
        case noRecord(HashType)
    }

    /// Every digest that the signature's CodeDirectories ask for must match (spec 5.6).
    private func compare(_ item: SealedItem, _ facts: FileFacts) -> Comparison {
        for type in hashTypes {
            guard let expected = item.digest(for: type) else { return .noRecord(type) }
            // SHA-1 stands in for a type that has no record, and can only differ unless the sizes agree.
            if expected.count != type.size { return .problem(.noDigest(type)) }
            guard let actual = facts.digests[type] else { return .problem(.unchecked(.notAFile)) }
            if actual.bytes != expected {
                return .problem(.altered(type, expected: Digest(expected), actual: actual))
            }
        }
        return .equal
    }

    /// Sealed paths that the walk did not meet.
    private func addLeftovers(_ visited: Set<BundlePath>, _ scan: inout SealScan) {
        for (path, item) in seal.files.sorted(by: { $0.key < $1.key }) where !visited.contains(path) {
            let place = base.appending(path)
            let isThere = index[place] != nil
            if item.isOptional {
                if !isThere { scan.optionalAbsent.append(place) }
                continue
            }
            scan.problems.append(
                .init(path: place, kind: isThere ? .sealedButNotScanned : .missing, rule: nil))
        }
    }
}
