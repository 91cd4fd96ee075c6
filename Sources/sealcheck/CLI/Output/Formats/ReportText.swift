import SealCheck

/// Sentences about a report that several formats share.
extension Report {
    /// The answer in a few words.
    var answer: String {
        switch (outcome, isSealed) {
        case (.unchecked, _): "could not be checked"
        case (.fail, true) where count(.error) == 0: "sealed, but the run fails on warnings"
        case (.fail, true): "sealed, but not as required"
        case (_, false): "not sealed"
        case (.pass, true): "sealed"
        case (.pass, nil): "valid"
        case (.fail, nil): "not valid"
        }
    }

    /// `2 errors, 1 warning, 3 allowed`, or nothing.
    var countsText: String {
        let parts = [(count(.error), "error"), (count(.warning), "warning"), (count(.note), "note")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        let allowed = allowedCount > 0 ? ["\(allowedCount) allowed"] : []
        return (parts + allowed).joined(separator: ", ")
    }

    /// What was read: proof of attention.
    var readText: String {
        "\(evaluations.count) code object\(evaluations.count == 1 ? "" : "s"), \(fileCount) files, "
            + "\(TextReport.size(counters.bytesRead)) read"
    }

    /// What Apple's tool would say.
    var codesignText: String {
        guard let verdict = codesign else { return "nothing" }
        guard let failure = verdict.failure else {
            switch verdict.isValid {
            case true?: return "valid"
            case false?: return "not valid, with an error that is not published"
            case nil: return verdict.gap == nil ? "not known" : "not known, since it is not published"
            }
        }
        var text = "\(failure.error.message) (\(failure.error.name))"
        if let path = failure.subcomponent { text += ", in \(path.lossyText)" }
        if let architecture = failure.architecture { text += ", architecture \(architecture)" }
        return text
    }
}

extension SignatureKind {
    /// What carries such a signature, in a word or two.
    var words: String {
        switch self {
        case .adhoc: "signed ad hoc"
        case .linkerSigned: "signed by the linker only"
        case .certificate: "signed with a certificate"
        case .noFlag: "signed without ad-hoc flag"
        case .unsigned: "not signed"
        }
    }
}

extension CodeEvaluation {
    /// How the object is signed: in one word where all slices agree.
    var signatureWords: String {
        let kinds = slices.map(\.kind)
        guard let first = kinds.first else { return SignatureKind.unsigned.words }
        if Set(kinds).count == 1 { return first.words }
        return slices.map { "\($0.architectureName) \($0.kind.words)" }.joined(separator: ", ")
    }
}

extension Report.Covered {
    /// How the seals around the object cover it: also when all is well.
    var words: String {
        let outer = String(decoding: sealedBy.lastComponent, as: UTF8.self)
        switch coverage.how {
        case .none: return "not sealed by \(outer)"
        case .nested:
            if coverage.isComplete { return "sealed by \(outer) as a whole" }
            let doubt = coverage.executable == .unknown ? "whether it is this one was not told" : "it is another by now"
            return "sealed by \(outer) as a whole, but \(doubt)"
        case .files:
            let parts = [
                ("executable", coverage.executable), ("Info.plist", coverage.infoPlist),
                ("CodeResources", coverage.seal),
            ].compactMap { name, state -> String? in
                switch state {
                case .sealed, .byEntry: "\(name) ✓"
                case .differs: "\(name) differs"
                case .notSealed: "\(name) not sealed"
                case .absent: nil
                case .unknown: "\(name) not known"
                }
            }
            let rest = coverage.uncovered.count
            return "sealed by \(outer): " + parts.joined(separator: ", ")
                + (rest > 0 ? "; \(rest) file\(rest == 1 ? "" : "s") not as sealed" : "")
        }
    }
}
