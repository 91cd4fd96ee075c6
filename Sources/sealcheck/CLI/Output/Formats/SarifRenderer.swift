import SealCheck

/// SARIF 2.1.0 as GitHub code scanning takes it: one run whatever the number of inputs, the whole catalogue as rules so
/// that runs differ in results only, exactly one location a result, and a fingerprint that stays from build to build.
final class SarifRenderer: ReportRenderer {
    /// Code scanning keeps 5,000 results of a run, and does not say which (GitHub documentation, "SARIF support").
    static let keptResults = 5_000

    private let category: String?
    private var profile = Profile.adhoc
    private var results: [(severity: Severity, value: JSONValue)] = []
    private var notifications: [JSONValue] = []
    private var exitCodes: [Int32] = []
    private var firstInput = "."

    /// - Parameter category: what tells several uploads of one commit apart; nil leaves it to the uploading step, which
    ///   this would overrule.
    init(category: String?) { self.category = category }

    func add(_ report: Report, for path: Word, to writer: OutputWriter) {
        profile = report.profile
        exitCodes.append(report.exitCode)
        let uri = InputURI(input: path.bytes, kind: report.inputKind)
        if exitCodes.count == 1 { firstInput = uri.ofInput }
        if let problem = report.problem {
            notifications.append(Self.notification(problem.id, "\(report.inputPath): \(problem.message)", uri.ofInput))
        } else if report.outcome == .unchecked {
            let unchecked = report.findings.filter(\.finding.id.isUnchecked).count
            notifications.append(
                Self.notification(
                    "unchecked", "\(report.inputPath): \(unchecked) things could not be checked.", uri.ofInput))
        }
        for judged in report.findings { results.append((judged.severity, result(judged, report, uri))) }
        if report.profile == .codesign, report.outcome == .fail, report.findings.isEmpty {
            results.append((.error, codesignResult(report, uri)))
        }
    }

    func finish(to writer: OutputWriter) { writer.document(JSONWriter.document(log)) }

