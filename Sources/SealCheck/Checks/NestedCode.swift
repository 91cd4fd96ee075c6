import MachOReader

extension Finding.ID {
    static let nestedCodeResigned = Self("nested-code-resigned")
    static let nestedCodeSignedLate = Self("nested-code-signed-late")
    static let nestedCodeAdded = Self("nested-code-added")
    static let nestedCodeRemoved = Self("nested-code-removed")
    static let nestedRequirementFailed = Self("nested-requirement-failed")
    static let nestedItemNotCode = Self("nested-item-not-code")
    static let nestedCodeSymlink = Self("nested-code-symlink")
    static let nestedRequirementInvalid = Self("nested-requirement-invalid")
    static let nestedHashStale = Self("nested-cdhash-stale")
    static let frameworkVersionDiffers = Self("framework-version-differs")
    static let nestedRequirementTrust = Self("nested-requirement-trust")
    static let uncheckedRequirement = Self("unchecked-requirement")
}

extension Check {
    /// The seal around each nested code object against the object as it is now: was this app sealed over *this*
    /// extension?
    static let nestedCode = Check(.nestedCode) { subject in
        subject.coverage.compactMap { coverage(_: $0, subject) }
            + subject.evaluations.flatMap { removed($0, subject.facts) + entries($0, subject) }
    }

    private static func coverage(_ coverage: Coverage, _ subject: Subject) -> Finding? {
        let nested = subject.evaluations[coverage.code]
        let outer = subject.evaluations[coverage.sealedBy].code
        // Only a signature that fits its code can be the newer one.
        guard nested.signatureKind != .unsigned, outer.layout != nil,
            let scan = subject.evaluations[coverage.sealedBy].seal.comparison?.scan, scan.ended == nil
        else { return nil }
        // A record without the digest that is asked for says nothing about what was sealed.
        let hasOtherDigest = scan.problems.contains { problem in
            guard problem.path == nested.code.executable, case .altered = problem.kind else { return false }
            return true
        }
        let about = Finding.Subject(path: nested.code.path, code: outer.path)
        let (noun, path) = (nested.code.kind.noun, nested.code.path)
        switch (coverage.executable, coverage.seal) {
        case (.differs, .notSealed) where hasOtherDigest:
            return Finding(
                .nestedCodeSignedLate, about,
                "The \(outer.kind.noun) \(outer.path) was sealed before its \(noun) \(path) was signed.")
        case (.differs, _) where hasOtherDigest && nested.isIntact:
            return Finding(
                .nestedCodeResigned, about,
                "The \(noun) \(path) was signed again after the \(outer.kind.noun) \(outer.path) was sealed.")
        case (.notSealed, .notSealed), (.notSealed, .absent):
            guard coverage.how == .none else { return nil }
            return Finding(
                .nestedCodeAdded, about,
                "The \(noun) \(path) was added after the \(outer.kind.noun) \(outer.path) was sealed.")
        default: return nil
        }
    }

    /// Nested bundles of which the seal lists files, but which are not there at all.
    private static func removed(_ outer: CodeEvaluation, _ facts: Facts) -> [Finding] {
        guard let scan = outer.seal.comparison?.scan else { return [] }
        var gone: Set<BundlePath> = []
        for problem in scan.problems where problem.kind == .missing {
            var folder = problem.path.parent
            while let current = folder, current != outer.code.path, !current.isRoot {
                if CodeObject.Kind(directoryName: current) != nil, facts.index.positions(below: current).isEmpty {
                    gone.insert(current)
                }
                folder = current.parent
            }
        }
        // The outermost of each: what lay in it is gone with it.
        return gone.filter { path in !gone.contains { $0 != path && path.isAtOrBelow($0) } }.sorted().map {
            Finding(
                .nestedCodeRemoved, .init(path: $0, code: outer.code.path),
                "\($0) is in the seal of \(outer.code.path), but was removed.")
        }
    }

    /// Entries of a deep bundle's seal that stand for nested code as a whole.
    private static func entries(_ outer: CodeEvaluation, _ subject: Subject) -> [Finding] {
        (outer.seal.comparison?.scan.nested ?? []).flatMap { item in
            [entry(item, outer, subject)].compactMap(\.self) + otherVersions(item, outer, subject)
        }
    }

