import SealCheck

/// JUnit's XML as build servers read it: a suite for the input and for each code object, a case for each family of
/// checks, also when it passed, since that is the news in a gate.
final class JUnitRenderer: ReportRenderer {
    private var reports: [(path: Word, report: Report)] = []

    func add(_ report: Report, for path: Word, to writer: OutputWriter) { reports.append((path, report)) }

    func finish(to writer: OutputWriter) {
        let suites = reports.flatMap { path, report in
            JUnitSuite.suites(of: report, prefix: reports.count > 1 ? Inert.text(path.bytes) : nil)
        }
        let total = suites.reduce(into: JUnitSuite.Totals()) { $0 += $1.totals }
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append("<testsuites name=\"\(ToolVersion.name)\" \(total.attributes) time=\"0\">")
        for suite in suites { lines += suite.lines }
        lines.append("</testsuites>")
        // The runner of GitHub reads every line that we print.
        let text = Inert.breakingCommands(in: lines.joined(separator: "\n"))
        writer.document(Array((text + "\n").utf8))
    }
}

/// The cases of one code object, or of the input as such.
struct JUnitSuite {
    struct Case {
        enum Result {
            case passed
            case failed(type: String, message: String, body: [String])
            /// Could not be checked.
            case error(type: String, message: String, body: [String])
            case skipped(String)
        }

        var name: String
        var result: Result
        /// What is to be said though the case does not fail.
        var output: [String] = []
    }

    struct Totals {
        var (tests, failures, errors, skipped) = (0, 0, 0, 0)

        /// As the root and each suite carry them.
        var attributes: String {
            "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        }

        static func += (left: inout Totals, right: Totals) {
            left.tests += right.tests
            left.failures += right.failures
            left.errors += right.errors
            left.skipped += right.skipped
        }
    }

    var name: String
    var cases: [Case]

    var totals: Totals {
        cases.reduce(into: Totals()) { totals, one in
            totals.tests += 1
            switch one.result {
            case .passed: break
            case .failed: totals.failures += 1
            case .error: totals.errors += 1
            case .skipped: totals.skipped += 1
            }
        }
    }

    /// - Parameter prefix: the input, where there are several; made inert.
    static func suites(of report: Report, prefix: String?) -> [JUnitSuite] {
        func name(_ path: BundlePath) -> String {
            [prefix, Inert.text(path.bytes)].compactMap(\.self).joined(separator: "/")
        }
        // A bundle's folder has the name of the code object in it; cases of one name would be dropped.
        var input = JUnitSuite(name: (prefix ?? Inert.text(report.inputPath)) + " (input)", cases: [])
        if let problem = report.problem {
            input.cases = [
                Case(name: "input", result: .error(type: problem.id, message: problem.message, body: [problem.message]))
            ]
            return [input]
        }
        if report.profile == .codesign {
            input.cases = [codesign(report)]
            return [input]
        }
        let ofCode = Dictionary(grouping: report.findings) { $0.finding.subject.code }
        let known = Set(report.evaluations.map(\.code.path))
        let ofInput = report.findings.filter { $0.finding.subject.code.map { !known.contains($0) } ?? true }
        input.cases = cases(of: ofInput, report) { $0.isOfInput }
        return [input]
            + report.evaluations.map { evaluation in
                JUnitSuite(
                    name: name(evaluation.code.path),
                    cases: cases(of: ofCode[evaluation.code.path] ?? [], report) { $0.concerns(evaluation) })
            }
    }

    /// A case for each family that applies here, or has something to say.
    private static func cases(
        of findings: [Report.Judged], _ report: Report, applies: (Family) -> Bool
    ) -> [Case] {
        let byFamily = Dictionary(grouping: findings) { Catalogue.row($0.finding.id)?.family ?? .structure }
        return Family.allCases.compactMap { family in
            guard let found = byFamily[family] else {
                return applies(family) ? Case(name: family.rawValue, result: .passed) : nil
            }
            return Case(name: family.rawValue, found, report)
        }
    }

    private static func codesign(_ report: Report) -> Case {
        switch report.outcome {
        case .pass: return Case(name: "codesign", result: .passed)
        case .fail:
            return Case(
                name: "codesign",
                result: .failed(
                    type: report.codesign?.failure?.error.name ?? "codesign", message: report.codesignText,
                    body: report.findings.map { "\($0.finding.id.rawValue): \($0.finding.message)" }))
        case .unchecked:
            return Case(name: "codesign", result: .error(type: "unchecked", message: report.codesignText, body: []))
        }
    }

