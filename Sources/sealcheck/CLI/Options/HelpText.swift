/// The text of `--help`, made from the tables and wrapped for the terminal.
///
/// Everything in it is our own words, so it is plain text.
struct HelpText {
    /// The widest text that is still pleasant to read, however wide the terminal.
    static let widest = 100
    /// Where the second column begins.
    private static let column = 26

    private let width: Int

    /// - Parameter width: columns of the terminal.
    init(width: Int) { self.width = min(max(width, 40), Self.widest) }

    /// The help of one command.
    func command(_ row: CommandRow) -> [String] {
        var lines = wrapped(row.summary + ".") + [""]
        for (index, synopsis) in row.synopses.enumerated() {
            lines.append((index == 0 ? "Usage: " : "       ") + "sealcheck \(row.name) \(synopsis)")
        }
        if !row.description.isEmpty { lines += [""] + wrapped(row.description) }
        if !row.operands.isEmpty {
            lines.append("")
            for operand in row.operands { lines += columns("  \(operand.placeholder)", operand.help) }
        }
        for group in OptionGroup.allCases {
            let options = row.allOptions.filter { $0.group == group }
            if options.isEmpty { continue }
            lines += ["", "\(group.rawValue):"]
            for option in options { lines += describe(option) }
        }
        lines += examples(row.examples)
        return lines + exitCodes
    }

    /// The help of the whole program.
    func program(commands: [CommandRow]) -> [String] {
        var lines = wrapped(
            """
            sealcheck checks that everything in an ad-hoc signed iOS or macOS app is sealed, down to every nested \
            extension.
            """
        )
        lines += ["", "Usage: sealcheck COMMAND [OPTION]... [OPERAND]..."]
        if commands.contains(where: { $0.name == "verify" }) {
            lines.append("       sealcheck PATH...      means 'sealcheck verify PATH...'")
        }
        lines += ["", "Commands:"]
        for row in commands { lines += columns("  \(row.name)", row.summary) }
        lines += columns("  help", "Print this text, or with a command's name its own help")
        lines += ["", "Options:"]
        lines += columns("  -h, --help", "Print this text, or after a command its own help, and exit")
        lines += columns("      --version", "Print the version and those of the libraries, and exit")
        lines += examples(commands.compactMap(\.examples.first))
        return lines + exitCodes
    }

    private func describe(_ option: OptionRow) -> [String] {
        var help = option.help
        if option.isRepeatable { help += " (repeatable)" }
        if let text = option.defaultText { help += " [default: \(text)]" }
        var lines = columns("  \(option.usage)", help)
        let longest = option.choices.map(\.word.count).max() ?? 0
        for choice in option.choices {
            let margin = String(repeating: " ", count: Self.column)
            lines += TextWrap.columns(
                margin + choice.word, choice.help, column: Self.column + longest + 2, width: width)
        }
        if !option.details.isEmpty { lines += TextWrap.indented(option.details, by: Self.column, width: width) }
        return lines
    }

    private func examples(_ examples: [CommandRow.Example]) -> [String] {
        if examples.isEmpty { return [] }
        var lines = ["", "Examples:"]
        for example in examples {
            lines.append("  \(example.command)")
            lines += TextWrap.indented(example.help, by: 6, width: width)
        }
        return lines
    }

    private var exitCodes: [String] {
        ["", "Exit codes:"] + ExitCode.allCases.flatMap { columns("  \($0.rawValue)", $0.help, column: 6) }
    }

    private func wrapped(_ text: String) -> [String] { TextWrap.lines(text, width: width) }

    private func columns(_ left: String, _ right: String, column: Int = Self.column) -> [String] {
        TextWrap.columns(left, right, column: column, width: width)
    }
}
