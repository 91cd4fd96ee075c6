public import MachOReader

/// Requirements that others have of code, and that it has of itself.
extension CodeEvaluation {
    /// Whether one slice satisfies a requirement.
    func truth(
        of requirement: RequirementExpression, for slice: SliceEvaluation
    ) throws(RequirementUnimplemented) -> RequirementTruth {
        try requirement.truth(for: context(slice))
    }

    private func context(_ slice: SliceEvaluation) -> RequirementContext {
        let directory = slice.ruling?.directory.value
        let entitlements = slice.signature?.entitlements
        let values: RequirementContext.Values =
            switch (entitlements?.effective, entitlements?.xmlFault ?? entitlements?.derFault) {
            case (let values?, _): .dictionary(values)
            case (nil, nil): .none
            case (nil, _): .unreadable
            }
        return RequirementContext(
            identifier: slice.ruling?.identifier?.bytes ?? [], cdhash: slice.ruling?.cdhash,
            platform: directory?.platform ?? 0, info: infoValues(slice), entitlements: values,
            certificates: directory?.flags.contains(.adhoc) ?? false ? nil : slice.signature?.message?.chain ?? [])
    }

    /// The Info.plist that Apple's verifier would load for the code: the bundle's, or the one inside a bare executable.
    private func infoValues(_ slice: SliceEvaluation) -> RequirementContext.Values {
        if code.layout != nil {
            guard let plist = code.infoPlist else { return .none }
            return plist.dictionary.map { .dictionary($0) } ?? .unreadable
        }
        guard let bytes = slice.slice.embeddedInfoPlist else { return .none }
        guard let plist = try? PropertyList(parsing: bytes.array, limits: .standard), plist.dictionary != nil else {
            return .unreadable
        }
        return .dictionary(plist)
    }

    /// What the code says that it is to be recognised by.
    public var designatedRequirement: DesignatedRequirement {
        guard let slice = primarySlice, let ruling = slice.ruling else { return .none }
        if let blob = slice.signature?.components[.requirements] {
            let set = Parsed(catching: { () throws(FormatFault) in try RequirementSet(parsing: blob) })
            if let fault = set.fault { return .malformed(fault) }
            switch set.value?[.designated] {
            case .value(let requirement): return .explicit(requirement)
            case .fault(let fault): return .malformed(fault)
            case nil: break
            }
        }
        // Of code with certificates it is made of their names, which are not read here (spec 3).
        guard ruling.directory.value?.flags.contains(.adhoc) ?? false else { return .none }
        let hashes = cdhashes.map { RequirementExpression.cdhash($0.bytes) }
        guard let first = hashes.first else { return .none }
        return .implicit(hashes.dropFirst().reduce(first) { .or($0, $1) })
    }

    /// Every cdhash of the code, those of the primary slice first, by ascending hash type (spec 3).
    public var cdhashes: [Digest] {
        let others = slices.indices.filter { $0 != primary }.map { slices[$0] }
        return ([primarySlice].compactMap(\.self) + others).flatMap { slice in
            (slice.signature?.directories ?? []).compactMap { facts in
                facts.directory.value.flatMap { directory in facts.cdhash.map { (directory.hashType.rawValue, $0) } }
            }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Whether the code satisfies its own designated requirement; nil where nobody can tell.
    public var satisfiesDesignatedRequirement: Bool? {
        guard let slice = primarySlice else { return nil }
        switch designatedRequirement {
        case .implicit(let expression), .explicit(.expression(let expression)):
            do throws(RequirementUnimplemented) {
                switch try truth(of: expression, for: slice) {
                case .yes: return true
                case .no: return false
                case .trust, .unknown: return nil
                }
            } catch { return false }
        case .malformed: return false
        case .explicit(.lightweight), .none: return nil
        }
    }
}

/// What code says that others are to recognise it by (spec 3).
public enum DesignatedRequirement: Hashable, Sendable {
    /// It stands in slot 2.
    case explicit(RequirementBlob)
    /// Nothing stands there, so that ad-hoc code is recognised by its cdhashes.
    case implicit(RequirementExpression)
    /// Slot 2, or the requirement in it, cannot be read (Apple: ReqInvalid, whenever it is asked for).
    case malformed(FormatFault)
    /// There is none, or it would be made of certificates.
    case none
}

/// How nested code meets the requirement that the seal around it records for it.
enum RequirementOutcome: Hashable {
    case satisfied
    case failed
    /// There is no signature to ask, which is said of the nested code itself.
    case unsigned
    /// The text is no requirement (Apple: ResourcesInvalid).
    case invalid(RequirementTextFault)
    /// Everything holds but whether the certificates are to be trusted, which is not asked here.
    case satisfiedOnTrust
    /// It hangs on what could not be read, or on what Apple's grammar leaves open.
    case undecided(String)
}

extension SealScan.NestedItem {
    /// The requirement, compiled.
    func expression() throws(RequirementTextFault) -> RequirementExpression {
        try RequirementExpression(compiling: requirement.bytes)
    }

    /// Whether every slice of the nested code satisfies the requirement.
    func outcome(for nested: CodeEvaluation) -> RequirementOutcome {
        let expression: RequirementExpression
        do throws(RequirementTextFault) { expression = try self.expression() } catch {
            return error.reason == .invalid ? .invalid(error) : .undecided(error.description)
        }
        if isLink { return .failed }
        if nested.slices.isEmpty || nested.slices.contains(where: { $0.ruling == nil }) { return .unsigned }
        var outcome = RequirementOutcome.satisfied
        for slice in nested.slices {
            // The text form has no opcode that could be unknown.
            switch (try? nested.truth(of: expression, for: slice)) ?? .unknown {
            case .yes: continue
            case .no: return .failed
            case .trust: if outcome == .satisfied { outcome = .satisfiedOnTrust }
            case .unknown:
                outcome = .undecided("it hangs on a certificate or a property list that cannot be read")
            }
        }
        return outcome
    }
}
