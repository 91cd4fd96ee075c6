import Testing

@testable import SealCheckCLI

@Suite("Words become arguments, or a usage error")
struct ParserTests {
    /// A table with every kind of option.
    private static let tag = OptionRow(
        "tag", "t", .text(placeholder: "TEXT"), repeatable: true, in: .report, help: "Tag")
    private static let row = CommandRow(
        name: "try", synopses: [""], summary: "Try", description: "", operands: [],
        options: [
            VerifyOptions.profile.row, VerifyOptions.format.row, CommonOptions.output, CommonOptions.jobs,
            CommonOptions.quiet, CommonOptions.verbose, VerifyOptions.all, tag,
        ],
        examples: [])

    private func parse(_ words: [Word]) throws -> ParsedArguments {
        guard case .arguments(let arguments) = try Parser(command: Self.row).parse(words) else {
            throw UsageError("help")
        }
        return arguments
    }

    private func refusal(_ words: Word...) -> String? {
        do {
            _ = try Parser(command: Self.row).parse(words)
            return nil
        } catch {
            return error.message.rendered
        }
    }

    @Test("options and operands in any order, options kept in theirs")
    func order() throws {
        let arguments = try parse(["a", "-qt", "1", "b", "--tag=2", "--jobs", "3", "-t3", "--", "--quiet", "--"])
        #expect(arguments.operands == ["a", "b", "--quiet", "--"])
        #expect(arguments.occurrences.map(\.long) == ["quiet", "tag", "tag", "jobs", "tag"])
        #expect(arguments.values(Self.tag) == ["1", "2", "3"])
        #expect(arguments.integer(CommonOptions.jobs) == 3)
        #expect(arguments.has(CommonOptions.quiet))
        #expect(!arguments.has(CommonOptions.verbose))
        #expect(arguments.value(CommonOptions.output) == nil)
    }

    @Test("the last of an option that is not repeatable counts")
    func last() throws {
        let arguments = try parse(["--format", "json", "--format", "text"])
        #expect(arguments.choice(VerifyOptions.format) == .text)
    }

    @Test("a choice has its default when it is not given")
    func defaults() throws {
        #expect(try parse([]).choice(VerifyOptions.profile) == .adhoc)
        #expect(try parse(["--profile", "integrity"]).choice(VerifyOptions.profile) == .integrity)
    }

    @Test("a lone dash and the empty word are operands")
    func oddOperands() throws {
        #expect(try parse(["-", "", "--", "-"]).operands == ["-", "", "-"])
    }

    @Test("words are bytes, and popt's own substitution is out of reach")
    func bytes() throws {
        let odd = Word(bytes: [0xFF, 0x01, 0x21, 0x0A, 0x80])
        let arguments = try parse([odd, "--output", "a!#:+b", "--tag", odd, "-t", "!\u{1}"])
        #expect(arguments.operands == [odd])
        #expect(arguments.value(CommonOptions.output) == "a!#:+b")
        #expect(arguments.values(Self.tag) == [odd, "!\u{1}"])
    }

    @Test("--help ends the reading, also before what would be refused")
    func help() throws {
        guard case .help = try Parser(command: Self.row).parse(["--quiet", "-h", "--nonsense"]) else {
            Issue.record("no help")
            return
        }
    }

    @Test("unknown options, with what was probably meant")
    func unknown() {
        #expect(refusal("--fromat", "json") == "unknown option '--fromat'; did you mean '--format'?")
        #expect(refusal("--formt=json") == "unknown option '--formt'; did you mean '--format'?")
        #expect(refusal("--form", "json") == "unknown option '--form'; did you mean '--format'?")
        #expect(refusal("--xyzzy") == "unknown option '--xyzzy'")
        #expect(refusal("-x") == "unknown option '-x'")
        #expect(refusal("-qxv") == "unknown option '-x' in '-qxv'")
        #expect(refusal("-quiet") == "unknown option '-u' in '-quiet'; did you mean '--quiet'?")
        #expect(refusal("--=x") == "unknown option '--'")
        #expect(refusal("---") == "unknown option '---'")
        #expect(refusal(Word(bytes: [0x2D, 0x2D, 0xFF, 0x1B])) == "unknown option '--\\xFF\\x1B'")
    }

