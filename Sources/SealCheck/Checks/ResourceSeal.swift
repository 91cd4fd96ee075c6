import MachOReader

extension Finding.ID {
    static let resourceAdded = Self("resource-added")
    static let resourceAltered = Self("resource-altered")
    static let resourceMissing = Self("resource-missing")
    static let resourceSealedButOmitted = Self("resource-sealed-but-omitted")
    static let resourceBecameSymlink = Self("resource-became-symlink")
    static let symlinkBecameFile = Self("symlink-became-file")
    static let symlinkAltered = Self("symlink-altered")
    static let resourceDigestAbsent = Self("resource-digest-absent")
    static let folderForFile = Self("folder-for-file")
    static let specialFile = Self("special-file")
    static let dsStoreSymlink = Self("ds-store-symlink")
    static let symlinkDangling = Self("symlink-dangling")
    static let symlinkLoop = Self("symlink-loop")
    static let symlinkOutside = Self("symlink-outside")
    static let symlinkTargetUnsealed = Self("symlink-target-unsealed")
    static let sealAltered = Self("seal-altered")
    static let sealMissing = Self("seal-missing")
    static let sealNotBound = Self("seal-not-bound")
    static let sealMalformed = Self("seal-malformed")
    static let sealIncomplete = Self("seal-incomplete")
    static let sealInconsistent = Self("seal-inconsistent")
    static let sealEntryInvalid = Self("seal-entry-invalid")
    static let sealRuleInvalid = Self("seal-rule-invalid")
    static let sealRulesWeak = Self("seal-rules-weak")
    static let sealVersion1 = Self("seal-version-1")
    static let uncheckedSeal = Self("unchecked-seal")
}

extension Check {
    /// The resource seal: its own integrity, and the tree against it, both ways.
    static let resourceSeal = Check(
        .resourceSeal, covers: Set(["rules", "files", "rules2", "files2"].map { Feature.sealKey($0) })
    ) { evaluation, _ in
        guard let layout = evaluation.code.layout else { return [] }
        let about = Finding.Subject(path: layout.seal, code: evaluation.code.path)
        var findings: [Finding] = []
        switch evaluation.seal {
        case .notABundle, .noSignature: return []
        case .notBound(let fileExists):
            let more = fileExists ? "although \(layout.seal) is there" : "and there is no seal"
            return [
                Finding(
                    .sealNotBound, about,
                    "The signature of the \(evaluation.code.kind.noun) \(evaluation.code.path) covers no resource seal, \(more): its files can be "
                        + "anything.")
            ]
        case .missing:
            return [
                Finding(.sealMissing, about, "The resource seal \(layout.seal) is missing; the signature binds it.")
            ]
        case .unchecked: return []
        case .altered(let scanned):
            var evidence = Finding.Evidence()
            if case .different(let expected, let actual)? = evaluation.primarySlice?.outcome(.resourceSeal) {
                evidence = .init(expected: expected.hexadecimal, actual: actual.hexadecimal)
            }
            findings.append(
                Finding(.sealAltered, about, "The resource seal \(layout.seal) was changed after signing.", evidence))
            findings.append(contentsOf: contents(scanned, about, evaluation))
        case .intact(let scanned): findings.append(contentsOf: contents(scanned, about, evaluation))
        }
        return findings
    }

    private static func contents(
        _ scanned: SealEvaluation.Scanned, _ about: Finding.Subject, _ evaluation: CodeEvaluation
    ) -> [Finding] {
        switch scanned {
        case .unusable(let fault): return fault.finding(about).map { [$0] } ?? []
        case .compared(let seal, let scan):
            let noun = "\(evaluation.code.kind.noun) \(evaluation.code.path)"
            var findings = scan.problems.compactMap { problem($0, about.code, sealOf: noun) }
            if let ended = scan.ended, let finding = ended.finding(about) { findings.append(finding) }
            return findings + links(evaluation) + weaknesses(seal, about, evaluation)
        }
    }

    /// Where sealed links lead (spec 5.9).
    private static func links(_ evaluation: CodeEvaluation) -> [Finding] {
        evaluation.linkFaults.map { path, fault in
            let about = Finding.Subject(path: path, code: evaluation.code.path)
            switch fault {
            case .dangling:
                return Finding(.symlinkDangling, about, "The symbolic link \(path) leads to nothing.")
            case .loop: return Finding(.symlinkLoop, about, "The symbolic link \(path) leads round in circles.")
            case .outside:
                return Finding(.symlinkOutside, about, "The symbolic link \(path) leads out of the bundle.")
            case .notSealed(let target):
                return Finding(
                    .symlinkTargetUnsealed, about,
                    "The symbolic link \(path) leads to \(target), which no seal covers.")
            }
        }
    }

