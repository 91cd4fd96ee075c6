import Testing

@testable import SealCheckCLI

@Suite("Colour is decided by the option, the environment and the terminal, in this order")
struct TerminalTests {
    private func isColored(_ choice: ColorChoice, onTerminal: Bool, _ environment: [String: String]) -> Bool {
        Terminal(environment: environment).isColored(choice, isTerminal: onTerminal)
    }

    @Test("the option wins over everything")
    func option() {
        for onTerminal in [false, true] {
            #expect(isColored(.always, onTerminal: onTerminal, ["NO_COLOR": "1", "TERM": "dumb"]))
            #expect(!isColored(.never, onTerminal: onTerminal, ["FORCE_COLOR": "1", "TERM": "xterm"]))
        }
    }

    @Test("the environment")
    func environment() {
        let table: [(environment: [String: String], onTerminal: Bool, inPipe: Bool)] = [
            (["TERM": "xterm"], true, false),
            ([:], false, false),
            (["TERM": ""], false, false),
            (["TERM": "dumb"], false, false),
            (["TERM": "xterm", "NO_COLOR": "1"], false, false),
            (["TERM": "xterm", "NO_COLOR": "0"], false, false),
            (["TERM": "xterm", "NO_COLOR": ""], true, false),
            (["CLICOLOR_FORCE": "1"], true, true),
            (["FORCE_COLOR": "yes"], true, true),
            (["FORCE_COLOR": "3", "TERM": "dumb"], true, true),
            (["TERM": "xterm", "FORCE_COLOR": "0"], true, false),
            (["TERM": "xterm", "FORCE_COLOR": "", "CLICOLOR_FORCE": "0"], true, false),
            (["FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"], true, true),
            (["FORCE_COLOR": "1", "NO_COLOR": "1"], false, false),
        ]
        for row in table {
            #expect(isColored(.auto, onTerminal: true, row.environment) == row.onTerminal, "\(row.environment)")
            #expect(isColored(.auto, onTerminal: false, row.environment) == row.inPipe, "\(row.environment)")
        }
    }

    @Test("a file is coloured only when that is asked for")
    func files() throws {
        let terminal = Terminal(outputIsTerminal: true, errorIsTerminal: false, environment: ["TERM": "xterm"])
        let console = Console(terminal: terminal)
        #expect(console.style(.auto).isColored)
        #expect(!console.errorStyle(.auto).isColored)
        let folder = try TemporaryFolder()
        let target = try folder.target("report")
        #expect(!console.style(.auto, for: target).isColored)
        #expect(console.style(.always, for: target).isColored)
    }
}
