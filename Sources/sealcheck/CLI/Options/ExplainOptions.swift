/// The table of `explain`.
enum ExplainOptions {
    static let all = OptionRow("all", in: .report, help: "List every finding there is, one a line")

    static let format = ChoiceOption<FormatChoice>(
        "format", placeholder: "FORMAT", allowed: [.text, .json], default: .text, in: .report,
        help: "How the explanation is written")

    static let row = CommandRow(
        name: "explain",
        synopses: ["[OPTION]... ID", "[OPTION]... --all"],
        summary: "Tell what a finding means, why it matters and what to do",
        description: "",
        operands: [
            CommandRow.Operand(placeholder: "ID", help: "The identifier of a finding, as reports print it")
        ],
        options: [all, format.row, CommonOptions.color.row],
        examples: [
            CommandRow.Example(command: "sealcheck explain resource-altered", help: "Explain one finding"),
            CommandRow.Example(
                command: "sealcheck explain --all --format json", help: "Print the whole catalogue for scripts"),
        ])
}
