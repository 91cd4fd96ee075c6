import SealCheck

/// Findings that belong together: those of one cause, or of one identifier. What people are shown instead of a flood.
struct FindingGroup {
    /// That of its worst finding.
    var severity: Severity
    var cause: Cause?
    /// At least one; none of them is allowed by a policy.
    var findings: [Report.Judged]

    init(cause: Cause? = nil, _ findings: [Report.Judged]) {
        severity = findings.map(\.severity).max() ?? .note
        self.cause = cause
        self.findings = findings
    }

    private var row: CatalogueRow? { findings.first.flatMap { Catalogue.row($0.finding.id) } }

    /// What is wrong, in one sentence. It may hold names from the input.
    var title: String { cause?.message ?? row?.summary ?? findings.first?.finding.message ?? "" }

    /// The name of the cause or the finding.
    var id: String { cause?.id ?? findings.first?.finding.id.rawValue ?? "" }

    /// Why it matters; of a cause, why its worst finding does.
    var why: String? {
        guard cause != nil else { return row?.why }
        return findings.first { $0.severity == severity }.flatMap { Catalogue.row($0.finding.id)?.why }
    }

    /// The one thing to do.
    var fix: String? { cause?.fix ?? row?.fix }
}

extension Report {
    /// Everything that the policy does not allow, the worst first; causes before single findings, each in the order found.
    var groups: [FindingGroup] {
        var groups = causes.map { cause in
            FindingGroup(cause: cause, cause.findings.map { self.findings[$0] }.filter { $0.allowed == nil })
        }
        var others: [Finding.ID: [Report.Judged]] = [:]
        for judged in findings where judged.cause == nil && judged.allowed == nil {
            others[judged.finding.id, default: []].append(judged)
        }
        for (_, findings) in others.sorted(by: { $0.key < $1.key }) { groups.append(FindingGroup(findings)) }
        groups.removeAll { $0.findings.isEmpty }
        return Severity.worstFirst.flatMap { severity in
            let found = groups.filter { $0.severity == severity }
            return found.filter { $0.cause != nil } + found.filter { $0.cause == nil }
        }
    }
}

extension Severity {
    /// The order in which people want to read.
    static let worstFirst: [Severity] = [.error, .warning, .note]
}