    private static func entry(
        _ item: SealScan.NestedItem, _ outer: CodeEvaluation, _ subject: Subject
    ) -> Finding? {
        let about = Finding.Subject(path: item.path, code: outer.code.path)
        if item.isLink {
            return Finding(
                .nestedCodeSymlink, about, "\(item.path) is sealed as nested code, but is a symbolic link.")
        }
        guard let nested = subject.evaluations.first(where: { $0.code.path == item.path }) else {
            return Finding(.nestedItemNotCode, about, "\(item.path) is sealed as nested code, but is no code.")
        }
        switch item.outcome(for: nested) {
        case .satisfied: return staleHash(item, nested, about)
        case .unsigned: return nil
        case .satisfiedOnTrust:
            return Finding(
                .nestedRequirementTrust, about,
                "The requirement that \(outer.code.path) has for \(item.path) is met, as far as its certificates are to be "
                    + "trusted.", .init(expected: item.requirement.lossyText))
        case .failed:
            let hashes = nested.slices.compactMap { $0.ruling?.cdhash?.hexadecimal }
            return Finding(
                .nestedRequirementFailed, about,
                "The \(nested.code.kind.noun) \(item.path) is not the one that \(outer.code.path) was sealed over.",
                .init(expected: item.requirement.lossyText, actual: hashes.joined(separator: ", ")))
        case .invalid(let fault):
            return Finding(
                .nestedRequirementInvalid, about,
                "The requirement that \(outer.code.path) has for \(item.path) is none: \(fault).",
                .init(actual: item.requirement.lossyText))
        case .undecided(let reason):
            return Finding(
                .uncheckedRequirement, about,
                "The requirement that \(outer.code.path) has for \(item.path) was not evaluated: \(reason).",
                .init(expected: item.requirement.lossyText))
        }
    }

    /// The versions of a framework beside the one in use are held to the same requirement (spec 6.3 point 4).
    private static func otherVersions(
        _ item: SealScan.NestedItem, _ outer: CodeEvaluation, _ subject: Subject
    ) -> [Finding] {
        guard item.path.hasSuffix(".framework"), (try? item.expression()) != nil else { return [] }
        return subject.evaluations.filter { other in
            guard let layout = other.code.layout, layout.isVersioned, layout.base == other.code.path else {
                return false
            }
            return other.code.path.parent == item.path.appending("Versions")
        }.compactMap { other in
            guard item.outcome(for: other) == .failed else { return nil }
            return Finding(
                .frameworkVersionDiffers, .init(path: other.code.path, code: outer.code.path),
                "\(other.code.path), which is not the framework's current version, does not meet the requirement that "
                    + "\(outer.code.path) has for the framework.",
                .init(expected: item.requirement.lossyText, actual: other.ruling?.cdhash?.hexadecimal))
        }
    }

    /// The hash that a seal keeps beside the requirement, which Apple's verifier never reads (spec 5.4).
    ///
    /// Apple's signer records that of the ruling CodeDirectory, others that of the SHA-1 one: any of them tells that the
    /// seal was made over this code.
    private static func staleHash(
        _ item: SealScan.NestedItem, _ nested: CodeEvaluation, _ about: Finding.Subject
    ) -> Finding? {
        guard let recorded = item.cdhash, let actual = nested.ruling?.cdhash,
            !nested.cdhashes.contains(where: { recorded.starts(with: $0.bytes) })
        else { return nil }
        return Finding(
            .nestedHashStale, about,
            "The cdhash that is recorded for \(item.path) is not the one that it has, although it meets the requirement.",
            .init(expected: Digest(recorded).hexadecimal, actual: actual.hexadecimal))
    }
}

extension CodeEvaluation {
    /// Whether the signature fits everything that it covers: pages, slots, seal. Code that somebody signed as it is now.
    var isIntact: Bool {
        !slices.isEmpty && slices.allSatisfy(\.isIntact) && sealIsIntact && signatureKind != .noFlag
    }

    private var sealIsIntact: Bool {
        if code.layout == nil { return true }
        guard case .intact(.compared(_, let scan)) = seal else { return false }
        return scan.problems.isEmpty && scan.ended == nil
    }
}

