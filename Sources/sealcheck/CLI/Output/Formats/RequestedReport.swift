import SealCheck

/// A report that the command line asks for: `--format` with `--output`, and each `--report`.
struct RequestedReport {
    var format: FormatChoice
    /// Nil for standard output.
    var target: OutputTarget?

    /// Everything that is asked for, the first of `--format`.
    ///
    /// - Throws: a usage error for what cannot be written, before any work.
    static func all(_ arguments: ParsedArguments, inputs: [Word]) throws(UsageError) -> [RequestedReport] {
        let first = RequestedReport(
            format: arguments.choice(VerifyOptions.format),
            target: try arguments.outputTarget(CommonOptions.output, inputs: inputs))
        var reports = [first]
        for word in arguments.values(VerifyOptions.report) {
            reports.append(try further(word, arguments, inputs))
        }
        for (index, report) in reports.enumerated() {
            if report.format == .json, inputs.count > 1 {
                let option = index == 0 ? "--format json" : "--report json="
                throw arguments.error(
                    "'\(option)' takes one PATH; with several use '\(option.replacing("json", with: "jsonl"))', one object a line"
                )
            }
            if let target = report.target, reports[..<index].contains(where: { $0.target == target }) {
                throw arguments.error("two reports cannot be one file: \(path: target.typed)")
            }
        }
        return reports
    }

    private static func further(
        _ word: Word, _ arguments: ParsedArguments, _ inputs: [Word]
    ) throws(UsageError) -> RequestedReport {
        let option = VerifyOptions.report
        guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")), equals + 1 < word.bytes.count else {
            throw arguments.error("'\(option.spelling)' wants FORMAT=FILE, as in junit=report.xml, not '\(word)'")
        }
        let name = String(decoding: word.bytes[..<equals], as: UTF8.self)
        guard let format = FormatChoice(rawValue: name) else {
            let hint = Suggestion.phrase(for: name, among: FormatChoice.allCases.map(\.rawValue))
            throw arguments.error("there is no report format '\(name)'\(hint)")
        }
        guard format != .github else {
            throw arguments.error(
                "the commands of github belong in the log: use '--format github'; '--report markdown=FILE' keeps its summary"
            )
        }
        let file = Word(bytes: word.bytes[(equals + 1)...])
        return RequestedReport(
            format: format, target: try OutputTarget(file, option: option, inputs: inputs, of: arguments))
    }
}

/// A renderer at work: where its words go.
struct ReportOutput {
    let renderer: any ReportRenderer
    let writer: OutputWriter
    let summary: JobSummary?

    func add(_ report: Report, for path: Word) {
        renderer.add(report, for: path, to: writer)
        writer.flush()
    }

    /// - Throws: where the job's summary could not be written; files tell when the console finishes.
    func finish() throws(OutputFailure) {
        renderer.finish(to: writer)
        writer.flush()
        if let failure = summary?.failure { throw failure }
    }
}
