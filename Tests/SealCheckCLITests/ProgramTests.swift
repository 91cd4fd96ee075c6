import SealCheck
import Testing

@testable import SealCheckCLI

/// A command that prints what it was given, with `verify`'s table.
private struct EchoCommand: Command {
    static var row: CommandRow { VerifyOptions.row }

    let paths: [Word]
    let format: FormatChoice
    let target: OutputTarget?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = try arguments.paths()
        format = arguments.choice(VerifyOptions.format)
        target = try arguments.outputTarget(CommonOptions.output, inputs: paths)
    }

    func run(_ console: Console) async throws(OutputFailure) -> ExitCode {
        let report = try console.report(to: target)
        for path in paths {
            switch format {
            case .text: report.line("\(path: path)")
            default:
                let text = PathText([BundlePath(bytes: path.bytes)])
                report.document(JSONWriter.document(["path": JSONValue(text.texts.first)], .compact))
            }
        }
        return paths.contains("bad") ? .no : .wanted
    }
}

@Suite("The program, from words to exit status")
struct ProgramTests {
    private func run(
        _ words: Word..., output: OutputWriter = OutputWriter()
    ) async -> (status: ExitCode, output: String, errors: String) {
        let console = Console(output: output)
        let status = await Program(commands: [EchoCommand.self], console: console).run(words)
        return (status, console.output.contents, console.errors.contents)
    }

    @Test("the answer is on standard output, and nothing else is")
    func answer() async {
        let run = await run("verify", "a", "b\u{1B}")
        #expect(run.status == .wanted)
        #expect(run.output == "a\nb\\x1B\n")
        #expect(run.errors.isEmpty)
        #expect(await self.run("verify", "bad").status == .no)
    }

    @Test("the list of all findings: one line each, below the name of its family")
    func overview() async {
        let console = Console(output: OutputWriter())
        let status = await Program(commands: [ExplainCommand.self], console: console).run(["explain", "--all"])
        #expect(status == .wanted)
        var family = ""
        var listed: [String: String] = [:]
        for line in console.output.contents.split(separator: "\n").dropLast() {
            if line.hasPrefix("  ") {
                listed[line.split(separator: " ").first.map(String.init) ?? "", default: ""] += family
            } else {
                family = String(line)
            }
        }
        let expected = Catalogue.rows.map { ($0.id.rawValue, $0.family.rawValue) }
        #expect(listed == Dictionary(expected, uniquingKeysWith: +))
    }

    @Test("machine formats")
    func machine() async {
        let run = await run("verify", "--format", "jsonl", Word(bytes: [0xFF]), "x")
        #expect(run.output == "{\"path\":\"%FF\"}\n{\"path\":\"x\"}\n")
    }

    @Test("usage errors: two lines on standard error, status 2, no work")
    func usage() async {
        let run = await run("verify", "--fromat", "json", "a")
        #expect(run.status == .usage)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                sealcheck verify: unknown option '--fromat'; did you mean '--format'?
                Try 'sealcheck verify --help'.

                """)
        #expect(await self.run("verify").errors.hasPrefix("sealcheck verify: no PATH given\n"))
        #expect(await self.run().status == .usage)
    }

    @Test("help and version are on standard output, status 0")
    func help() async {
        for words: [Word] in [["--help"], ["verify", "--help"], ["--version"]] {
            let console = Console()
            let status = await Program(commands: [EchoCommand.self], console: console).run(words)
            #expect(status == .wanted)
            #expect(!console.output.contents.isEmpty)
            #expect(console.errors.contents.isEmpty)
        }
        #expect(await run("--version").output.hasPrefix("sealcheck \(ToolVersion.current)\nlibcrypto "))
        #expect(await run("--help").output.contains("\n  verify                  Check that"))
    }

    @Test("a report that cannot be written is status 3, told on standard error")
    func unwritable() async {
        let run = await run("verify", "bad", output: OutputWriter(descriptor: -1, name: "standard output"))
        #expect(run.status == .unchecked)
        #expect(run.errors == "sealcheck: cannot write standard output: Bad file descriptor\n")
    }

    @Test("a file appears when the command is done")
    func file() async throws {
        let folder = try TemporaryFolder()
        let run = await run("verify", "a", "--output", folder.word("r"))
        #expect(run.status == .wanted)
        #expect(run.output.isEmpty)
        #expect(folder.read("r") == "a\n")
        #expect(await self.run("verify", "a", "--output", folder.word("no/r")).status == .usage)
        #expect(folder.names == ["r"])
    }

    @Test("statuses of several inputs: the largest")
    func combined() {
        #expect(ExitCode.combined([]) == .wanted)
        #expect(ExitCode.combined([.wanted, .no, .wanted]) == .no)
        #expect(ExitCode.combined([.unchecked, .no]) == .unchecked)
    }
}
