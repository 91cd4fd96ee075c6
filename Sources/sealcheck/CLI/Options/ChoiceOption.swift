/// A set of words that an option accepts: one case a word.
///
/// To accept another word, add a case and its line of help; the parser, `--help` and the completions follow.
protocol OptionChoice: RawRepresentable<String>, CaseIterable, Sendable {
    /// What the word does, in a few words for `--help`.
    var help: String { get }
}

/// An option whose argument is one of a few words, tied to the type of those words and to its default, so that what
/// `--help` promises and what a command receives cannot differ.
struct ChoiceOption<Value: OptionChoice>: Sendable {
    let row: OptionRow
    /// What holds when the option is not given.
    let fallback: Value

    /// An option that accepts `allowed`, or every case of the type.
    init(
        _ long: String, _ short: Character? = nil, placeholder: String, allowed: [Value] = Array(Value.allCases),
        default fallback: Value, in group: OptionGroup, help: String, details: String = ""
    ) {
        let choices = allowed.map { OptionRow.Choice(word: $0.rawValue, help: $0.help) }
        row = OptionRow(
            long, short, .choice(placeholder: placeholder, choices: choices), in: group, default: fallback.rawValue,
            help: help, details: details)
        self.fallback = fallback
    }
}