    private var log: JSONValue {
        [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                .object(
                    [
                        .init("tool", ["driver": driver]),
                        .init("columnKind", "unicodeCodePoints"),
                        .init("invocations", [invocation]),
                        .init("results", .array(kept)),
                    ] + (category.map { [.init("automationDetails", ["id": .string($0)])] } ?? []))
            ],
        ]
    }

    private var driver: JSONValue {
        [
            "name": .string(ToolVersion.name),
            "semanticVersion": .string(ToolVersion.current),
            "version": .string(ToolVersion.current),
            "rules": .array(Catalogue.rows.map { $0.sarifRule(profile) } + Self.ownRules),
        ]
    }

    private var invocation: JSONValue {
        [
            "executionSuccessful": .bool(!exitCodes.contains(3)),
            "exitCode": .integer(Int64(exitCodes.contains(3) ? 3 : exitCodes.max() ?? 0)),
            "toolExecutionNotifications": .array(notifications),
        ]
    }

    /// All results, or where they are too many the worst, and one that says how many were left out.
    private var kept: [JSONValue] {
        guard results.count > Self.keptResults else { return results.map(\.value) }
        let worst = Severity.worstFirst
            .flatMap { severity in results.filter { $0.severity == severity } }
            .prefix(Self.keptResults - 1).map(\.value)
        let left = results.count - worst.count
        return worst + [
            [
                "ruleId": "report-truncated", "ruleIndex": .integer(Int64(Catalogue.rows.count)), "level": "note",
                "message": ["text": .string("\(left) more findings were left out of this file.")],
                "locations": [Self.location(uri: firstInput, code: nil)],
                "partialFingerprints": ["primaryLocationLineHash": "report-truncated:1"],
            ]
        ]
    }

    /// Rules of results that are no findings of the catalogue; they follow it.
    private static let ownRules: [JSONValue] = [
        rule(
            "report-truncated", "note", "Findings were left out.",
            "Code scanning keeps 5,000 results of a run. The worst are kept; the text and JSON reports hold all."),
        rule(
            "codesign", "error", "Apple's tool would not accept the signature.",
            "Under the profile codesign the answer is that of codesign --verify --deep --strict."),
    ]

    private static func rule(_ id: String, _ level: JSONValue, _ summary: String, _ text: String) -> JSONValue {
        [
            "id": .string(id), "shortDescription": ["text": .string(summary)],
            "fullDescription": ["text": .string(text)], "help": ["text": .string(text)],
            "defaultConfiguration": ["level": level],
        ]
    }

    private func result(_ judged: Report.Judged, _ report: Report, _ uri: InputURI) -> JSONValue {
        let finding = judged.finding
        let index = Catalogue.rows.firstIndex { $0.id == finding.id }
        var members: [JSONValue.Member] = [
            .init("ruleId", .string(finding.id.rawValue)),
            .init("ruleIndex", .integer(Int64(index ?? -1))),
            .init("level", .string(judged.severity.sarifLevel)),
            .init("message", ["text": .string(Self.message(finding.message))]),
            .init("locations", [Self.location(uri: uri.of(place(of: finding, report)), code: finding.subject.code)]),
            .init("partialFingerprints", ["primaryLocationLineHash": .string(judged.fingerprint + ":1")]),
        ]
        if let allowed = judged.allowed {
            members.append(
                .init("suppressions", [["kind": "external", "justification": .string(Inert.text(allowed.reason))]]))
        }
        if let cause = judged.cause { members.append(.init("properties", ["cause": .string(cause)])) }
        return .object(members)
    }

    /// Under `--profile codesign` the verdict may rest on something that is no finding of ours.
    private func codesignResult(_ report: Report, _ uri: InputURI) -> JSONValue {
        [
            "ruleId": "codesign", "ruleIndex": .integer(Int64(Catalogue.rows.count + 1)), "level": "error",
            "message": ["text": .string(Self.message("codesign says: \(report.codesignText)."))],
            "locations": [Self.location(uri: uri.ofInput, code: report.root)],
            "partialFingerprints": ["primaryLocationLineHash": "codesign:1"],
        ]
    }

    /// A file that stands for the subject: a bundle as a whole is shown at its Info.plist.
    private func place(of finding: Finding, _ report: Report) -> BundlePath {
        let path = finding.subject.path
        guard let code = report.evaluations.first(where: { $0.code.path == path })?.code else { return path }
        return code.infoPlist?.path ?? path
    }

    private static func location(uri: String, code: BundlePath?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(
                "physicalLocation",
                [
                    "artifactLocation": ["uri": .string(uri)],
                    // Nothing in a binary has a line, and a location without one is refused.
                    "region": ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1],
                ])
        ]
        if let code {
            members.append(
                .init("logicalLocations", [["fullyQualifiedName": .string(Inert.text(code.bytes)), "kind": "module"]]))
        }
        return .object(members)
    }

    private static func notification(_ id: String, _ message: String, _ uri: String) -> JSONValue {
        [
            "descriptor": ["id": .string(id)], "level": "error", "message": ["text": .string(Self.message(message))],
            "locations": [location(uri: uri, code: nil)],
        ]
    }

    /// Plain text of a message: hidden characters shown, braces doubled and brackets escaped, which SARIF gives a
    /// meaning (2.1.0, 3.11.5 and 3.11.6).
    private static func message(_ text: String) -> String {
        var result = ""
        for character in Inert.text(text) {
            switch character {
            case "{": result += "{{"
            case "}": result += "}}"
            case "[": result += "\\["
            case "]": result += "\\]"
            default: result.append(character)
            }
        }
        return result
    }
}

extension Severity {
    fileprivate var sarifLevel: String { rawValue }
    fileprivate var sarifProblemSeverity: String { self == .note ? "recommendation" : rawValue }
}

extension CatalogueRow {
    fileprivate func sarifRule(_ profile: Profile) -> JSONValue {
        let severity = severity(profile)
        var tags: [JSONValue] = [.string(family.rawValue)]
        if let apple { tags += ["codesign", .string(apple.name)] }
        return [
            "id": .string(id.rawValue),
            "shortDescription": ["text": .string(summary)],
            "fullDescription": ["text": .string("\(summary) \(why)")],
            "help": [
                "text": .string("Why: \(why)\nFix: \(fix)"),
                "markdown": .string(
                    "**Why:** \(MarkdownText.prose(why))\n\n**Fix:** \(MarkdownText.prose(fix))\n\n"
                        + "`sealcheck explain \(id.rawValue)`"),
            ],
            "defaultConfiguration": ["level": .string(severity.sarifLevel)],
            "properties": [
                "problem.severity": .string(severity.sarifProblemSeverity), "precision": "very-high",
                "tags": .array(tags),
            ],
        ]
    }
}
