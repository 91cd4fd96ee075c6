import SealCheck

/// Markdown for job summaries and comments: the answer, what is wrong with what to do, and how each code object is
/// signed and covered.
final class MarkdownRenderer: ReportRenderer {
    private var isFirst = true

    func add(_ report: Report, for path: Word, to writer: OutputWriter) {
        let document = (isFirst ? "" : "\n") + Self.document(report, path)
        isFirst = false
        writer.document(Array(document.utf8))
    }

    /// Findings of a group that are shown at once, and folded away.
    private static let (shown, folded) = (5, 200)

    /// The report on one input. The runner of GitHub reads it line by line when it is printed: no line is a command.
    static func document(_ report: Report, _ path: Word) -> String {
        var lines = ["## \(icon(report)) \(MarkdownText.code(path.bytes)): \(report.answer)", ""]
        if let problem = report.problem {
            lines.append(MarkdownText.prose(problem.message))
        } else {
            let counts = report.countsText
            lines.append("\(counts.isEmpty ? "Nothing found" : counts) · \(report.readText)  ")
            lines.append("`codesign --verify --deep --strict` would say: \(MarkdownText.prose(report.codesignText))")
            for note in report.notes { lines += ["", "Note: \(MarkdownText.prose(note))"] }
            for group in report.groups { lines += [""] + text(of: group) }
            lines += allowed(report)
            if !report.advice.isEmpty { lines += [""] + report.advice.map { MarkdownText.prose($0) + "  " } }
            lines += ["", "### Code objects", ""] + table(report)
        }
        return Inert.breakingCommands(in: lines.joined(separator: "\n") + "\n")
    }

    private static func icon(_ report: Report) -> String {
        switch report.outcome {
        case .pass: "✅"
        case .fail: "❌"
        case .unchecked: "❔"
        }
    }

    private static func text(of group: FindingGroup) -> [String] {
        var lines = ["### \(group.severity.rawValue): \(MarkdownText.prose(group.title))", ""]
        if let cause = group.cause { lines += ["Cause: `\(cause.id)`", ""] }
        lines += group.findings.prefix(shown).map(item)
        let rest = group.findings.dropFirst(shown)
        if !rest.isEmpty {
            lines += ["", "<details><summary>and \(rest.count) more</summary>", ""]
            lines += rest.prefix(folded).map(item)
            if rest.count > folded { lines.append("- … and \(rest.count - folded) more") }
            lines += ["", "</details>"]
        }
        lines.append("")
        if let why = group.why { lines.append("**Why:** \(MarkdownText.prose(why))  ") }
        if let fix = group.fix { lines.append("**Fix:** \(MarkdownText.prose(fix))") }
        return lines
    }

    private static func item(_ judged: Report.Judged) -> String {
        let apple = judged.apple.map { " (\($0.name))" } ?? ""
        return "- `\(judged.finding.id.rawValue)`: \(MarkdownText.prose(judged.finding.message))\(apple)"
    }

    private static func allowed(_ report: Report) -> [String] {
        let allowed = report.findings.filter { $0.allowed != nil }
        if allowed.isEmpty { return [] }
        var lines = ["", "### Allowed by the policy", ""]
        lines += allowed.prefix(folded).map { judged in
            "\(item(judged)) — \(MarkdownText.prose(judged.allowed?.reason ?? ""))"
        }
        if allowed.count > folded { lines.append("- … and \(allowed.count - folded) more") }
        return lines
    }

    private static func table(_ report: Report) -> [String] {
        let covered = Dictionary(report.coverage.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        var lines = ["| code object | kind | signature | covered by | on its own |", "|---|---|---|---|---|"]
        lines += report.evaluations.prefix(folded).map { evaluation in
            let cover = covered[evaluation.code.path]
            let cells = [
                MarkdownText.code(evaluation.code.path.bytes, inTable: true), evaluation.code.kind.noun,
                evaluation.signatureWords, cover.map { MarkdownText.prose($0.words) } ?? "–",
                cover.map { $0.isValidAlone ? "valid" : "not valid" } ?? "–",
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        let rest = report.evaluations.count - folded
        if rest > 0 { lines.append("| … and \(rest) more | | | | |") }
        return lines
    }
}
