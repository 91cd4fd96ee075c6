import MachOReader

extension CodesignJudge {
    /// What goes wrong before any signature is looked at.
    func open(_ code: CodeEvaluation) throws(Stop) {
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

    /// Signature, special slots, pages, requirement: what is asked of every slice.
    func core(
        _ slice: SliceEvaluation, of code: CodeEvaluation, _ options: CodesignOptions, isPrimary: Bool,
        _ requirement: RequirementExpression?
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
        for facts in signature.directories where options.executable && facts.directory.value?.hashType.isViable == true
        {
            guard let pages = facts.pages else { throw .undecidable }
            if pages.mismatchCount > 0 { throw fail(.signatureFailed, architecture) }
        }
        guard let requirement else { return }
        let isSatisfied: Bool?
        do throws(RequirementUnimplemented) { isSatisfied = try code.satisfies(requirement, slice) } catch {
            throw fail(.unimplemented, architecture)
        }
        guard let isSatisfied else { throw .undecidable }
        if !isSatisfied { throw fail(.requirementFailed, architecture) }
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
