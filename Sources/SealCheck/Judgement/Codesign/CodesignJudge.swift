import MachOReader

/// Walks evaluated code in the order of Apple's verifier and stops where it stops (spec 6.1).
struct CodesignJudge {
    let evaluations: [CodeEvaluation]
    let facts: Facts
    let options: CodesignOptions

    /// Why the walk ended.
    enum Stop: Error {
        case failure(CodesignVerdict.Failure)
        /// Something that decides could not be read.
        case undecidable
        /// What Apple publishes does not settle it; the section of the spec says so. `isValid` is false where only the
        /// error is open.
        case gap(String, isValid: Bool?)
    }

    func verdict(on code: CodeEvaluation) -> CodesignVerdict {
        do throws(Stop) {
            try validate(code, options, requirement: options.requirement, isNested: false)
            var verdict = CodesignVerdict(failure: nil)
            verdict.satisfiesDesignatedRequirement = code.satisfiesDesignatedRequirement
            return verdict
        } catch {
            switch error {
            case .failure(let failure): return CodesignVerdict(failure: failure)
            case .undecidable: return CodesignVerdict(unknown: nil)
            case .gap(let section, let isValid): return CodesignVerdict(unknown: section, isValid: isValid)
            }
        }
    }

    /// The slices beside the primary, in the order in which they are visited: one for each architecture, since the
    /// table is asked for it by name (spec 2.3).
    private func others(of code: CodeEvaluation) -> [Int] {
        var seen = Set(code.primarySlice.map { [$0.slice.architecture] } ?? [])
        return code.slices.indices.filter { seen.insert(code.slices[$0].slice.architecture).inserted }.sorted {
            Architecture.signedOrder(code.slices[$0].slice.architecture, code.slices[$1].slice.architecture)
        }
    }

    func fail(_ error: AppleError, _ architecture: String? = nil) -> Stop {
        .failure(.init(error, architecture: architecture))
    }

    /// Core of the primary slice, core of the others, resources, strict: the first failure ends it.
    func validate(
        _ code: CodeEvaluation, _ options: CodesignOptions, requirement: RequirementExpression?, isNested: Bool
    ) throws(Stop) {
        try open(code)
        guard let primary = code.primarySlice else { throw fail(.unsigned) }
        try core(primary, of: code, options, isPrimary: true, requirement, isNested: isNested)
        if options.allArchitectures {
            let unreachable = code.machO.map(UniversalLayout.unreachable) ?? []
            for index in others(of: code) {
                // Behind a suspicious gap nothing is registered, so that the size of the slice is not to be had.
                if unreachable.contains(code.slices[index].slice.index) { throw fail(.internalError) }
                try core(
                    code.slices[index], of: code, options, isPrimary: false, requirement, isNested: isNested)
            }
        }
        if options.resources { try resources(code, options) }
        if options.strict { try strict(code, options) }
    }
}
