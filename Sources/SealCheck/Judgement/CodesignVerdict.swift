import MachOReader

/// What `codesign --verify --deep --strict` would say (spec 6.1): the first error that it meets, with what hides what.
public struct CodesignVerdict: Hashable, Sendable {
    /// Nil where the spec cannot tell ([GAP]) or something could not be read.
    public var isValid: Bool?
    public var failure: Failure?

    public struct Failure: Error, Hashable, Sendable {
        public var error: AppleError
        /// Architecture that Apple's tool names, where it names one.
        public var architecture: String?
        /// Path of the nested code that failed, relative to nothing: as in the tree.
        public var subcomponent: BundlePath?

        init(_ error: AppleError, architecture: String? = nil, subcomponent: BundlePath? = nil) {
            self.error = error
            self.architecture = architecture
            self.subcomponent = subcomponent
        }
    }

    init(failure: Failure?) {
        isValid = failure == nil
        self.failure = failure
    }

    init(unknown: Void) {
        isValid = nil
        failure = nil
    }
}

/// Walks evaluated code in the order of Apple's verifier.
struct CodesignJudge {
    let evaluations: [CodeEvaluation]
    let facts: Facts

    /// Thrown instead of a failure when something that decides could not be read.
    private enum Stop: Error {
        case failure(CodesignVerdict.Failure)
        case undecidable
    }

    func verdict(on code: CodeEvaluation) -> CodesignVerdict {
        do throws(Stop) {
            try validate(code, requirement: nil)
            return CodesignVerdict(failure: nil)
        } catch {
            switch error {
            case .failure(let failure): return CodesignVerdict(failure: failure)
            case .undecidable: return CodesignVerdict(unknown: ())
            }
        }
    }

    private func fail(_ error: AppleError, _ architecture: String? = nil) -> Stop {
        .failure(.init(error, architecture: architecture))
    }

    /// Core of the primary slice, of the others, resources, strict (spec 6.1).
    private func validate(_ code: CodeEvaluation, requirement: SealScan.NestedItem?) throws(Stop) {
        try open(code)
        guard let primary = code.primarySlice else { throw fail(.unsigned) }
        try core(primary, of: code, isPrimary: true, requirement)
        let others = code.slices.indices.filter { $0 != code.primary }.sorted {
            Architecture.signedOrder(code.slices[$0].slice.architecture, code.slices[$1].slice.architecture)
        }
        for index in others { try core(code.slices[index], of: code, isPrimary: false, requirement) }
        try resources(code)
        try strict(code)
    }

    /// What goes wrong before any signature is looked at.
    private func open(_ code: CodeEvaluation) throws(Stop) {
        if let path = code.code.executable.flatMap({ facts.index.resolve($0) }), facts[path]?.fault != nil {
            throw .undecidable
        }
        switch code.machO?.container {
        case .malformed: throw fail(.notExecutable)
        case .universal64: throw fail(.unsigned)
        default: break
        }
        for slice in code.slices where slice.signature?.superBlob != nil || slice.signature == nil {
            if slice.slice.image.fault != nil { throw fail(.notExecutable) }
        }
    }

    private func core(
        _ slice: SliceEvaluation, of code: CodeEvaluation, isPrimary: Bool, _ requirement: SealScan.NestedItem?
    ) throws(Stop) {
        let architecture = slice.slice.image.value == nil ? nil : slice.architectureName
        // Another slice's CodeDirectory is loaded before its core is entered, so what goes wrong there names no
        // architecture (spec 2.3).
        let loading = isPrimary ? architecture : nil
        if case .malformed = slice.slice.signature { throw fail(.signatureInvalid, loading) }
        guard let signature = slice.signature, !signature.directories.isEmpty else { throw fail(.unsigned, loading) }
        if let fault = signature.directoryFault {
            // The primary's broken CodeDirectory looks "not ad-hoc", and without a CMS slot "not signed" (spec 3).
            if isPrimary, case .absent = signature.cms { throw fail(.unsigned, loading) }
            throw fail(fault.appleError, loading)
        }
        guard let ruling = slice.ruling, let directory = ruling.directory.value else { throw fail(.unsigned, loading) }
        if !isPrimary, code.ruling?.teamIdentifier != ruling.teamIdentifier { throw fail(.signatureInvalid) }
        if directory.hashSizeFault() != nil { throw fail(.signatureFailed, architecture) }
        if !directory.flags.contains(.adhoc) {
            switch signature.cms {
            case .absent: throw fail(.unsigned, architecture)
            case .malformed: throw fail(.signatureInvalid, architecture)
            // An empty message is never valid; which code it ends in is not published (spec 3).
            case .empty: throw .undecidable
            // Checked by nobody here yet.
            case .present: break
            }
        }
        try slots(slice, architecture)
        for facts in signature.directories where facts.directory.value?.hashType.isViable == true {
            guard let pages = facts.pages else { throw .undecidable }
            if pages.mismatchCount > 0 { throw fail(.signatureFailed, architecture) }
        }
        if let requirement {
            guard let list = CDHashRequirement(parsing: requirement.requirement) else { throw .undecidable }
            guard let hash = ruling.cdhash, list.hashes.contains(hash) else {
                throw fail(.requirementFailed, architecture)
            }
        }
    }

