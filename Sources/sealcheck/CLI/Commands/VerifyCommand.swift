import SealCheck

/// `sealcheck verify`: the main job.
struct VerifyCommand: Command {
    static let row = VerifyOptions.row

    private let paths: [Word]
    private let verifier: Verifier
    private let format: FormatChoice
    private let target: OutputTarget?
    private let baseline: OutputTarget?
    private let color: ColorChoice
    private let isComplete: Bool
    private let isQuiet: Bool
    private let isVerbose: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = try arguments.paths()
        format = arguments.choice(VerifyOptions.format)
        if format == .json, paths.count > 1 {
            throw arguments.error(
                "'--format json' takes one PATH; with several use '--format jsonl', one object a line")
        }
        if let file = arguments.value(CommonOptions.output) {
            target = try OutputTarget(file, option: CommonOptions.output, inputs: paths, of: arguments)
        } else {
            target = nil
        }
        var required: [RequiredThing] = []
        for word in arguments.values(VerifyOptions.require) {
            guard let thing = word.text.flatMap(RequiredThing.init) else {
                let words = ["live-activity", "widget", "extension=", "identifier="]
                throw arguments.error(
                    "nothing like '\(word)' can be required\(Suggestion.phrase(for: word.text ?? "", among: words))")
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
            baseline = try OutputTarget(file, option: VerifyOptions.writePolicy, inputs: paths, of: arguments)
            guard baseline != target else { throw arguments.error("report and policy cannot be one file") }
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
        let writer = try console.report(to: target)
        let style = console.style(color, for: target)
        var statuses: [ExitCode] = []
        var reports: [Report] = []
        for (index, path) in paths.enumerated() {
            // The only error is cancellation, and nothing cancels this task.
            guard let report = try? await verifier.verify(path: path.bytes) else { return .unchecked }
            statuses.append(ExitCode(report.outcome))
            if baseline != nil { reports.append(report) }
            // Somebody reads the log of a failed step: where the report is for a program or in a file, say it here too.
            if !isQuiet, report.outcome != .pass, format != .text || target != nil {
                let text = TextReport(
                    report: report, style: .plain, isComplete: false, isVerbose: false, isQuiet: false)
                for line in text.verdict { console.errors.line(line) }
            }
            if format == .text, report.profile == .codesign {
                writeLikeCodesign(report, to: writer, console.errors)
            } else {
                write(report, style, isFirst: index == 0, to: writer)
            }
        }
        if let baseline {
            try console.report(to: baseline).document(JSONWriter.document(Policy(baselineOf: reports).json))
        }
        return .combined(statuses)
    }

    private func write(_ report: Report, _ style: Style, isFirst: Bool, to writer: OutputWriter) {
        switch format {
        case .json: writer.document(JSONWriter.document(report.json))
        case .jsonl: writer.document(JSONWriter.document(report.json, .compact))
        case .text:
            let text = TextReport(
                report: report, style: style, isComplete: isComplete, isVerbose: isVerbose, isQuiet: isQuiet)
            let lines = text.lines()
            if !isFirst, !lines.isEmpty { writer.line() }
            for line in lines { writer.line(line) }
        }
        writer.flush()
    }
}

extension VerifyCommand {
    /// Messages on standard error, lists on standard output, as Apple's tool divides them (spec 6.2).
    private func writeLikeCodesign(_ report: Report, to output: OutputWriter, _ errors: OutputWriter) {
        let text = CodesignText(report: report, isVerbose: isVerbose, isQuiet: isQuiet)
        for line in text.messages { errors.line(line) }
        for line in text.files { output.line(line) }
        output.flush()
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
