/// One command of the tool.
///
/// There are two steps, so that every usage error comes before any work: `init` turns what was typed into settings, `run`
/// does the work.
protocol Command {
    /// The command's table.
    static var row: CommandRow { get }

    /// Checks what was typed, without touching anything.
    ///
    /// - Throws: a usage error: exit code 2, nothing was done.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does the work and writes the answer to the console.
    ///
    /// - Throws: only where a report cannot be written (exit code 3). What is wrong with an input is part of the answer.
    func run(_ console: Console) async throws(OutputFailure) -> ExitCode
}

/// The commands of the tool.
enum CommandList {
    /// Every command, in the order of `--help`.
    static var all: [any Command.Type] { [VerifyCommand.self, ExplainCommand.self, PolicyCommand.self] }
}
