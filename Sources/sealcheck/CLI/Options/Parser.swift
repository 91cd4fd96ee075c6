/// Checks the words after a command's name against its table.
///
/// Strict on purpose: a mistyped option in a gate must stop the gate, never be guessed at. Each refusal says what was
/// typed, what would be accepted, and what was probably meant.
struct Parser {
    /// What came of it.
    enum Outcome: Sendable {
        case arguments(ParsedArguments)
        /// `--help` was met; what follows it was not looked at.
        case help
    }

    let command: CommandRow

    /// - Throws: a usage error for the first word that the table does not allow.
    func parse(_ words: [Word]) throws(UsageError) -> Outcome {
        let scanner = PoptScanner(rows: command.allOptions, words: words)
        var occurrences: [ParsedArguments.Occurrence] = []
        var operands: [Word] = []
        while true {
            switch scanner.next() {
            case .end:
                return .arguments(
                    ParsedArguments(command: command, occurrences: occurrences, operands: operands))
            case .operand(let word):
                operands.append(word)
            case .option(let row, let value):
                if row.long == CommandRow.help.long { return .help }
                if let value { try check(value, of: row, words: words) }
                occurrences.append(.init(long: row.long, value: value))
            case .unknown(let word):
                throw unknown(word)
            case .missingArgument(let word):
                let row = row(named: word)
                throw error("'\(word)' needs \(row.map { argument(of: $0) } ?? "an argument")")
            case .unwantedArgument(let word):
                throw error("'\(name(in: word))' takes no argument")
            case .failed(let text):
                throw error("the options cannot be read: \(text)")
            }
        }
    }

    private func error(_ message: InertText) -> UsageError { UsageError(message, command: command.name) }
}

/// Arguments of options.
extension Parser {
    private func check(_ value: Word, of row: OptionRow, words: [Word]) throws(UsageError) {
        // `--output --all App.ipa` would write a file named `--all`; `--output=--all` says that this is wanted.
        if isOption(value), !words.contains(Word(bytes: Array("\(row.spelling)=".utf8) + value.bytes)) {
            throw error("'\(row.spelling)' needs \(argument(of: row)), but the option '\(value)' follows it")
        }
        switch row.argument {
        case .none: break
        case .text(let placeholder), .file(let placeholder):
            if value.isEmpty { throw error("the \(placeholder) of '\(row.spelling)' is empty") }
        case .integer(_, let range):
            guard let number = wholeNumber(value), range.contains(number) else {
                throw error("'\(row.spelling)' needs \(argument(of: row)), not '\(value)'")
            }
        case .choice(_, let choices):
            let words = choices.map(\.word)
            guard let text = value.text, words.contains(text) else {
                let suggestion = Suggestion.phrase(for: value.text ?? "", among: words)
                throw error("'\(row.spelling)' is \(list(words)), not '\(value)'\(suggestion)")
            }
        }
    }

    /// Digits only: `Int` would also take `+4`.
    private func wholeNumber(_ word: Word) -> Int? {
        guard let text = word.text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// What an option takes, for a sentence: `a whole number from 1 to 256 (N)`.
    private func argument(of row: OptionRow) -> InertText {
        switch row.argument {
        case .none: "no argument"
        case .text(let placeholder), .file(let placeholder): "an argument (\(placeholder))"
        case .integer(let placeholder, let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound) (\(placeholder))"
        case .choice(_, let choices): "one of \(list(choices.map(\.word)))"
        }
    }

    /// `a, b or c`.
    private func list(_ words: [String]) -> InertText {
        let quoted = words.map { "\($0)" as InertText }
        guard let last = quoted.last, quoted.count > 1 else { return InertText.joined(quoted) }
        return "\(InertText.joined(quoted.dropLast())) or \(last)"
    }
}

/// Names of options.
extension Parser {
    private func isOption(_ word: Word) -> Bool {
        word.bytes.starts(with: "-".utf8) && row(named: word) != nil
    }

    /// The option that is spelt exactly so.
    private func row(named word: Word) -> OptionRow? {
        guard let text = word.text else { return nil }
        return command.allOptions.first { row in
            text == row.spelling || row.short.map { text == "-\($0)" } ?? false
        }
    }

    /// The option's name in `--name=value` or `-nvalue`.
    private func name(in word: Word) -> Word {
        if word.bytes.starts(with: "--".utf8) {
            return Word(bytes: word.bytes.prefix { $0 != UInt8(ascii: "=") })
        }
        return Word(bytes: word.bytes.prefix(2))
    }

    private func unknown(_ word: Word) -> UsageError {
        let names = command.allOptions.map(\.long)
        if word.bytes.starts(with: "--".utf8) {
            let typed = name(in: word)
            let suggestion = Suggestion.phrase(for: String((typed.text ?? "").dropFirst(2)), among: names, prefix: "--")
            return error("unknown option '\(typed)'\(suggestion)")
        }
        // A cluster of short options: name the first letter that is none. What popt had no quarrel with is in the table.
        let cluster = String((word.text ?? "").dropFirst())
        let shorts = command.allOptions.compactMap(\.short)
        let culprit = cluster.first { !shorts.contains($0) }
        let suggestion = cluster.count > 2 ? Suggestion.phrase(for: cluster, among: names, prefix: "--") : ""
        guard let culprit, cluster.count > 1 else { return error("unknown option '\(word)'\(suggestion)") }
        return error("unknown option '-\(String(culprit))' in '\(word)'\(suggestion)")
    }
}