    /// Special slots from the highest down, without the seal's (spec 1.14).
    private func slots(_ slice: SliceEvaluation, _ architecture: String?) throws(Stop) {
        for comparison in slice.slots.reversed() where comparison.slot != .resourceSeal {
            if slice.signature?.wrapperFaults[comparison.slot] != nil { throw fail(.signatureInvalid, architecture) }
            switch comparison.outcome {
            case .equal, .absent, .unbound, .outOfRange: continue
            case .unchecked: throw .undecidable
            case .different, .missing:
                throw fail(comparison.slot == .infoPlist ? .infoPlistFailed : .signatureFailed, architecture)
            }
        }
    }

    private func resources(_ code: CodeEvaluation) throws(Stop) {
        switch code.seal {
        case .notABundle:
            switch code.primarySlice?.outcome(.resourceSeal) {
            case .missing, .different: throw fail(.resourceDirectoryFailed)
            case .equal: throw fail(.resourcesNotFound)
            default: return
            }
        case .noSignature: return
        case .notBound: throw fail(.resourcesNotFound)
        case .missing, .altered: throw fail(.resourceDirectoryFailed)
        case .unchecked: throw .undecidable
        case .intact(.unusable(let fault)):
            guard let error = fault.appleError else { throw .undecidable }
            throw fail(error)
        case .intact(.compared(let seal, let scan)): try compare(seal, scan, code)
        }
    }

    private func compare(_ seal: CodeResources, _ scan: SealScan, _ code: CodeEvaluation) throws(Stop) {
        if let layout = code.code.layout, !SealWeakness.all(seal, resourcesPrefix: layout.resourcesPrefix).isEmpty {
            throw fail(.weakResourceRules)
        }
        if seal.version == 1 { throw fail(.weakResourceEnvelope) }
        var first: (path: BundlePath, error: AppleError)?
        func collect(_ path: BundlePath, _ error: AppleError) {
            if first.map({ path < $0.path }) ?? true { first = (path, error) }
        }
        for item in scan.nested {
            do throws(Stop) { try nested(item) } catch {
                guard case .failure(let failure) = error,
                    failure.error == .badNestedCode || failure.error == .badResource,
                    failure.subcomponent == nil
                else { throw error }
                collect(item.path, failure.error)
            }
        }
        if let ended = scan.ended {
            guard let error = ended.appleError else { throw .undecidable }
            throw fail(error)
        }
        for problem in scan.problems {
            switch problem.kind {
            case .unchecked: throw .undecidable
            case .unsupportedType: throw fail(.resourceNotSupported)
            case .directoryForFile: throw fail(.isDirectory)
            default: collect(problem.path, .badResource)
            }
        }
        if let first { throw fail(first.error) }
    }

    /// One entry that stands for nested code (spec 6.3).
    private func nested(_ item: SealScan.NestedItem) throws(Stop) {
        if item.isLink { throw fail(.badResource) }
        guard let code = evaluations.first(where: { $0.code.path == item.path }) else {
            throw .failure(.init(.unsigned, subcomponent: item.path))
        }
        do throws(Stop) { try validate(code, requirement: item) } catch {
            guard case .failure(var failure) = error else { throw error }
            if failure.error == .requirementFailed { throw fail(.badNestedCode) }
            // The innermost path wins; plain Unix errors carry none.
            if failure.subcomponent == nil, failure.error.code < 100_000 { failure.subcomponent = item.path }
            throw .failure(failure)
        }
    }

    /// Strict: nothing unsealed in the bundle, and the executable covered to its end (spec 4.5, 2.5).
    private func strict(_ code: CodeEvaluation) throws(Stop) {
        if let layout = code.code.layout {
            if !BundleHygiene.strays(in: layout, of: code, facts: facts).isEmpty { throw fail(.unsealedAppRoot) }
            for path in [layout.infoPlist, code.code.executable].compactMap(\.self)
            where facts.index[path]?.kind == .symbolicLink {
                throw fail(.regularFile)
            }
        }
        guard let slice = code.primarySlice, let image = slice.slice.image.value else { return }
        if slice.ruling?.directory.value?.codeLimit != image.signingExtent(sliceSize: slice.slice.size) {
            throw fail(.signatureInvalid)
        }
        if let machO = code.machO, !UniversalLayout.suspicions(machO).isEmpty { throw fail(.badMainExecutable) }
        for slice in code.slices where slice.slice.image.value?.claimedEnd.offset != slice.slice.size {
            throw fail(.badMainExecutable)
        }
    }
}

extension SignatureFacts.DirectoryFault {
    /// Apple's error for it (spec 1.7, 1.8).
    var appleError: AppleError {
        switch self {
        case .malformed: .signatureFailed
        case .integrity(_, let fault): fault.rule == .version ? .signatureUnsupported : .signatureFailed
        case .duplicateHashType: .signatureInvalid
        case .noViableHashType: .unsupportedDigestAlgorithm
        }
    }
}

extension SealFault {
    /// Apple's error for it, or nil where something of ours stopped the comparison.
    var appleError: AppleError? {
        switch self {
        case .notAPropertyList(.malformed), .notADictionary: .badDictionaryFormat
        case .incomplete: .resourcesNotFound
        case .inconsistent, .item: .resourcesInvalid
        case .rule: .resourceRulesInvalid
        case .dsStoreLink: .dsStoreSymlink
        case .unreadable, .notAPropertyList(.limit), .unboundedRule, .limit: nil
        }
    }
}