    var lines: [String] {
        var lines = ["  <testsuite name=\"\(XMLText.escaped(name))\" \(totals.attributes) time=\"0\">"]
        for one in cases { lines += one.lines(classname: name) }
        return lines + ["  </testsuite>"]
    }
}

extension JUnitSuite.Case {
    /// What a family's findings make of its case: a failure outweighs "could not check", that outweighs the rest.
    init(name: String, _ findings: [Report.Judged], _ report: Report) {
        self.name = name
        let failing = findings.filter(report.fails)
        let unchecked = findings.filter { $0.allowed == nil && $0.finding.id.isUnchecked }
        let other = findings.filter { $0.allowed == nil && !$0.finding.id.isUnchecked && !report.fails($0) }
        let allowed = findings.filter { $0.allowed != nil }
        output = other.map { "\($0.severity.rawValue): \(Self.line($0))" } + allowed.map { "allowed: \(Self.line($0))" }
        if let first = failing.first {
            let all = failing + unchecked
            result = .failed(
                type: first.finding.id.rawValue, message: first.finding.message,
                body: all.map(Self.line) + Self.remedies(of: all, report))
        } else if let first = unchecked.first {
            result = .error(
                type: first.finding.id.rawValue, message: first.finding.message, body: unchecked.map(Self.line))
        } else if other.isEmpty, let first = allowed.first?.allowed {
            result = .skipped("allowed: \(first.reason)")
        } else {
            result = .passed
        }
    }

    private static func line(_ judged: Report.Judged) -> String {
        "\(judged.finding.id.rawValue): \(judged.finding.message)"
    }

    /// Causes with their remedies; for what has no cause, the catalogue's.
    private static func remedies(of findings: [Report.Judged], _ report: Report) -> [String] {
        var lines: [String] = []
        for judged in findings {
            let cause =
                report.causes.first { $0.id == judged.cause && $0.code == judged.finding.subject.code }
                ?? report.causes.first { $0.id == judged.cause }
            let row = Catalogue.row(judged.finding.id)
            for line in cause.map({ ["cause: \($0.message)", "fix: \($0.fix)"] }) ?? [
                row.map { "fix: \($0.fix)" } ?? ""
            ]
            where !line.isEmpty && !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    func lines(classname: String) -> [String] {
        let head =
            "    <testcase classname=\"\(XMLText.escaped(classname))\" name=\"\(XMLText.escaped(name))\" time=\"0\""
        var inner: [String] = []
        switch result {
        case .passed: break
        case .failed(let type, let message, let body): inner += Self.element("failure", type, message, body)
        case .error(let type, let message, let body): inner += Self.element("error", type, message, body)
        case .skipped(let reason): inner.append("      <skipped message=\"\(XMLText.escaped(reason))\"/>")
        }
        if !output.isEmpty {
            inner.append("      <system-out>\(output.map(XMLText.escaped).joined(separator: "\n"))</system-out>")
        }
        return inner.isEmpty ? [head + "/>"] : [head + ">"] + inner + ["    </testcase>"]
    }

    private static func element(_ name: String, _ type: String, _ message: String, _ body: [String]) -> [String] {
        [
            "      <\(name) type=\"\(XMLText.escaped(type))\" message=\"\(XMLText.escaped(message))\">"
                + body.map(XMLText.escaped).joined(separator: "\n") + "</\(name)>"
        ]
    }
}

extension Family {
    /// Checks of the container and of the run, not of one code object.
    fileprivate var isOfInput: Bool {
        switch self {
        case .archive, .reading, .packaging, .required, .policy: true
        default: false
        }
    }

    /// Whether the family looks at anything in such an object, so that silence is good news.
    fileprivate func concerns(_ evaluation: CodeEvaluation) -> Bool {
        let code = evaluation.code
        switch self {
        case .bundle, .resourceSeal, .nestedCode, .versions, .identifiers: return code.kind.isBundle
        case .recordedDigests: return false
        case .extensionPoint: return code.kind == .appex
        case .liveActivity: return code.kind == .app || code.kind == .appex
        default: return !isOfInput
        }
    }
}
