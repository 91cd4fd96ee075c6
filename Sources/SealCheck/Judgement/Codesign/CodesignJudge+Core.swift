import MachOReader

extension CodesignJudge {
    /// What goes wrong before any signature is looked at.
    func open(_ code: CodeEvaluation) throws(Stop) {
        if let path = code.code.executable.flatMap({ facts.index.resolve($0) }), facts[path]?.fault != nil {
            throw .undecidable
        }
        // Old style for CoreFoundation, which then looks for everything elsewhere; what Apple's shipping code makes of
        // it is not published (spec 4.2, 11.4).
        if BundleStructure.resourcesFolder(code.code, facts.index) != nil { throw .gap("4.2", isValid: nil) }
        if case .ambiguous(isThere: false) = BundleStructure.ambiguity(code.code, facts.index)?.kind {
            throw fail(.ambiguousBundleFormat)
        }
        switch code.machO?.container {
        case .malformed: throw fail(.notExecutable)
        case .universal64: throw fail(.unsigned)
        case .universal(let file):
            if Set(file.slices.map(\.offset)).count < file.slices.count { throw fail(.internalError) }
        case .thin, nil: break
        }
        // By the first slice; whatever is no code is a generic file, which carries its signature in attributes.
        if let type = code.slices.first?.slice.image.value?.header.fileType, !type.isSignable { throw fail(.unsigned) }
        if let layout = code.code.layout, code.code.executable == nil, code.code.infoPlist == nil, code.slices.isEmpty,
            !facts.index.children(of: layout.base).contains(where: { $0.path.hasSuffix(".dist") })
        {
            throw fail(.badBundleFormat)
        }
        for slice in code.slices where slice.signature?.superBlob != nil || slice.signature == nil {
            if slice.slice.image.fault != nil { throw fail(.notExecutable) }
        }
    }

    /// Signature, special slots, pages, requirement: what is asked of every slice.
    func core(
        _ slice: SliceEvaluation, of code: CodeEvaluation, _ options: CodesignOptions, isPrimary: Bool,
        _ requirement: RequirementExpression?, isNested: Bool
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
        if slice.foreignSlots.contains(where: \.isAlternate) {
            if isPrimary, case .absent = signature.cms { throw fail(.unsigned, loading) }
            throw fail(.signatureFailed, loading)
        }
        guard let ruling = slice.ruling, let directory = ruling.directory.value else { throw fail(.unsigned, loading) }
        if !isPrimary, code.ruling?.teamIdentifier != ruling.teamIdentifier { throw fail(.signatureInvalid) }
        if directory.hashSizeFault() != nil { throw fail(.signatureFailed, architecture) }
        if !directory.flags.contains(.adhoc) {
            if slice.foreignSlots.contains(.cmsSignature) { throw fail(.signatureFailed, architecture) }
            try message(signature, architecture)
        }
        try slots(slice, architecture)
        if TopDirectory.difference(slice) != nil { throw fail(.signatureFailed, architecture) }
        for facts in signature.directories where options.executable && facts.directory.value?.hashType.isViable == true
        {
            guard let pages = facts.pages else { throw .undecidable }
            if pages.mismatchCount > 0 { throw fail(.signatureFailed, architecture) }
        }
        guard let requirement else { return }
        let truth: RequirementTruth
        do throws(RequirementUnimplemented) { truth = try code.truth(of: requirement, for: slice) } catch {
            throw fail(.unimplemented, architecture)
        }
        switch truth {
        case .yes: return
        case .no: throw fail(.requirementFailed, architecture)
        // What a seal asks of nested code is answered with trust left aside, like the rest of the verdict. Whoever asks
        // from outside whether an anchor is there wants to know just that.
        case .trust: if isNested { return } else { throw .undecidable }
        case .unknown: throw .undecidable
        }
    }

    /// The signature with a certificate, its trust aside (spec 3).
    private func message(_ signature: SignatureFacts, _ architecture: String?) throws(Stop) {
        switch signature.cms {
        case .absent: throw fail(.unsigned, architecture)
        case .malformed: throw fail(.signatureInvalid, architecture)
        // An empty message is never valid; which code it ends in is not published.
        case .empty: throw .gap("3", isValid: false)
        case .present:
            guard let message = signature.message else { throw .undecidable }
            switch message.fault {
            case .undecodable: throw fail(.unknownFormat, architecture)
            case .unverified: throw fail(.signatureFailed, architecture)
            case nil: break
            }
            if message.hasDifference { throw fail(.signatureFailed, architecture) }
            // A CodeDirectory that no part of the message is about: what Apple's verifier does then is not published.
            if message.bindings.values.contains(.unmentioned) { throw .gap("3", isValid: nil) }
        }
    }

    /// Special slots from the highest down, without the seal's (spec 1.14).
    private func slots(_ slice: SliceEvaluation, _ architecture: String?) throws(Stop) {
        for comparison in slice.slots.reversed() where comparison.slot != .resourceSeal {
            if slice.foreignSlots.contains(comparison.slot) { throw fail(.signatureFailed, architecture) }
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
