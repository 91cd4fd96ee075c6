import SealCheck

/// A report for people: the verdict first, then the code objects and how each is covered, then what is wrong, folded
/// under causes, with what to do.
struct TextReport {
    let report: Report
    let style: Style
    /// Print every occurrence instead of folding long lists.
    let isComplete: Bool
    /// Say more: notes, counters, cdhashes.
    let isVerbose: Bool
    /// Say only what is wrong.
    let isQuiet: Bool

    /// Findings of one group that are shown before the rest is only counted.
    private static let folded = 5

    func lines() -> [InertText] {
        if isQuiet, report.outcome == .pass { return [] }
        var lines = [headline]
        if let problem = report.problem { return lines + ["  \(problem.message)"] }
        if !isQuiet {
            lines += summary
            lines += [""] + tree
        }
        let groups = report.groups.filter { !isQuiet || $0.severity == .error }
        for group in groups { lines += [""] + text(of: group) }
        if !isQuiet { lines += allowed }
        if !isQuiet, report.outcome == .pass, report.profile == .adhoc {
            lines += [
                "",
                style.dim(
                    "Structure and signatures are right. Ad hoc means: a stock iPhone wants it signed again to install it."
                ),
            ]
        }
        if !isQuiet { lines += report.advice.isEmpty ? [] : [""] + report.advice.map { style.dim("\($0)") } }
        return lines
    }

    /// The verdict alone, and what it rests on: the worst things first, a line each.
    var verdict: [InertText] {
        if let problem = report.problem { return [headline, "  \(problem.message)"] }
        return [headline]
            + report.groups.filter { $0.severity == .error }.prefix(5).compactMap { group in
                if let cause = group.cause { return "  \(cause.message)" }
                return group.findings.first.map { "  \($0.finding.message)" }
            }
    }

    // MARK: The verdict

    private var headline: InertText {
        let path = Word(report.inputPath)
        switch (report.outcome, report.isSealed) {
        case (.unchecked, _): return "\(path: path): \(style.bold(style.yellow("could not be checked")))"
        case (.fail, true) where report.count(.error) == 0:
            return "\(path: path): \(style.bold(style.green("sealed"))), but the run fails on warnings\(counts)"
        case (.fail, true):
            return
                "\(path: path): \(style.bold(style.green("sealed"))), \(style.bold(style.red("but not as required")))\(counts)"
        case (_, false): return "\(path: path): \(style.bold(style.red("not sealed")))\(counts)"
        case (.pass, _): return "\(path: path): \(style.bold(style.green("sealed")))\(counts)"
        case (.fail, nil): return "\(path: path): \(style.bold(style.red("fails")))\(counts)"
        }
    }

    private var counts: InertText {
        let parts = [(Severity.error, "error"), (.warning, "warning"), (.note, "note")].compactMap {
            severity, word -> InertText? in
            let count = report.count(severity)
            return count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
        }
        return parts.isEmpty ? "" : " (\(InertText.joined(parts)))"
    }

    private var summary: [InertText] {
        var lines = report.notes.map { "  note: \($0)" as InertText }
        let objects = report.evaluations.count
        lines.append(
            "  \(objects) code object\(objects == 1 ? "" : "s"), \(report.fileCount) files, "
                + "\(Self.size(report.counters.bytesRead)) read")
        lines.append("  codesign --verify --deep --strict would say: \(codesign)")
        if isVerbose {
            let hashed = report.counters.bytesHashed.sorted { $0.key < $1.key }
                .map { "\($0.key.rawValue) \(Self.size($0.value))" as InertText }
            lines.append("  hashed: \(hashed.isEmpty ? "nothing" : InertText.joined(hashed))")
        }
        return lines
    }

    private var codesign: InertText {
        guard let verdict = report.codesign else { return "nothing" }
        guard let failure = verdict.failure else { return verdict.isValid == true ? "valid" : "not known" }
        var text: InertText = "\(failure.error.message) (\(failure.error.name))"
        if let path = failure.subcomponent { text = text + ", in \(path: path)" }
        if let architecture = failure.architecture { text = text + ", architecture \(architecture)" }
        return text
    }

