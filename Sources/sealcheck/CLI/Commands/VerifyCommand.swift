import SealCheck

/// `sealcheck verify`: the main job.
struct VerifyCommand: Command {
    static let row = VerifyOptions.row

    private let paths: [Word]
    private let verifier: Verifier
    private let reports: [RequestedReport]
    private let baseline: OutputTarget?
    private let sarifCategory: String?
    private let color: ColorChoice
    private let isComplete: Bool
    private let isQuiet: Bool
    private let isVerbose: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = try arguments.paths()
        let reports = try RequestedReport.all(arguments, inputs: paths)
        self.reports = reports
        var required: [RequiredThing] = []
        for word in arguments.values(VerifyOptions.require) {
            guard let thing = word.text.flatMap(RequiredThing.init) else {
                let words = ["live-activity", "widget", "extension=", "identifier="]
                throw arguments.error(
                    "nothing like '\(word)' can be required\(Suggestion.phrase(for: word.text ?? "", among: words)): WHAT is live-activity, widget, extension=NAME-OR-IDENTIFIER or identifier=BUNDLE-ID"
                )
            }
            required.append(thing)
        }
        let profile = arguments.choice(VerifyOptions.profile).profile
        if profile == .codesign, !required.isEmpty {
            throw arguments.error(
                "'--require' does not go with '--profile codesign', which is exactly what codesign decides")
        }
        var policy = try Self.policy(arguments)
        if profile == .codesign, policy != nil {
            throw arguments.error(
                "'--policy' does not go with '--profile codesign', which is exactly what codesign decides")
        }
        policy?.required += required
        if let file = arguments.value(VerifyOptions.writePolicy) {
            let target = try OutputTarget(file, option: VerifyOptions.writePolicy, inputs: paths, of: arguments)
            guard !reports.contains(where: { $0.target == target }) else {
                throw arguments.error("report and policy cannot be one file")
            }
            baseline = target
        } else {
            baseline = nil
        }
        let jobs = arguments.integer(CommonOptions.jobs) ?? Verifier.cores
        var verifier = Verifier(
            profile: profile,
            failOn: arguments.choice(VerifyOptions.failOn).threshold,
            limits: Self.limits(memory: arguments.integer(CommonOptions.memory), jobs: jobs), jobs: jobs,
            fileOnly: arguments.has(VerifyOptions.fileOnly), allDigests: arguments.has(VerifyOptions.allDigests))
        verifier.policy = policy ?? Policy()
        if policy == nil { verifier.required = required }
        if let word = arguments.value(VerifyOptions.asOf) {
            guard let day = word.text.flatMap(Policy.Day.init) else {
                throw arguments.error("'--as-of' wants a day such as 2027-01-31, not '\(word)'")
            }
            verifier.asOf = day
        }
        self.verifier = verifier
        sarifCategory = try arguments.text(VerifyOptions.sarifCategory)
        color = arguments.choice(CommonOptions.color)
        isComplete = arguments.has(VerifyOptions.all)
        isQuiet = arguments.has(CommonOptions.quiet)
        isVerbose = arguments.has(CommonOptions.verbose)
    }

    /// Reads the policy file: what is wrong with it is wrong usage, told with its line.
    private static func policy(_ arguments: ParsedArguments) throws(UsageError) -> Policy? {
        guard let file = arguments.value(VerifyOptions.policy) else { return nil }
        let bytes: [UInt8]
        switch Posix.contents(of: file, limit: 16 << 20) {
        case .success(let read): bytes = read
        case .failure(let failure):
            throw arguments.error("cannot read the policy \(path: file): \(Posix.message(for: failure.errno))")
        }
        do {
            return try Policy(parsing: bytes)
        } catch {
            throw arguments.error("\(path: file), line \(error.line): \(error.message)")
        }
    }

    /// The limits that keep a run within a budget in MiB: each job holds one entry whole, packed and unpacked, beside the
    /// facts; what is larger is streamed.
    static func limits(memory: Int?, jobs: Int) -> Limits {
        var limits = Limits.standard
        guard let memory else { return limits }
        let share = UInt64(memory) << 20 / UInt64(4 * max(1, jobs))
        limits.wholeEntryBytes = min(limits.wholeEntryBytes, max(1 << 20, share))
        return limits
    }

    func run(_ console: Console) async throws(OutputFailure) -> ExitCode {
        var outputs: [ReportOutput] = []
        for report in reports { outputs.append(try output(report, console)) }
        var statuses: [ExitCode] = []
        var judged: [Report] = []
        for path in paths {
            // The only error is cancellation, and nothing cancels this task.
            guard let report = try? await verifier.verify(path: path.bytes) else { return .unchecked }
            statuses.append(ExitCode(report.outcome))
            if baseline != nil { judged.append(report) }
            if !isQuiet, report.outcome != .pass { sayWhy(report, to: console.errors) }
            for output in outputs { output.add(report, for: path) }
        }
        for output in outputs { try output.finish() }
        if let baseline {
            try console.report(to: baseline).document(JSONWriter.document(Policy(baselineOf: judged).json))
        }
        return .combined(statuses)
    }

    /// Somebody reads the log of a failed step: where the report is for a program or in a file, say it there too.
    private func sayWhy(_ report: Report, to errors: OutputWriter) {
        guard !reports.contains(where: { $0.target == nil && ($0.format == .text || $0.format == .github) }) else {
            return
        }
        let text = TextReport(report: report, style: .plain, isComplete: false, isVerbose: false, isQuiet: false)
        for line in text.verdict { errors.line(line) }
    }

    private func output(_ report: RequestedReport, _ console: Console) throws(OutputFailure) -> ReportOutput {
        let writer = try console.report(to: report.target)
        let summary = report.format == .github ? console.terminal.jobSummary.map(JobSummary.init) : nil
        let renderer: any ReportRenderer =
            switch report.format {
            case .json: JSONRenderer(.pretty)
            case .jsonl: JSONRenderer(.compact)
            case .markdown: MarkdownRenderer()
            case .sarif: SarifRenderer(category: sarifCategory)
            case .junit: JUnitRenderer()
            case .github: GitHubRenderer(workspace: console.terminal.workspace, summary: summary)
            case .text:
                TextRenderer(
                    style: console.style(color, for: report.target), isComplete: isComplete, isVerbose: isVerbose,
                    isQuiet: isQuiet, errors: report.target == nil ? console.errors : nil)
            }
        return ReportOutput(renderer: renderer, writer: writer, summary: summary)
    }
}

extension ExitCode {
    init(_ outcome: Report.Outcome) {
        switch outcome {
        case .pass: self = .wanted
        case .fail: self = .no
        case .unchecked: self = .unchecked
        }
    }
}

extension ProfileChoice {
    fileprivate var profile: Profile {
        switch self {
        case .adhoc: .adhoc
        case .integrity: .integrity
        case .codesign: .codesign
        }
    }
}

extension FailOnChoice {
    fileprivate var threshold: FailureThreshold {
        switch self {
        case .error: .error
        case .warning: .warning
        case .never: .never
        }
    }
}
