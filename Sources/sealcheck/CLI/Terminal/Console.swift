/// Where a command writes: standard output for the answer, standard error for the talk, and files that it opens.
///
/// Belongs to the task that runs the command. Tests make one that writes to memory.
final class Console {
    /// The answer: what a script reads.
    let output: OutputWriter
    /// Everything else: errors, notes, progress.
    let errors: OutputWriter
    let terminal: Terminal
    private var files: [OutputWriter] = []

    /// A console; without arguments, one that keeps everything in memory.
    init(output: OutputWriter = OutputWriter(), errors: OutputWriter = OutputWriter(), terminal: Terminal = Terminal())
    {
        self.output = output
        self.errors = errors
        self.terminal = terminal
    }

    /// The console of this process.
    static func ofProcess() -> Console {
        Console(
            output: OutputWriter(descriptor: Posix.standardOutput, name: "standard output"),
            errors: OutputWriter(descriptor: Posix.standardError, name: "standard error", bufferSize: 0),
            terminal: .ofProcess)
    }

    /// The writer for a report: standard output, or the file that `--output` names. The file appears when the command
    /// has returned.
    ///
    /// - Throws: where an earlier report at the path cannot be removed.
    func report(to target: OutputTarget?) throws(OutputFailure) -> OutputWriter {
        guard let target else { return output }
        let writer = OutputWriter(file: try OutputFile(target))
        files.append(writer)
        return writer
    }

    /// Emphasis for text that goes to a report at `target`: a file is coloured only when that is asked for.
    func style(_ choice: ColorChoice, for target: OutputTarget? = nil) -> Style {
        Style(isColored: terminal.isColored(choice, isTerminal: target == nil && terminal.outputIsTerminal))
    }

    /// Emphasis for text on standard error.
    func errorStyle(_ choice: ColorChoice) -> Style {
        Style(isColored: terminal.isColored(choice, isTerminal: terminal.errorIsTerminal))
    }

    /// Writes out everything, and moves files into their places. Each is finished even when another fails.
    ///
    /// - Throws: the first failure.
    func finish() throws(OutputFailure) {
        var failure: OutputFailure?
        for writer in files + [output] {
            do throws(OutputFailure) { try writer.finish() } catch { failure = failure ?? error }
        }
        files = []
        errors.flush()
        if let failure { throw failure }
    }
}
