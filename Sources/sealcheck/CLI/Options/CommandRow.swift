/// One command, as a value: everything that the parser and the help have to know about it.
struct CommandRow: Sendable {
    /// What the command works on.
    struct Operand: Sendable {
        /// The word in the synopsis: `PATH`.
        var placeholder: String
        var help: String
    }

    struct Example: Sendable {
        var command: String
        /// What it does, without a full stop.
        var help: String
    }

    /// The first word of the command line.
    var name: String
    /// What follows the name, one line for each way to call it: `[OPTION]... PATH...`.
    var synopses: [String]
    /// One line for the list of commands, without a full stop.
    var summary: String
    /// Paragraphs for `--help` and the manual page, parted by empty lines.
    var description: String
    var operands: [Operand]
    /// The options that are the command's own; ``allOptions`` has the common ones too.
    var options: [OptionRow]
    var examples: [Example]

    /// `--help`, which every command has.
    static let help = OptionRow("help", "h", in: .general, help: "Print this text and exit")

    /// Every option that the parser accepts.
    var allOptions: [OptionRow] { options + [Self.help] }
}
