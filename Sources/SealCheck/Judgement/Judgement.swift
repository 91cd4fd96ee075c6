import MachOReader

/// What makes a run fail.
public enum FailureThreshold: String, Hashable, Sendable, CaseIterable {
    case error
    case warning
    /// Report only.
    case never
}

/// From facts to a report: checks, causes, severities, outcome. Pure.
struct Judgement {
    let profile: Profile
    let failOn: FailureThreshold
    let limits: Limits
    let codesign: CodesignOptions
    let policy: Policy
    /// The day on which expiring entries are judged.
    let day: Policy.Day?

    private var required: [RequiredThing] { policy.required }

    func report(on facts: Facts, inputPath: String, inputKind: String, notes: [String]) -> Report {
        let evaluations = facts.evaluations(limits: limits)
        let coverage = Coverage.all(evaluations, facts: facts)
        let subject = Check.Subject(facts: facts, evaluations: evaluations, coverage: coverage, required: required)
        var report = Report(
            unchecked: .init(id: "nothing-found", message: "There is no code in \(inputPath): nothing was checked."),
            inputPath: inputPath, inputKind: inputKind, profile: profile)
        report.notes = notes
        report.failOn = failOn
        report.root = facts.root
        report.policyDay = policy.allow.contains { $0.expires != nil } ? day : nil
        report.counters = facts.counters
        report.fileCount = facts.index.entries.count { $0.path.isAtOrBelow(facts.root) && $0.kind != .directory }
        report.evaluations = evaluations

        let found = (Check.findings(subject) + RequiredThing.findings(required, subject)).sorted()
        let allowances = PolicyAllowances(policy, on: day, findings: found, root: facts.root)
        let findings = (found + allowances.findings).sorted()
        let causes = Diagnosis.causes(findings, subject)
        var causeOf: [Int: String] = [:]
        for cause in causes { for index in cause.findings { causeOf[index] = cause.id } }
        report.causes = causes
        report.findings = findings.enumerated().map { index, finding in
            Report.Judged(
                finding: finding, severity: severity(of: finding),
                apple: Catalogue.row(finding.id)?.apple, fingerprint: Fingerprint.of(finding, root: facts.root),
                cause: causeOf[index], allowed: allowances.allowance(of: finding))
        }
        let faulty = Self.faulty(report.findings)
        report.coverage = coverage.map { covered($0, evaluations, faulty) }
        // An empty scan is never a pass.
        guard let root = evaluations.first else {
            // A file that is no code is a generic one for Apple's tool, whose signature would lie in attributes.
            if facts.index.isFile(facts.root) { report.codesign = CodesignVerdict(failure: .init(.unsigned)) }
            return report
        }
        report.problem = nil
        report.codesign = CodesignJudge(evaluations: evaluations, facts: facts, options: codesign).verdict(on: root)
        if profile == .codesign {
            keepWhatCodesignSays(in: &report, root: root)
        } else {
            report.isSealed = isSealed(report.findings)
            report.outcome = outcome(of: report)
            if report.outcome == .pass, report.isSealed == true {
                report.advice = required.flatMap(\.beyondTheBuild)
            }
        }
        return report
    }

    /// Under ``Profile/codesign`` only the error counts at which Apple's tool stops: the findings that are this error,
    /// of the object that it names.
    private func keepWhatCodesignSays(in report: inout Report, root: CodeEvaluation) {
        report.isSealed = nil
        report.causes = []
        guard let verdict = report.codesign, let isValid = verdict.isValid else {
            report.outcome = .unchecked
            report.findings = report.findings.filter(\.finding.id.isUnchecked)
            return
        }
        report.outcome = isValid || failOn == .never ? .pass : .fail
        let failing = verdict.failure?.subcomponent ?? root.code.path
        report.findings = report.findings.filter {
            $0.apple != nil && $0.apple == verdict.failure?.error && $0.finding.subject.code == failing
        }
        for index in report.findings.indices { report.findings[index].cause = nil }
    }

    /// The profile's severity, raised where the caller requires what the finding misses.
    private func severity(of finding: Finding) -> Severity {
        let isRequired = required.contains { $0.isMissed(by: finding.id) }
        if let severity = policy.severities[profile]?[finding.id] { return severity }
        return isRequired ? .error : Catalogue.severity(finding.id, profile: profile)
    }

    /// The code objects that have an error, and every folder that one of them lies in.
    private static func faulty(_ findings: [Report.Judged]) -> Set<BundlePath> {
        var faulty: Set<BundlePath> = []
        for judged in findings where judged.severity == .error {
            var path = judged.finding.subject.code
            while let current = path, faulty.insert(current).inserted { path = current.parent }
        }
        return faulty
    }

    private func covered(
        _ coverage: Coverage, _ evaluations: [CodeEvaluation], _ faulty: Set<BundlePath>
    ) -> Report.Covered {
        let path = evaluations[coverage.code].code.path
        return Report.Covered(
            coverage: coverage, code: path, sealedBy: evaluations[coverage.sealedBy].code.path,
            isValidAlone: !faulty.contains(path))
    }

    /// False when something is proven wrong, nil when something could not be checked and nothing is proven wrong.
    private func isSealed(_ findings: [Report.Judged]) -> Bool? {
        let errors = findings.filter { Catalogue.severity($0.finding.id, profile: profile) == .error }
            .filter {
                Catalogue.row($0.finding.id)?.family != .required && Catalogue.row($0.finding.id)?.family != .policy
            }
        if errors.contains(where: { !$0.finding.id.isUnchecked }) { return false }
        return errors.isEmpty ? true : nil
    }

    /// The gate's answer: a proven fault wins over "could not check".
    private func outcome(of report: Report) -> Report.Outcome {
        if report.findings.contains(where: report.fails) { return .fail }
        return report.findings.contains { $0.allowed == nil && $0.finding.id.isUnchecked } ? .unchecked : .pass
    }
}

/// A name for a finding that stays the same from build to build.
enum Fingerprint {
    /// Hash of identifier, code object, path inside it, slice and slot; paths begin at the app, so that folder and
    /// archive agree.
    static func of(_ finding: Finding, root: BundlePath) -> String {
        let top = root.parent ?? .root
        func inside(_ path: BundlePath?) -> [UInt8] { path.map { ($0.relative(to: top) ?? $0).bytes } ?? [] }
        var bytes = Array(finding.id.rawValue.utf8)
        for part in [
            inside(finding.subject.code), inside(finding.subject.path), Array((finding.subject.slice ?? "").utf8),
            Array((finding.subject.slot.map(String.init) ?? "").utf8),
        ] {
            bytes.append(0)
            bytes.append(contentsOf: part)
        }
        // Without OpenSSL's SHA-256 nothing could have been verified in the first place.
        return (try? DigestContexts().digest(bytes, .sha256).prefix(16).hexadecimal) ?? ""
    }
}
