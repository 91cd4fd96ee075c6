/// What is known of where the output goes: the terminal, if there is one, and what the environment asks for.
///
/// A plain value, so that every decision made from it is tested without a terminal.
struct Terminal: Sendable {
    var outputIsTerminal: Bool
    var errorIsTerminal: Bool
    /// Columns to wrap text for.
    var width: Int
    /// The variables that are heeded, as far as they are set.
    var environment: [String: String]

    /// Columns where there is no terminal to ask.
    static let defaultWidth = 80
    /// What is read of the environment.
    private static let variables = [
        "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "TERM", "COLUMNS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE",
    ]

    init(
        outputIsTerminal: Bool = false, errorIsTerminal: Bool = false, width: Int = Self.defaultWidth,
        environment: [String: String] = [:]
    ) {
        self.outputIsTerminal = outputIsTerminal
        self.errorIsTerminal = errorIsTerminal
        self.width = width
        self.environment = environment
    }

    /// The terminal of this process.
    static var ofProcess: Terminal {
        var environment: [String: String] = [:]
        for name in variables { environment[name] = Posix.environment(name) }
        let told = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return Terminal(
            outputIsTerminal: Posix.isTerminal(Posix.standardOutput),
            errorIsTerminal: Posix.isTerminal(Posix.standardError),
            width: Posix.columns(of: Posix.standardOutput) ?? told ?? defaultWidth,
            environment: environment)
    }

    /// The file that takes the summary of a job of GitHub Actions.
    var jobSummary: Word? { file("GITHUB_STEP_SUMMARY") }
    /// The folder that such a job works in.
    var workspace: Word? { file("GITHUB_WORKSPACE") }

    private func file(_ variable: String) -> Word? {
        environment[variable].flatMap { $0.isEmpty ? nil : Word($0) }
    }

    /// Whether text is coloured where `isTerminal` tells what it goes to.
    ///
    /// `--color` is asked first. Of the environment, `NO_COLOR` (set and not empty) turns colour off; `CLICOLOR_FORCE` and
    /// `FORCE_COLOR` (not empty, not `0`) turn it on, for build servers, which are no terminals yet show colours; and a
    /// terminal that says it is dumb, or nothing about itself, gets none.
    func isColored(_ choice: ColorChoice, isTerminal: Bool) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if !(environment["NO_COLOR"] ?? "").isEmpty { return false }
        for name in ["CLICOLOR_FORCE", "FORCE_COLOR"] where !["", "0"].contains(environment[name] ?? "") { return true }
        if ["", "dumb"].contains(environment["TERM"] ?? "") { return false }
        return isTerminal
    }
}
