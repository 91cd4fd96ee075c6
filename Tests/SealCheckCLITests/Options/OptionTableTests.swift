import Testing

@testable import SealCheckCLI

/// Properties that every row has to have, so that help, manual pages and completions can rely on them. New commands are
/// added to the list here.
@Suite("The tables of options are sound")
struct OptionTableTests {
    static let rows: [CommandRow] = [VerifyOptions.row, ExplainOptions.row, PolicyOptions.row]

    @Test("every command of the tool is looked at here")
    func complete() {
        let names = Self.rows.map(\.name)
        #expect(Set(names).count == names.count)
        for command in CommandList.all { #expect(names.contains(command.row.name)) }
    }

    @Test("names", arguments: rows.map(\.name))
    func names(name: String) throws {
        let row = try #require(Self.rows.first { $0.name == name })
        #expect(row.name.wholeMatch(of: #/[a-z]+(-[a-z]+)*/#) != nil)
        let longs = row.allOptions.map(\.long)
        #expect(Set(longs).count == longs.count)
        for long in longs { #expect(long.wholeMatch(of: #/[a-z]+(-[a-z0-9]+)*/#) != nil) }
        let shorts = row.allOptions.compactMap(\.short)
        #expect(Set(shorts).count == shorts.count)
        for short in shorts { #expect(short.isASCII && (short.isLetter || short.isNumber)) }
    }

    @Test("help", arguments: rows.map(\.name))
    func help(name: String) throws {
        let row = try #require(Self.rows.first { $0.name == name })
        #expect(!row.synopses.isEmpty)
        #expect(!row.examples.isEmpty)
        for example in row.examples { #expect(example.command.hasPrefix("sealcheck \(row.name) ")) }
        for line in [row.summary] + row.allOptions.map(\.help) + row.operands.map(\.help) {
            #expect(!line.isEmpty && !line.hasSuffix(".") && !line.contains("\n"))
            #expect(line.first?.isUppercase == true)
        }
        for details in row.allOptions.map(\.details) where !details.isEmpty { #expect(details.hasSuffix(".")) }
        // Help and error messages are read on every terminal.
        #expect(HelpText(width: 80).command(row).allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
    }

    @Test("choices", arguments: rows.map(\.name))
    func choices(name: String) throws {
        let row = try #require(Self.rows.first { $0.name == name })
        for option in row.options {
            let words = option.choices.map(\.word)
            #expect(Set(words).count == words.count)
            if let placeholder = option.argument.placeholder {
                #expect(placeholder.wholeMatch(of: #/[A-Z]+(=[A-Z]+)?/#) != nil)
            }
            guard case .choice = option.argument else { continue }
            #expect(words.count > 1)
            #expect(words.contains(option.defaultText ?? ""))
            for choice in option.choices { #expect(!choice.help.isEmpty && !choice.help.hasSuffix(".")) }
        }
    }

    @Test("examples parse")
    func examples() throws {
        let dispatcher = Dispatcher(commands: Self.rows, exists: { _ in false })
        for example in Self.rows.flatMap(\.examples) {
            let words = example.command.split(separator: " ").dropFirst().map { Word(String($0)) }
            guard case .run = try dispatcher.request(for: words) else {
                Issue.record("not a run: \(example.command)")
                continue
            }
        }
    }
}