    private static func problem(
        _ problem: SealScan.Problem, _ code: BundlePath?, sealOf noun: String
    ) -> Finding? {
        let path = problem.path
        func finding(
            _ id: Finding.ID, _ message: String, expected: String? = nil, actual: String? = nil
        ) -> Finding {
            Finding(
                id, .init(path: path, code: code), message,
                .init(expected: expected, actual: actual, rule: problem.rule))
        }
        switch problem.kind {
        case .added:
            return finding(.resourceAdded, "\(path) is not in the seal of the \(noun): it was added after sealing.")
        case .missing: return finding(.resourceMissing, "\(path) is in the seal of the \(noun), but not there.")
        case .sealedButNotScanned:
            return finding(
                .resourceSealedButOmitted,
                "\(path) is in the seal of the \(noun) although that seal's own rules leave it out.")
        case .altered(let type, let expected, let actual):
            return finding(
                .resourceAltered, "\(path) differs from what the seal of the \(noun) recorded (\(type.name)).",
                expected: expected.hexadecimal, actual: actual.hexadecimal)
        case .noDigest(let type):
            return finding(
                .resourceDigestAbsent,
                "The seal of the \(noun) has no usable \(type.name) digest of \(path), which the signature asks for.",
                expected: type.sealKey)
        case .becameLink:
            return finding(.resourceBecameSymlink, "\(path) was sealed as a file and is now a symbolic link.")
        case .becameFile:
            return finding(.symlinkBecameFile, "\(path) was sealed as a symbolic link and is now something else.")
        case .linkAltered(let expected, let actual):
            return finding(
                .symlinkAltered, "The symbolic link \(path) leads elsewhere than the seal of the \(noun) recorded.",
                expected: BundlePath(bytes: expected).lossyText, actual: BundlePath(bytes: actual).lossyText)
        case .directoryForFile:
            return finding(.folderForFile, "\(path) is a folder where the seal records a file.")
        case .unsupportedType(let kind):
            return finding(.specialFile, "\(path) is a \(kind): nothing of the kind can be sealed.")
        case .recursive: return finding(.resourceAltered, "The seal lists the main executable \(path) itself.")
        // Reported as a file that could not be read.
        case .unchecked: return nil
        }
    }

    /// Rules that leave out more than they may (spec 5.10).
    private static func weaknesses(
        _ seal: CodeResources, _ about: Finding.Subject, _ evaluation: CodeEvaluation
    ) -> [Finding] {
        guard let layout = evaluation.code.layout else { return [] }
        var findings = SealWeakness.all(seal, resourcesPrefix: layout.resourcesPrefix).map { weakness in
            switch weakness {
            case .noCatchAll(let pattern):
                Finding(
                    .sealRulesWeak, about,
                    "The rules of \(about.path) do not seal everything: there is no plain “\(pattern)”.",
                    .init(expected: pattern.lossyText))
            case .omit(let pattern):
                Finding(
                    .sealRulesWeak, about,
                    "The rules of \(about.path) leave out “\(pattern)”, which strict verification "
                        + "does not allow.", .init(rule: pattern))
            }
        }
        if seal.version == 1 {
            findings.append(Finding(.sealVersion1, about, "The seal \(about.path) is of version 1 only."))
        }
        return findings
    }
}

extension SealFault {
    /// The finding for a seal that cannot be used; nil when the cause is reported elsewhere.
    fileprivate func finding(_ seal: Finding.Subject) -> Finding? {
        switch self {
        case .unreadable: return nil
        case .notAPropertyList(.malformed(let reason)):
            return Finding(.sealMalformed, seal, "The seal \(seal.path) is no property list: \(reason).")
        case .notAPropertyList(.limit(let exceeded)), .limit(let exceeded):
            return Finding(
                .uncheckedSeal, seal,
                "The seal \(seal.path) is beyond what is read: \(exceeded.what), \(exceeded.value) where \(exceeded.limit) "
                    + "is the limit.")
        case .notADictionary: return Finding(.sealMalformed, seal, "The seal \(seal.path) is no dictionary.")
        case .incomplete(let key):
            return Finding(
                .sealIncomplete, seal, "The seal \(seal.path) has no dictionary “\(key)”, so it counts as absent.")
        case .inconsistent(let reason): return Finding(.sealInconsistent, seal, "In the seal \(seal.path), \(reason).")
        case .rule(let pattern, let reason):
            return Finding(
                .sealRuleInvalid, seal, "The rule “\(pattern)” of \(seal.path) is invalid: \(reason).",
                .init(rule: pattern))
        case .unboundedRule(let pattern, let reason):
            return Finding(
                .uncheckedSeal, seal, "The rule “\(pattern)” of \(seal.path) is not run: \(reason).",
                .init(rule: pattern))
        case .item(let path, let reason):
            return Finding(
                .sealEntryInvalid, .init(path: path, code: seal.code),
                "The entry of \(path) in \(seal.path) is invalid: \(reason).")
        case .dsStoreLink(let path):
            return Finding(.dsStoreSymlink, .init(path: path, code: seal.code), "\(path) is a symbolic link.")
        }
    }
}
