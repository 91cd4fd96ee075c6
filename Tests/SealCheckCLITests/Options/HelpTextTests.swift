import Testing

@testable import SealCheckCLI

@Suite("Help is made from the tables")
struct HelpTextTests {
    private let rows = OptionTableTests.rows

    @Test("every option, choice, default and example is there", arguments: [40, 80, 100, 200])
    func complete(width: Int) {
        for row in rows {
            let text = HelpText(width: width).command(row).joined(separator: "\n")
            for option in row.allOptions {
                #expect(text.contains(option.usage))
                for choice in option.choices { #expect(text.contains(choice.word)) }
            }
            for example in row.examples { #expect(text.contains(example.command)) }
            for group in OptionGroup.allCases {
                #expect(text.contains("\(group.rawValue):") == row.allOptions.contains { $0.group == group })
            }
            for status in ExitCode.allCases { #expect(text.contains("\n  \(status.rawValue)   ")) }
        }
    }

    @Test("lines fit the terminal, up to a hundred columns")
    func width() {
        for row in rows {
            for (asked, allowed) in [(80, 80), (100, 100), (300, 100)] {
                #expect(HelpText(width: asked).command(row).allSatisfy { $0.count <= allowed })
                #expect(HelpText(width: asked).program(commands: rows).allSatisfy { $0.count <= allowed })
            }
        }
    }

    @Test("no line ends in a blank, and no two lines are empty")
    func tidy() {
        for lines in rows.map(HelpText(width: 80).command) + [HelpText(width: 80).program(commands: rows)] {
            #expect(lines.allSatisfy { $0.last != " " })
            #expect(!zip(lines, lines.dropFirst()).contains { $0.isEmpty && $1.isEmpty })
        }
    }

    @Test("the look of one command")
    func explain() {
        let expected = """
            Tell what a finding means, why it matters and what to do.

            Usage: sealcheck explain [OPTION]... ID
                   sealcheck explain [OPTION]... --all

              ID                      The identifier of a finding, as reports print it

            The report:
                  --all               List every finding there is, one a line
                  --format FORMAT     How the explanation is written [default: text]
                                      text  for people
                                      json  one object, indented

            General:
                  --color WHEN        Colours in text [default: auto]
                                      auto    on a terminal, unless the environment says
                                              otherwise
                                      always  also in files and pipes
                                      never   nowhere
                                      'auto' heeds NO_COLOR, then CLICOLOR_FORCE and
                                      FORCE_COLOR, then TERM=dumb, then whether the output
                                      is a terminal.
              -h, --help              Print this text and exit

            Examples:
              sealcheck explain resource-altered
                  Explain one finding
              sealcheck explain --all --format json
                  Print the whole catalogue for scripts

            Exit codes:
              0   as wanted (sealed; same; done)
              1   the answer is no (not sealed; differs)
              2   wrong usage, found before any work
              3   could not be checked, or a report could not be written
            """
        #expect(HelpText(width: 80).command(ExplainOptions.row).joined(separator: "\n") == expected)
    }
}