    // MARK: The code objects

    private var tree: [InertText] {
        let covered = Dictionary(
            report.coverage.map { ($0.coverage.code, $0) }, uniquingKeysWith: { first, _ in first })
        return report.evaluations.flatMap { evaluation -> [InertText] in
            let depth = depth(of: evaluation)
            let indent = String(repeating: "  ", count: depth)
            let outer = evaluation.code.parent.map { report.evaluations[$0].code.path }
            let path = outer.flatMap { evaluation.code.path.relative(to: $0) } ?? evaluation.code.path
            var lines: [InertText] = ["\(indent)\(style.bold("\(path: path)"))  \(description(of: evaluation))"]
            if let covered = covered[evaluation.number] { lines.append("\(indent)  \(coverage(covered))") }
            if isVerbose {
                for slice in evaluation.slices {
                    let hash = slice.ruling?.cdhash?.hexadecimal ?? "none"
                    lines.append(
                        "\(indent)  \(slice.architectureName): cdhash \(hash), \(slice.ruling?.pages?.count ?? 0) pages"
                    )
                }
            }
            return lines
        }
    }

    private func depth(of evaluation: CodeEvaluation) -> Int {
        var (depth, parent) = (0, evaluation.code.parent)
        while let number = parent {
            depth += 1
            parent = report.evaluations[number].code.parent
        }
        return depth
    }

    private func description(of evaluation: CodeEvaluation) -> InertText {
        var parts: [InertText] = ["\(evaluation.code.kind.noun)"]
        if let identifier = evaluation.code.bundleIdentifier ?? evaluation.ruling?.identifier {
            parts.append("\(identifier.lossyText)")
        }
        let kinds = evaluation.slices.map(\.kind)
        let signed = Set(kinds).count == 1 ? kinds.first : nil
        if let kind = signed ?? (kinds.isEmpty ? .unsigned : nil) {
            parts.append(styled(kind))
        } else {
            parts += evaluation.slices.map { "\($0.architectureName) \(styled($0.kind))" }
        }
        let architectures = evaluation.slices.filter { $0.isImage }.map { "\($0.architectureName)" as InertText }
        if signed != nil, !architectures.isEmpty { parts.append(InertText.joined(architectures, separator: "+")) }
        return InertText.joined(parts)
    }

    private func styled(_ kind: SignatureKind) -> InertText {
        switch kind {
        case .adhoc: style.green("signed ad hoc")
        case .linkerSigned: style.yellow("signed by the linker only")
        case .certificate: style.yellow("signed with a certificate")
        case .noFlag: style.red("signed without ad-hoc flag")
        case .unsigned: style.red("not signed")
        }
    }

    /// The coverage sentence: also when all is well.
    private func coverage(_ covered: Report.Covered) -> InertText {
        let alone = covered.isValidAlone ? style.green("valid on its own") : style.red("not valid on its own")
        let outer: InertText = "\(path: BundlePath(bytes: Array(covered.sealedBy.lastComponent)))"
        let coverage = covered.coverage
        switch coverage.how {
        case .none: return "\(style.red("not sealed by \(outer)")); \(alone)"
        case .nested:
            let words: InertText =
                coverage.isComplete
                ? style.green("yes")
                : coverage.executable == .unknown
                    ? style.yellow("but whether it is this one was not told") : style.red("but it is another by now")
            return "sealed by \(outer) as a whole: \(words); \(alone)"
        case .files:
            let parts: [InertText?] = [
                part("executable", coverage.executable), part("Info.plist", coverage.infoPlist),
                part("CodeResources", coverage.seal),
            ]
            var text: InertText = "sealed by \(outer): \(InertText.joined(parts.compactMap(\.self)))"
            let rest = coverage.uncovered.count
            if rest > 0 { text = text + "; \(style.red("\(rest) file\(rest == 1 ? "" : "s") not as sealed"))" }
            return text + "; \(alone)"
        }
    }

