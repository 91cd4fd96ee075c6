/// What is wrong with the command line: found before any work, told in one line, exit code 2.
struct UsageError: Error, Sendable {
    /// One sentence without a full stop; a suggestion is part of it.
    var message: InertText
    /// The command whose `--help` is pointed to, or nil for the program's own.
    var command: String?

    init(_ message: InertText, command: String? = nil) {
        self.message = message
        self.command = command
    }

    /// The two lines that go to standard error.
    var lines: [InertText] {
        let program: InertText = command.map { "sealcheck \($0)" } ?? "sealcheck"
        return ["\(program): \(message)", "Try '\(program) --help'."]
    }
}
