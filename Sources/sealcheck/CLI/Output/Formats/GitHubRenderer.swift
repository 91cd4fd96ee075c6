import SealCheck

/// What a step of GitHub Actions understands: one annotation a cause, the worst first, and the Markdown report in the
/// job's summary, which is where people look.
final class GitHubRenderer: ReportRenderer {
    /// The runner keeps ten annotations of a kind and step, and drops the rest without a word.
    private static let annotations = 9
    /// Characters of a message that are shown; the runner cuts longer ones.
    private static let messageLength = 3_500

    private let workspace: Word?
    private let summary: JobSummary?
    private var groups: [(path: Word, report: Report, group: FindingGroup)] = []
    private var problems: [(path: Word, report: Report)] = []
    private var sections: [String] = []

    /// - Parameters:
    ///   - workspace: the folder that annotations' files are relative to.
    ///   - summary: where the Markdown report goes; nil where there is no such place.
    init(workspace: Word?, summary: JobSummary?) {
        self.workspace = workspace
        self.summary = summary
    }

    func add(_ report: Report, for path: Word, to writer: OutputWriter) {
        let counts = report.countsText
        writer.line("\(path: path): \(report.answer)\(counts.isEmpty ? "" : " (\(counts))")")
        if summary != nil { sections.append(MarkdownRenderer.document(report, path)) }
        if report.problem != nil || report.profile == .codesign {
            if report.outcome != .pass { problems.append((path, report)) }
        } else {
            groups += report.groups.map { (path, report, $0) }
        }
    }

    func finish(to writer: OutputWriter) {
        var commands = problems.map { path, report in
            let message = report.problem.map(\.message) ?? "codesign says: \(report.codesignText)"
            return command("error", "\(name(path)): \(report.answer)", path, [message])
        }
        let sorted = Severity.worstFirst.flatMap { severity in groups.filter { $0.group.severity == severity } }
        commands += sorted.map { path, _, group in
            let lines = group.findings.prefix(5).map { "\($0.finding.id.rawValue): \($0.finding.message)" }
            let rest = group.findings.count - lines.count
            return command(
                group.severity == .note ? "notice" : group.severity.rawValue, "\(name(path)): \(group.title)", path,
                lines + (rest > 0 ? ["… and \(rest) more"] : []) + (group.fix.map { ["Fix: \($0)"] } ?? []))
        }
        for command in commands.prefix(Self.annotations) { writer.document(Array((command + "\n").utf8)) }
        let rest = commands.count - Self.annotations
        if rest > 0 {
            let more = "::notice title=\(ToolVersion.name)::and \(rest) more: see the summary of this job\n"
            writer.document(Array(more.utf8))
        }
        summary?.append(sections)
    }

    private func name(_ path: Word) -> String {
        String(decoding: path.bytes.split(separator: UInt8(ascii: "/")).last ?? path.bytes[...], as: UTF8.self)
    }

    private func command(_ kind: String, _ title: String, _ path: Word, _ message: [String]) -> String {
        var properties = ["title=\(Self.value(String(title.prefix(200))))"]
        if let file = relative(path) { properties.append("file=\(Self.value(file))") }
        let text = String(message.map { Inert.text($0) }.joined(separator: "\n").prefix(Self.messageLength))
        return "::\(kind) \(properties.joined(separator: ","))::\(Self.data(text))"
    }

    /// The input as the runner wants it: relative to the workspace; nil outside of it.
    private func relative(_ path: Word) -> String? {
        guard let workspace, let folder = Posix.realPath(of: workspace), let real = Posix.realPath(of: path),
            let inside = BundlePath(bytes: real.bytes).relative(to: BundlePath(bytes: folder.bytes)), !inside.isRoot
        else { return nil }
        return Inert.text(inside.bytes)
    }

    /// Escapes a message (actions/toolkit, command.ts): the percent sign first.
    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func value(_ text: String) -> String {
        data(Inert.text(text)).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

/// The file that a job's summary is appended to (`GITHUB_STEP_SUMMARY`).
final class JobSummary {
    /// What a step may write to its summary: 1 MiB. Some room is left for what other commands of the step write.
    private static let bytes = 900_000

    private let path: Word
    private(set) var failure: OutputFailure?

    init(_ path: Word) { self.path = path }

    func append(_ sections: [String]) {
        var text = ""
        for (index, section) in sections.enumerated() {
            guard text.utf8.count + section.utf8.count <= Self.bytes else {
                text += "\n… and \(sections.count - index) more inputs: their reports do not fit into this summary.\n"
                break
            }
            text += section + "\n"
        }
        if let errno = Posix.append(Array(text.utf8), to: path) {
            failure = OutputFailure(destination: "the job summary \(path: path)", step: "write", errno: errno)
        }
    }
}
