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
        if options.strict, hasUnreadableFolder(code, scan) { throw fail(.signatureNotVerifiable) }
        var first: (path: BundlePath, error: AppleError)?
        func collect(_ path: BundlePath, _ error: AppleError) {
            if first.map({ path < $0.path }) ?? true { first = (path, error) }
        }
        let nested = Dictionary(scan.nested.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        for path in (scan.links + nested.keys).sorted() {
            try link(path, code, seal, options)
            guard let item = nested[path] else { continue }
            do throws(Stop) { try self.nested(item, options) } catch {
                guard case .failure(let failure) = error,
                    failure.error == .badNestedCode || failure.error == .badResource,
                    failure.subcomponent == nil
                else { throw error }
                collect(item.path, failure.error)
            }
        }
        for (path, fault) in code.linkFaults where scan.compared[path] == true && options.strict {
            guard options.restrictSymlinks else { continue }
            switch fault {
            case .dangling, .loop, .outside, .notSealed: collect(path, .invalidSymlink)
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

    /// Everything under the seal is opened in search of resource forks, links followed (spec 5.7 point 1).
    private func link(
        _ path: BundlePath, _ code: CodeEvaluation, _ seal: CodeResources, _ options: CodesignOptions
    ) throws(Stop) {
        guard seal.version == 2, options.strict, options.restrictSidebandData else { return }
        switch code.linkFaults[path] {
        case .dangling: throw fail(.noSuchFile)
        case .loop: throw fail(.linkLoop)
        case .outside, .notSealed, nil: return
        }
    }

    /// Whether a folder below the root of the seal, and in no nested code, could not be listed.
    private func hasUnreadableFolder(_ code: CodeEvaluation, _ scan: SealScan) -> Bool {
        guard let base = code.code.layout?.supportDirectory else { return false }
        let units = Set(scan.nested.map(\.path))
        return facts.treeFaults.contains { fault in
            guard case .unreadableDirectory = fault.kind else { return false }
            let path = BundlePath(bytes: fault.name)
            return path != base && path.isAtOrBelow(base) && !path.isAtOrBelow(anyOf: units)
        }
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
        do throws(Stop) { try validate(code, options.forNestedCode, requirement: requirement, isNested: true) } catch {
            guard case .failure(var failure) = error else { throw error }
            if failure.error == .requirementFailed { throw fail(.badNestedCode) }
            // The innermost path wins; plain Unix errors carry none.
            if failure.subcomponent == nil, failure.error.code < 100_000 { failure.subcomponent = item.path }
            throw .failure(failure)
        }
        if options.strict { try otherVersions(item, code, options.forNestedCode, requirement) }
    }

    /// The versions of a nested framework beside the one in use, each held to the same requirement.
    private func otherVersions(
        _ item: SealScan.NestedItem, _ code: CodeEvaluation, _ options: CodesignOptions,
        _ requirement: RequirementExpression
    ) throws(Stop) {
        guard item.path.hasSuffix(".framework") else { return }
        let versions = item.path.appending("Versions")
        for version in facts.index.children(of: versions)
        where version.kind == .directory && version.path != code.code.layout?.base
            && version.path != versions.appending("Current")
        {
            let badVersion = CodesignVerdict.Failure(.badFrameworkVersion, subcomponent: item.path)
            guard let other = evaluations.first(where: { $0.code.path == version.path }) else {
                throw .failure(badVersion)
            }
            do throws(Stop) { try validate(other, options, requirement: requirement, isNested: true) } catch {
                guard case .failure(let failure) = error, failure.error.code < 100_000 else { throw error }
                throw .failure(badVersion)
            }
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
