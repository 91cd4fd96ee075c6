import Testing

@testable import SealCheckCLI

@Suite("The first word decides")
struct DispatcherTests {
    private let dispatcher = Dispatcher(
        commands: [VerifyOptions.row, ExplainOptions.row], exists: { ["App.ipa", "verify", "-"].contains($0) })

    private func asked(_ words: Word...) throws -> String {
        switch try dispatcher.request(for: words) {
        case .help(let row): "help \(row?.name ?? "-")"
        case .version: "version"
        case .run(let row, let arguments): "\(row.name) \(arguments.operands.compactMap(\.text))"
        }
    }

    private func refusal(_ words: Word...) -> String? {
        do {
            _ = try dispatcher.request(for: words)
            return nil
        } catch {
            return error.lines.map(\.rendered).joined(separator: " | ")
        }
    }

    @Test("commands")
    func commands() throws {
        #expect(try asked("verify", "a", "b") == "verify [\"a\", \"b\"]")
        #expect(try asked("verify", "verify") == "verify [\"verify\"]")
        #expect(try asked("explain", "--all") == "explain []")
    }

    @Test("a path that exists means verify, with everything that follows it")
    func implied() throws {
        #expect(try asked("App.ipa", "--format", "json", "b") == "verify [\"App.ipa\", \"b\"]")
        #expect(refusal("App.ipa", "--nonsense")?.hasPrefix("sealcheck verify: unknown option") == true)
    }

    @Test("a path that is missing means verify too, a bare word that is missing does not")
    func missing() throws {
        for path: Word in ["Gone.ipa", "build/Gone"] {
            #expect(try asked(path) == (try asked("verify", path)))
        }
        #expect(refusal("Gone")?.hasPrefix("sealcheck: unknown command 'Gone'") == true)
    }

    @Test("help and version")
    func help() throws {
        #expect(try asked("--help") == "help -")
        #expect(try asked("-h") == "help -")
        #expect(try asked("--help", "explain") == "help explain")
        #expect(try asked("--help", "nonsense") == "help -")
        #expect(try asked("help") == "help -")
        #expect(try asked("help", "explain") == "help explain")
        #expect(try asked("help", "--help") == "help -")
        #expect(try asked("verify", "--help") == "help verify")
        #expect(try asked("App.ipa", "-h") == "help verify")
        #expect(try asked("--version") == "version")
        #expect(try asked("verify", "--", "--help") == "verify [\"--help\"]")
    }

    @Test("what is neither")
    func refusals() {
        let pointer = " | Try 'sealcheck --help'."
        #expect(refusal() == "sealcheck: no command given" + pointer)
        #expect(refusal("verfy", "a") == "sealcheck: unknown command 'verfy'; did you mean 'verify'?" + pointer)
        #expect(refusal("frobnicate") == "sealcheck: unknown command 'frobnicate'" + pointer)
        #expect(refusal("help", "verfy") == "sealcheck: unknown command 'verfy'; did you mean 'verify'?" + pointer)
        #expect(
            refusal("--format", "json")
                == "sealcheck: '--format' belongs after a command: sealcheck verify --format ..." + pointer)
        #expect(refusal("-q") == "sealcheck: '-q' belongs after a command: sealcheck verify -q ..." + pointer)
        #expect(
            refusal("--verson")
                == "sealcheck: the first word must be a command, not '--verson'; did you mean '--version'?" + pointer)
        #expect(refusal("-")?.hasPrefix("sealcheck: '-' (standard input) is not a PATH") == true)
        #expect(refusal("")?.hasPrefix("sealcheck: unknown command ''") == true)
        #expect(refusal("::x\u{1B}")?.hasPrefix("sealcheck: unknown command '\\x3A:x\\x1B'") == true)
    }

    @Test("the first error is told, and its command's help pointed to")
    func order() {
        #expect(refusal("explain", "--formt", "--x")?.hasSuffix(" | Try 'sealcheck explain --help'.") == true)
    }
}