extension SliceEvaluation {
    fileprivate var isIntact: Bool {
        guard let ruling, let directory = ruling.directory.value, let image = slice.image.value else { return false }
        let slotsFit = (slots + otherSlots.values.flatMap(\.self)).allSatisfy {
            [.equal, .absent].contains($0.outcome)
        }
        let pagesFit = (signature?.directories ?? []).allSatisfy { $0.pages?.mismatchCount == 0 }
        let messageFits = signature?.message.map { $0.fault == nil && !$0.hasDifference } ?? true
        return slotsFit && pagesFit && messageFits && directory.codeLimit == image.signingExtent(sliceSize: slice.size)
            && image.claimedEnd.offset == slice.size
    }
}

extension Catalogue {
    private static let sealOuter = "Seal what is around it again: sign from the inside out, the app last."

    static let nestedCode: [CatalogueRow] = [
        CatalogueRow(
            .nestedRequirementTrust, .nestedCode, severity: .note, "A nested code's requirement names an anchor.",
            why:
                "Whether certificates are to be trusted is not looked at: chain, dates and revocation belong to a Mac.",
            fix: "Nothing has to be done. Verify with codesign on a Mac where the trust matters."),
        CatalogueRow(
            .frameworkVersionDiffers, .nestedCode, apple: .badFrameworkVersion,
            "Another version in a framework is not the one that the seal names.",
            why:
                "The seal around a framework has one requirement for it, and strict verification holds every version in it "
                + "to that one. Ad-hoc code is named by its hash, which only one version can have.",
            fix: "Remove the version that is not used, and seal again."),
        CatalogueRow(
            .nestedCodeResigned, .nestedCode, apple: .badResource,
            "Nested code was signed again after the seal around it.",
            why: "The seal records the old executable. The installer refuses the app, or a device shows nothing.",
            fix: sealOuter),
        CatalogueRow(
            .nestedCodeSignedLate, .nestedCode, apple: .badResource,
            "A bundle was sealed before the code in it was signed.",
            why: "Its seal records the unsigned executable and knows nothing of the signature that came later.",
            fix: sealOuter),
        CatalogueRow(
            .nestedCodeAdded, .nestedCode, apple: .badResource, "Nested code was added after the seal around it.",
            why: "The seal does not know it, so nothing says that it belongs there.", fix: sealOuter),
        CatalogueRow(
            .nestedCodeRemoved, .nestedCode, apple: .badResource, "Nested code was removed after the seal around it.",
            why: "The seal lists its files; the installer finds them missing.",
            fix: "Put it back, or seal what was around it again."),
        CatalogueRow(
            .nestedRequirementFailed, .nestedCode, apple: .badNestedCode,
            "Nested code is not the one that the seal around it names.",
            why: "The seal names it by cdhash, so any signing of it breaks the seal.", fix: sealOuter),
        CatalogueRow(
            .nestedItemNotCode, .nestedCode, apple: .unsigned, "A seal takes for code what is none.",
            why: "Verifiers look for a signature there and find nothing that could carry one.",
            fix: "Move data out of the places for code (Resources is the place for it), then seal again."),
        CatalogueRow(
            .nestedCodeSymlink, .nestedCode, apple: .badResource,
            "A symbolic link stands where nested code was sealed.",
            why: "Nested code must be there itself.", fix: "Put the code itself in its place."),
        CatalogueRow(
            .nestedRequirementInvalid, .nestedCode, apple: .resourcesInvalid,
            "A seal has a text for nested code that is no requirement.",
            why: "Verifiers compile it before they look at the code, and give the whole seal up where they cannot.",
            fix: sealOuter),
        CatalogueRow(
            .nestedHashStale, .nestedCode, severity: .warning,
            "The cdhash that a seal keeps for nested code is an old one.",
            why: "Apple's verifier tests the requirement and never reads this hash; other tools do.", fix: sealOuter),
        CatalogueRow(
            .uncheckedRequirement, .nestedCode, "A nested code's requirement was not evaluated.",
            why: "It hangs on certificates, on something that could not be read, or on a form that is not settled.",
            fix: "Verify with codesign on a Mac, or seal ad hoc, where the requirement is a list of cdhashes."),
    ]
}
