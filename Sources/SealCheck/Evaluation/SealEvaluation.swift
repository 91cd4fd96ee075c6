import MachOReader

/// What became of a code object's resource seal (spec 5.1, 5.2).
public enum SealEvaluation: Hashable, Sendable {
    /// A loose file, which needs none.
    case notABundle
    /// No CodeDirectory rules, so nothing says which digests count.
    case noSignature
    /// The CodeDirectory records no hash for the seal, whether or not the file is there.
    case notBound(fileExists: Bool)
    /// The CodeDirectory records a hash, but the file is not there.
    case missing
    /// The file's hash is another. What it says is compared all the same, for people; Apple's verifier stops.
    case altered(Scanned)
    /// The file cannot be read.
    case unchecked(ReadFault)
    case intact(Scanned)

    /// A seal that was taken as it is and compared with the tree.
    public enum Scanned: Hashable, Sendable {
        /// It cannot be used at all.
        case unusable(SealFault)
        case compared(CodeResources, SealScan)
    }

    public var scanned: Scanned? {
        switch self {
        case .altered(let scanned), .intact(let scanned): scanned
        default: nil
        }
    }

    /// The comparison with the tree, where there was one.
    public var comparison: (seal: CodeResources, scan: SealScan)? {
        if case .compared(let seal, let scan) = scanned { return (seal, scan) }
        return nil
    }

    init(of evaluation: CodeEvaluation, facts: Facts, limits: Limits) {
        guard let layout = evaluation.code.layout else {
            self = .notABundle
            return
        }
        guard let slice = evaluation.primarySlice, slice.ruling != nil else {
            self = .noSignature
            return
        }
        switch slice.outcome(.resourceSeal) {
        case .absent: self = .notBound(fileExists: false)
        case .unbound, .outOfRange: self = .notBound(fileExists: true)
        case .missing: self = .missing
        case .unchecked(let fault): self = .unchecked(fault)
        case .equal: self = .intact(Self.scan(evaluation, slice, layout, facts, limits))
        case .different: self = .altered(Self.scan(evaluation, slice, layout, facts, limits))
        }
    }

    private static func scan(
        _ evaluation: CodeEvaluation, _ slice: SliceEvaluation, _ layout: BundleLayout, _ facts: Facts, _ limits: Limits
    ) -> Scanned {
        guard let contents = facts.seals[evaluation.number]?.contents else { return .unusable(.notADictionary) }
        do throws(SealFault) {
            let list: PropertyList
            switch contents {
            case .success(let value): list = value
            case .failure(.unreadable(let fault)): throw .unreadable(fault)
            case .failure(.notAPropertyList(let fault)): throw .notAPropertyList(fault)
            case .failure(.notADictionary): throw .notADictionary
            }
            let seal = try CodeResources(list)
            let rules = try ResourceRules(
                seal.rules, executable: evaluation.code.executable?.relative(to: layout.supportDirectory),
                limits: limits)
            let ruling = slice.ruling?.directory.value?.hashType
            let types = (slice.signature?.directories ?? []).compactMap { $0.directory.value?.hashType }
                .filter { $0.isViable && $0 != ruling }
            var scanner = SealScanner(
                seal: seal, rules: rules, base: layout.supportDirectory, index: facts.index, files: facts.files,
                hashTypes: (ruling.map { [$0] } ?? []) + types)
            scanner.exemption = StoreExemption(
                seal, image: slice.slice.image.value,
                executable: evaluation.code.executable?.relative(to: layout.supportDirectory), limits: limits)
            return .compared(seal, scanner.scan())
        } catch {
            return .unusable(error)
        }
    }
}
