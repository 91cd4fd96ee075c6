/// Decides what the whole command line asks for: help, the version, or a command with its arguments.
struct Dispatcher {
    /// What is asked for.
    enum Request: Sendable {
        /// The help of one command, or the program's own.
        case help(CommandRow?)
        case version
        case run(CommandRow, ParsedArguments)
    }

    /// Every command, in the order of `--help`.
    let commands: [CommandRow]
    /// The command that a bare path means.
    let implied: String
    /// Whether something stands at this path; asked only about a first word that is no command.
    let exists: (Word) -> Bool

    init(commands: [CommandRow], implied: String = "verify", exists: @escaping (Word) -> Bool) {
        self.commands = commands
        self.implied = implied
        self.exists = exists
    }

    /// - Throws: a usage error where the words ask for nothing that exists.
    func request(for words: [Word]) throws(UsageError) -> Request {
        guard let first = words.first else { throw UsageError("no command given") }
        let rest = Array(words.dropFirst())
        if first == "--help" || first == "-h" {
            return .help(rest.first.flatMap(command(named:)))
        }
        if first == "--version" { return .version }
        if first == "help" { return .help(try named(in: rest)) }
        if first.bytes.first == UInt8(ascii: "-"), first != "-" { throw optionFirst(first) }
        if let row = command(named: first) { return try parse(row, rest) }
        if first == "-" { throw UsageError(Self.standardInput("PATH")) }
        // A later version may add a command; a bare word is taken for a path only when it is there. No command has a dot
        // or a slash in its name: such a word is a path, and that it is missing is told as `verify` tells it.
        if let row = command(named: Word(implied)), looksLikePath(first) || exists(first) {
            return try parse(row, words)
        }
        throw unknown(first)
    }

    /// Why `-` is refused where a path is expected.
    static func standardInput(_ placeholder: String) -> InertText {
        """
        '-' (standard input) is not a \(placeholder), an archive needs seeking: save it to a file first, or write './-' \
        for a file of that name
        """
    }

    /// The command that `help` is asked about; nil for the whole program.
    private func named(in words: [Word]) throws(UsageError) -> CommandRow? {
        guard let word = words.first(where: { $0 != "--help" && $0 != "-h" }) else { return nil }
        guard let row = command(named: word) else { throw unknown(word) }
        return row
    }

    private func looksLikePath(_ word: Word) -> Bool {
        word.bytes.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    }

    private func command(named word: Word) -> CommandRow? {
        commands.first { Word($0.name) == word }
    }

    private func parse(_ row: CommandRow, _ words: [Word]) throws(UsageError) -> Request {
        switch try Parser(command: row).parse(words) {
        case .help: .help(row)
        case .arguments(let arguments): .run(row, arguments)
        }
    }

    private func optionFirst(_ word: Word) -> UsageError {
        let name = Word(bytes: word.bytes.prefix { $0 != UInt8(ascii: "=") })
        let owner = commands.first { $0.allOptions.contains { name == Word($0.spelling) || isShort($0, name) } }
        guard let owner else {
            let text = String((name.text ?? "").drop { $0 == "-" })
            let suggestion = Suggestion.phrase(for: text, among: ["help", "version"], prefix: "--")
            return UsageError("the first word must be a command, not '\(word)'\(suggestion)")
        }
        return UsageError("'\(name)' belongs after a command: sealcheck \(owner.name) \(name) ...")
    }

    private func isShort(_ row: OptionRow, _ name: Word) -> Bool {
        row.short.map { name == Word("-\($0)") } ?? false
    }

    private func unknown(_ word: Word) -> UsageError {
        let suggestion = Suggestion.phrase(for: word.text ?? "", among: commands.map(\.name))
        return UsageError("unknown command '\(word)'\(suggestion)")
    }
}