    /// What `--format` accepts, as a sentence has it.
    private let formats = "text, json, jsonl, markdown, sarif, junit or github"

    @Test("choices, with what would be accepted")
    func choices() {
        #expect(
            refusal("--format", "jsno") == "'--format' is \(formats), not 'jsno'; did you mean 'json'?")
        #expect(refusal("--format", "yaml") == "'--format' is \(formats), not 'yaml'")
        #expect(refusal("--format=") == "'--format' is \(formats), not ''")
        #expect(refusal("--format", "JSON") == "'--format' is \(formats), not 'JSON'; did you mean 'json'?")
    }

    @Test("missing, empty and unwanted arguments")
    func arguments() {
        #expect(refusal("--format") == "'--format' needs one of \(formats)")
        #expect(refusal("--output") == "'--output' needs an argument (FILE)")
        #expect(refusal("-t") == "'-t' needs an argument (TEXT)")
        #expect(refusal("--output=") == "the FILE of '--output' is empty")
        #expect(refusal("--output", "") == "the FILE of '--output' is empty")
        #expect(refusal("--quiet=yes") == "'--quiet' takes no argument")
        #expect(refusal("-q=1") == "'-q' takes no argument")
    }

    @Test("an option is not taken for the argument of another, unless that is spelt out")
    func swallowed() throws {
        #expect(
            refusal("--output", "--all", "x")
                == "'--output' needs an argument (FILE), but the option '--all' follows it")
        #expect(refusal("-t", "-q") == "'--tag' needs an argument (TEXT), but the option '-q' follows it")
        #expect(try parse(["--output=--all"]).value(CommonOptions.output) == "--all")
        #expect(try parse(["--output", "-x-"]).value(CommonOptions.output) == "-x-")
    }

    @Test("numbers within their range")
    func numbers() throws {
        let needs = "'--jobs' needs a whole number from 1 to 256 (N), not"
        for word in ["0", "257", "-1", "+4", "4x", " 4", "", "1e2", "99999999999999999999"] {
            #expect(refusal("--jobs", Word(word)) == "\(needs) '\(word)'")
        }
        #expect(try parse(["--jobs=256"]).integer(CommonOptions.jobs) == 256)
    }

    @Test("a usage error points to the help of its command")
    func pointer() {
        #expect(UsageError("no").lines.map(\.rendered) == ["sealcheck: no", "Try 'sealcheck --help'."])
        let error = UsageError("no", command: "verify")
        #expect(error.lines.map(\.rendered) == ["sealcheck verify: no", "Try 'sealcheck verify --help'."])
    }

    @Test("operands are counted, and standard input is no path")
    func operands() throws {
        func refusal(_ words: [Word], _ count: ClosedRange<Int>) throws -> String? {
            let arguments = try parse(words)
            do {
                _ = try arguments.paths(count)
                return nil
            } catch {
                return error.message.rendered
            }
        }
        #expect(try refusal([], 1...Int.max) == "no PATH given")
        #expect(try refusal(["a"], 2...2) == "2 of PATH needed, 1 given")
        #expect(try refusal(["a", "b", "c"], 2...2) == "unexpected argument 'c'")
        #expect(try refusal(["a", ""], 1...Int.max) == "an empty PATH")
        #expect(try refusal(["-"], 1...1)?.hasPrefix("'-' (standard input) is not a PATH") == true)
        #expect(try refusal(["./-"], 1...1) == nil)
        #expect(try refusal([], 0...1) == nil)
    }

    @Test("text that must be UTF-8")
    func text() throws {
        #expect(try parse(["-té"]).text(Self.tag) == "é")
        #expect(try parse([]).text(Self.tag) == nil)
        let arguments = try parse(["--tag", Word(bytes: [0xFF])])
        let error = #expect(throws: UsageError.self) { try arguments.text(Self.tag) }
        #expect(error?.message.rendered == "the argument of '--tag' is not UTF-8: '\\xFF'")
    }
}
