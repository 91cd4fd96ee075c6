import CPopt

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// libpopt over one command's table: words in, options and operands out, in the order in which they were typed.
///
/// popt is strict (no abbreviated option is accepted) and re-entrant, and it keeps pointers to its table and to the words;
/// this class owns both for as long as the context lives. Whatever popt does beyond splitting words is kept out: arguments
/// are all text to it, aliases and configuration files are not read, and it prints nothing. With `POSIXLY_CORRECT` in the
/// environment it takes everything after the first operand for an operand, as that variable asks.
final class PoptScanner {
    /// One step.
    enum Event {
        /// An option of the table, with its argument unless it is a flag.
        case option(OptionRow, Word?)
        case operand(Word)
        /// Nothing is left.
        case end
        /// The word is no option of the table.
        case unknown(Word)
        /// The word is an option whose argument is missing.
        case missingArgument(Word)
        /// The word is a flag with an argument.
        case unwantedArgument(Word)
        /// popt failed for another reason (memory); the text is its own.
        case failed(String)
    }

    private let rows: [OptionRow]
    private let table: UnsafeMutablePointer<popt_option_entry>
    private let words: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let wordCount: Int
    private let context: poptContext?

    /// A scanner of `words` (without the program's and the command's name).
    init(rows: [OptionRow], words: [Word]) {
        self.rows = rows
        table = .allocate(capacity: rows.count + 1)
        table.initialize(repeating: popt_option_entry(), count: rows.count + 1)
        for (index, row) in rows.enumerated() {
            table[index].longName = Self.copy(row.long)
            table[index].shortName = row.short?.asciiValue.map(CChar.init(bitPattern:)) ?? 0
            table[index].argInfo = row.argument.placeholder == nil ? POPT_ARG_NONE : POPT_ARG_STRING
            // 0 would mean "do not tell", so rows count from 1.
            table[index].val = Int32(index + 1)
        }
        wordCount = words.count + 1
        self.words = .allocate(capacity: wordCount + 1)
        self.words.initialize(repeating: nil, count: wordCount + 1)
        self.words[0] = Self.copy("sealcheck")
        for (index, word) in words.enumerated() { self.words[index + 1] = Self.copy(PoptQuoting.quoted(word)) }
        context = poptGetContext(
            nil, Int32(clamping: wordCount), self.words, table,
            UInt32(POPT_CONTEXT_NO_EXEC) | UInt32(POPT_CONTEXT_ARG_OPTS))
    }

    deinit {
        if let context { poptFreeContext(context) }
        for index in rows.indices { free(UnsafeMutablePointer(mutating: table[index].longName)) }
        for index in 0..<wordCount { free(UnsafeMutablePointer(mutating: words[index])) }
        table.deallocate()
        words.deallocate()
    }

    /// The next step. After ``Event/end`` or an error there is no further one.
    func next() -> Event {
        guard let context else { return .failed("out of memory") }
        let result = poptGetNextOpt(context)
        switch result {
        case 0:
            return .operand(takeArgument() ?? Word(""))
        case 1...:
            let index = Int(result) - 1
            guard rows.indices.contains(index) else { return .failed("an option that is not in the table") }
            let row = rows[index]
            if row.argument.placeholder == nil { return .option(row, nil) }
            return .option(row, takeArgument() ?? Word(""))
        case -1: return .end
        case POPT_ERROR_BADOPT: return .unknown(badWord)
        case POPT_ERROR_NOARG: return .missingArgument(badWord)
        case POPT_ERROR_UNWANTEDARG: return .unwantedArgument(badWord)
        default: return .failed(poptStrerror(result).map { String(cString: $0) } ?? "error \(result)")
        }
    }

    /// The argument of the option just met; popt hands over the ownership.
    private func takeArgument() -> Word? {
        guard let context, let text = poptGetOptArg(context) else { return nil }
        defer { free(text) }
        return PoptQuoting.unquoted(text)
    }

    /// The word at which popt stopped.
    private var badWord: Word {
        guard let context, let text = poptBadOption(context, POPT_BADOPTION_NOALIAS) else { return Word("") }
        return PoptQuoting.unquoted(text)
    }

    private static func copy(_ text: String) -> UnsafePointer<CChar>? { copy(Word(text)) }
    private static func copy(_ word: Word) -> UnsafePointer<CChar>? { word.withCString { UnsafePointer(strdup($0)) } }
}

/// popt replaces `!#:+` inside an option's argument by the next operand, and cannot be told not to. A file may be named
/// so; therefore popt never sees a `!`: U+0001 and a letter stand for `!` and for U+0001 itself. Neither occurs in the
/// name of an option.
private enum PoptQuoting {
    static func quoted(_ word: Word) -> Word {
        Word(
            bytes: word.bytes.flatMap { byte -> [UInt8] in
                switch byte {
                case 0x01: [0x01, UInt8(ascii: "a")]
                case UInt8(ascii: "!"): [0x01, UInt8(ascii: "b")]
                default: [byte]
                }
            })
    }

    static func unquoted(_ text: UnsafePointer<CChar>) -> Word {
        var bytes: [UInt8] = []
        var index = 0
        while text[index] != 0 {
            var byte = UInt8(bitPattern: text[index])
            index += 1
            if byte == 0x01, text[index] != 0 {
                byte = text[index] == CChar(bitPattern: UInt8(ascii: "b")) ? UInt8(ascii: "!") : 0x01
                index += 1
            }
            bytes.append(byte)
        }
        return Word(bytes: bytes)
    }
}