    private func part(_ name: InertText, _ state: Coverage.State) -> InertText? {
        switch state {
        case .sealed, .byEntry: "\(name) \(style.green("✓"))"
        case .differs: "\(name) \(style.red("differs"))"
        case .notSealed: "\(name) \(style.red("not sealed"))"
        case .absent: nil
        case .unknown: "\(name) not known"
        }
    }

    // MARK: What is wrong

    /// What the policy allows stays visible.
    private var allowed: [InertText] {
        let allowed = report.findings.filter { $0.allowed != nil }
        guard !allowed.isEmpty else { return [] }
        let shown = isComplete ? allowed.count : Self.folded
        var lines: [InertText] = ["", style.dim("allowed by the policy:")]
        for judged in allowed.prefix(shown) {
            lines.append("  - \(judged.finding.id.rawValue): \(judged.finding.message)")
            lines.append("    \(style.dim("reason: \(judged.allowed?.reason ?? "")"))")
        }
        if allowed.count > shown { lines.append("  - … and \(allowed.count - shown) more (--all shows them)") }
        return lines
    }

    private func text(of group: FindingGroup) -> [InertText] {
        var lines: [InertText] = ["\(label(group.severity)) \(style.bold("\(group.title)"))"]
        if let cause = group.cause { lines.append("  cause: \(cause.id)") }
        let shown = isComplete ? group.findings.count : Self.folded
        for judged in group.findings.prefix(shown) { lines += text(of: judged) }
        let rest = group.findings.count - shown
        if rest > 0 { lines.append("  - … and \(rest) more (--all shows them)") }
        if let why = group.why { lines.append("  why: \(why)") }
        if let fix = group.fix { lines.append("  fix: \(style.green("\(fix)"))") }
        return lines
    }

    private func text(of judged: Report.Judged) -> [InertText] {
        let (finding, evidence) = (judged.finding, judged.finding.evidence)
        var lines: [InertText] = ["  - \(finding.id.rawValue): \(finding.message)"]
        var details: [InertText] = []
        if let rule = evidence.rule { details.append("rule \(rule.lossyText)") }
        if let pages = evidence.pages { details.append("pages \(Self.ranges(pages))") }
        if let offset = evidence.offset { details.append("offset 0x\(String(offset, radix: 16))") }
        if let apple = judged.apple { details.append("\(apple.name) \(Int(apple.code))") }
        if !details.isEmpty { lines.append("    \(style.dim(InertText.joined(details, separator: " · ")))") }
        if evidence.expected != nil || evidence.actual != nil {
            lines.append(
                "    \(style.dim("expected \(evidence.expected ?? "nothing") · found \(evidence.actual ?? "nothing")"))"
            )
        }
        return lines
    }

    private func label(_ severity: Severity) -> InertText {
        switch severity {
        case .error: style.red("error:")
        case .warning: style.yellow("warning:")
        case .note: style.dim("note:")
        }
    }

    /// `0-3, 7`.
    private static func ranges(_ pages: [Int]) -> String {
        var parts: [String] = []
        var start: Int?
        for (index, page) in pages.enumerated() {
            if start == nil { start = page }
            if index + 1 < pages.count, pages[index + 1] == page + 1 { continue }
            parts.append(start == page ? "\(page)" : "\(start ?? page)-\(page)")
            start = nil
        }
        return parts.prefix(8).joined(separator: ", ") + (parts.count > 8 ? ", …" : "")
    }

    /// Bytes for people, in decimal units.
    static func size(_ bytes: UInt64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 999.5, unit + 1 < units.count {
            value /= 1000
            unit += 1
        }
        if unit == 0 { return "\(bytes) bytes" }
        let tenths = (value * 10).rounded() / 10
        return value < 10 ? "\(tenths) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
    }
}
