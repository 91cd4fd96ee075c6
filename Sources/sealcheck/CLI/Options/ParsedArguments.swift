/// What was typed after a command's name: checked word by word against its table, in order, not yet interpreted.
///
/// A command turns this into its own settings in `init(_:)`, where it also checks what no table can say (options that
/// exclude each other, paths that must exist), so that every usage error is told before any work.
struct ParsedArguments: Sendable {
    /// One option as it was typed.
    struct Occurrence: Sendable {
        /// The option's long name.
        var long: String
        /// Its argument, already found to be within the range or among the choices; nil for a flag.
        var value: Word?
    }

    let command: CommandRow
    let occurrences: [Occurrence]
    let operands: [Word]

    /// Whether the option was given at all.
    func has(_ option: OptionRow) -> Bool { occurrences.contains { $0.long == option.long } }

    /// Every argument of the option, in order.
    func values(_ option: OptionRow) -> [Word] {
        occurrences.compactMap { $0.long == option.long ? $0.value : nil }
    }

    /// The option's last argument, or nil where it was not given.
    func value(_ option: OptionRow) -> Word? { values(option).last }

    /// The option's last argument as text.
    ///
    /// - Throws: a usage error where it is not UTF-8. Files are asked for with ``value(_:)``: their names may be any bytes.
    func text(_ option: OptionRow) throws(UsageError) -> String? {
        guard let word = value(option) else { return nil }
        guard let text = word.text else { throw error("the argument of '\(option.spelling)' is not UTF-8: '\(word)'") }
        return text
    }

    /// The option's last argument as a number, or nil where it was not given. The parser checked the range.
    func integer(_ option: OptionRow) -> Int? { value(option)?.text.flatMap { Int($0) } }

    /// The word that was chosen, or the default.
    func choice<Value: OptionChoice>(_ option: ChoiceOption<Value>) -> Value {
        value(option.row)?.text.flatMap(Value.init(rawValue:)) ?? option.fallback
    }

    /// A usage error that points to this command's help.
    func error(_ message: InertText) -> UsageError { UsageError(message, command: command.name) }

    /// The operands, when there are as many as the command takes.
    ///
    /// - Parameter placeholder: what one is called in the synopsis.
    /// - Throws: a usage error that says how many are missing or too many, or that one is empty.
    func operands(_ count: ClosedRange<Int>, _ placeholder: String) throws(UsageError) -> [Word] {
        if operands.isEmpty, count.lowerBound > 0 { throw error("no \(placeholder) given") }
        if operands.count < count.lowerBound {
            throw error("\(count.lowerBound) of \(placeholder) needed, \(operands.count) given")
        }
        if operands.count > count.upperBound {
            throw error("unexpected argument '\(operands[count.upperBound])'")
        }
        if operands.contains(where: \.isEmpty) { throw error("an empty \(placeholder)") }
        return operands
    }

    /// The operands as paths of inputs.
    ///
    /// - Throws: as ``operands(_:_:)``; and for `-`, because an archive cannot be read from a pipe.
    func paths(_ count: ClosedRange<Int> = 1...Int.max, _ placeholder: String = "PATH") throws(UsageError) -> [Word] {
        let paths = try operands(count, placeholder)
        if paths.contains("-") { throw error(Dispatcher.standardInput(placeholder)) }
        return paths
    }

    /// The file that `--output` names, or nil for standard output.
    ///
    /// - Parameter inputs: what the command reads; the report must not replace or change it.
    /// - Throws: a usage error where nothing can be written there.
    func outputTarget(_ option: OptionRow, inputs: [Word]) throws(UsageError) -> OutputTarget? {
        guard let word = value(option) else { return nil }
        return try OutputTarget(word, option: option, inputs: inputs, of: self)
    }
}
