import MachOReader

extension CodesignJudge {
    /// The resource seal (spec 5.2, 5.7).
    func resources(_ code: CodeEvaluation, _ options: CodesignOptions) throws(Stop) {
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
        case .intact(.compared(let seal, let scan)): try compare(seal, scan, code, options)
        }
    }

    private func compare(_ seal: CodeResources, _ scan: SealScan, _ code: CodeEvaluation, _ options: CodesignOptions)
        throws(Stop)
    {
        if options.strict, let layout = code.code.layout,
            !SealWeakness.all(seal, resourcesPrefix: layout.resourcesPrefix).isEmpty
        {
            throw fail(.weakResourceRules)
        }
        if options.strict, seal.version == 1 { throw fail(.weakResourceEnvelope) }
        var first: (path: BundlePath, error: AppleError)?
        func collect(_ path: BundlePath, _ error: AppleError) {
            if first.map({ path < $0.path }) ?? true { first = (path, error) }
        }
        for item in scan.nested {
            do throws(Stop) { try nested(item, options) } catch {
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
            case .unsupportedType: if options.strict { throw fail(.resourceNotSupported) }
            case .directoryForFile: throw fail(.isDirectory)
            default: collect(problem.path, .badResource)
            }
        }
        if let first { throw fail(first.error) }
    }

    /// One entry that stands for nested code (spec 6.3).
    private func nested(_ item: SealScan.NestedItem, _ options: CodesignOptions) throws(Stop) {
        if item.isLink { throw fail(.badResource) }
        let requirement: RequirementExpression
        do throws(RequirementTextFault) { requirement = try item.expression() } catch {
            // Before the code is opened, so without its path (spec 6.3).
            throw error.reason == .invalid ? fail(.resourcesInvalid) : .undecidable
        }
        guard let code = evaluations.first(where: { $0.code.path == item.path }) else {
            throw .failure(.init(.unsigned, subcomponent: item.path))
        }
        do throws(Stop) { try validate(code, options.forNestedCode, requirement: requirement) } catch {
            guard case .failure(var failure) = error else { throw error }
            if failure.error == .requirementFailed { throw fail(.badNestedCode) }
            // The innermost path wins; plain Unix errors carry none.
            if failure.subcomponent == nil, failure.error.code < 100_000 { failure.subcomponent = item.path }
            throw .failure(failure)
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
