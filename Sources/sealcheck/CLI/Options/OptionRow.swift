/// One option of a command, as a value: the single source for the parser, `--help`, and whatever is generated from the
/// tables (manual pages, completions, the lists in the documentation).
struct OptionRow: Sendable {
    /// What follows the option's name.
    enum Argument: Sendable {
        /// Nothing: the option is a flag.
        case none
        /// Any text.
        case text(placeholder: String)
        /// The path of a file, which a shell can complete.
        case file(placeholder: String)
        /// A whole number within a range.
        case integer(placeholder: String, range: ClosedRange<Int>)
        /// One of a few words.
        case choice(placeholder: String, choices: [Choice])

        /// The word that stands for the argument in help, or nil for a flag.
        var placeholder: String? {
            switch self {
            case .none: nil
            case .text(let placeholder), .file(let placeholder), .integer(let placeholder, _),
                .choice(let placeholder, _):
                placeholder
            }
        }
    }

    /// One word that an option accepts.
    struct Choice: Hashable, Sendable {
        var word: String
        /// What it does, in a few words.
        var help: String
    }

    /// The name without its dashes; unique within a command.
    var long: String
    /// A single ASCII letter, or nil.
    var short: Character?
    var argument: Argument
    /// Whether every occurrence counts. Of an option that is not repeatable the last one counts, as everywhere: scripts
    /// append to a fixed list of options to change them.
    var isRepeatable: Bool
    var group: OptionGroup
    /// One line for `--help`, without a full stop.
    var help: String
    /// More for `--help` and the manual page: full sentences, or empty.
    var details: String
    /// What holds when the option is not given, in words, or nil where that goes without saying.
    var defaultText: String?

    init(
        _ long: String, _ short: Character? = nil, _ argument: Argument = .none, repeatable: Bool = false,
        in group: OptionGroup, default defaultText: String? = nil, help: String, details: String = ""
    ) {
        self.long = long
        self.short = short
        self.argument = argument
        isRepeatable = repeatable
        self.group = group
        self.help = help
        self.details = details
        self.defaultText = defaultText
    }

    /// The option as one types it: `--format`.
    var spelling: String { "--" + long }

    /// The option as help shows it: `-o, --output FILE`.
    var usage: String {
        let names = short.map { "-\($0), \(spelling)" } ?? "    \(spelling)"
        return argument.placeholder.map { "\(names) \($0)" } ?? names
    }

    /// The words that the option accepts; none where it is not a choice.
    var choices: [Choice] {
        if case .choice(_, let choices) = argument { choices } else { [] }
    }
}

/// The headings under which `--help` lists options, in their order there.
enum OptionGroup: String, CaseIterable, Sendable {
    case judgement = "What is judged"
    case report = "The report"
    case work = "How the work is done"
    case general = "General"
}
