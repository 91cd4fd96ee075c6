import Foundation
import SealCheck
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import SealCheckCLI

@Suite("Report formats, through the program")
struct FormatTests {
    /// Runs `verify` in memory; what it prints, what it says beside, and its status.
    private func run(
        _ words: [Word], environment: [String: String] = [:]
    ) async -> (status: ExitCode, output: String, errors: String) {
        let console = Console(terminal: Terminal(environment: environment))
        let status = await Program(commands: [VerifyCommand.self], console: console).run(["verify"] + words)
        return (status, console.output.contents, console.errors.contents)
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// A clean app, and one with a file too many.
    private func apps(_ folder: TestSupport.TemporaryFolder) throws -> (clean: Word, broken: Word) {
        let clean = try Demo.standard.sealed().writeIPA(to: folder.url)
        let brokenURL = folder.url.appendingPathComponent("broken")
        try FileManager.default.createDirectory(at: brokenURL, withIntermediateDirectories: true)
        let broken = try Demo.standard.sealed().write(to: brokenURL)
        try Data("x".utf8).write(to: broken.appendingPathComponent("extra.txt"))
        return (Word(clean.path), Word(broken.path))
    }

    @Test("SARIF: an empty list when clean, one run for several inputs, an unread input is no clean run")
    func sarif() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let (clean, broken) = try apps(folder)
        func run1(_ words: Word...) async throws -> [String: Any] {
            let log = try object(await run(["--format", "sarif"] + words).output)
            let runs = try #require(log["runs"] as? [[String: Any]])
            #expect(runs.count == 1)
            return try #require(runs.first)
        }
        #expect((try await run1(clean)["results"] as? [Any])?.isEmpty == true)
        let both = try await run1(clean, broken)
        let results = try #require(both["results"] as? [[String: Any]])
        #expect(results.map { $0["ruleId"] as? String } == ["resource-added"])
        #expect(results.first?["level"] as? String == "error")
        #expect(both["automationDetails"] == nil)
        let named = try await run1("--sarif-category", "nightly", clean)
        #expect((named["automationDetails"] as? [String: Any])?["id"] as? String == "nightly")

        let unread = try await run1(Word(folder.url.path + "/none.ipa"))
        let invocation = try #require((unread["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        #expect((invocation["toolExecutionNotifications"] as? [Any])?.count == 1)
    }

    @Test("SARIF: what the policy allows is suppressed, with its reason")
    func suppressed() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let (_, broken) = try apps(folder)
        let policy = folder.url.appendingPathComponent("policy.json")
        try Data(
            #"{"schema": "sealcheck.policy/1", "allow": [{"finding": "resource-added", "reason": "known"}]}"#.utf8
        ).write(to: policy)
        let run = await run(["--format", "sarif", "--policy", Word(policy.path), broken])
        #expect(run.status == .wanted, "\(run.errors)")
        let runs = try #require(try object(run.output)["runs"] as? [[String: Any]])
        let results = try #require(runs.first?["results"] as? [[String: Any]])
        let suppression = (results.first?["suppressions"] as? [[String: Any]])?.first
        #expect(suppression?["kind"] as? String == "external")
        #expect(suppression?["justification"] as? String == "known")
    }

    @Test("JUnit: passing families are cases, a failing one holds finding and remedy")
    func junit() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let (clean, broken) = try apps(folder)
        let good = try XMLDocument(xmlString: await run(["--format", "junit", clean]).output)
        #expect(good.rootElement()?.attribute(forName: "failures")?.stringValue == "0")
        #expect(
            try good.nodes(forXPath: "//testcase[@name='pages']").count == 5, "one for each code object of the demo")
        #expect(try good.nodes(forXPath: "//failure | //error").isEmpty)
        let bad = try XMLDocument(xmlString: await run(["--format", "junit", broken]).output)
        let failures = try bad.nodes(forXPath: "//failure")
        #expect(failures.count == 1)
        #expect((failures.first as? XMLElement)?.attribute(forName: "type")?.stringValue == "resource-added")
        #expect(failures.first?.stringValue?.contains("fix: ") == true)
        let reported = try XMLDocument(
            xmlString: await run(["--format", "junit", "--fail-on", "never", broken]).output)
        #expect(try reported.nodes(forXPath: "//failure").isEmpty, "the run does not fail, so no case does")
        #expect(try reported.nodes(forXPath: "//system-out").count == 1)
    }

    @Test("GitHub: an annotation, and the summary is appended, not replaced")
    func github() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let (clean, broken) = try apps(folder)
        let summary = folder.url.appendingPathComponent("summary.md")
        try Data("before\n".utf8).write(to: summary)
        let environment = ["GITHUB_STEP_SUMMARY": summary.path, "GITHUB_WORKSPACE": folder.url.path]
        let run = await run(["--format", "github", clean, broken], environment: environment)
        #expect(run.status == .no)
        let commands = run.output.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(commands.count == 1)
        #expect(commands.first?.hasPrefix("::error title=") == true)
        #expect(commands.first?.contains(",file=broken/") == true, "relative to the workspace: \(commands)")
        let text = try String(contentsOf: summary, encoding: .utf8)
        #expect(text.hasPrefix("before\n## "))
        #expect(text.contains("✅") && text.contains("❌"))
        let unwritable = await self.run(
            ["--format", "github", clean], environment: ["GITHUB_STEP_SUMMARY": folder.url.path + "/no/summary.md"])
        #expect(unwritable.status == .unchecked, "a summary that cannot be written is told")
        #expect(unwritable.errors.contains("job summary"))
    }

    @Test("wrong words for further reports are told before any work")
    func usage() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let file = folder.url.path + "/r"
        for (words, message) in [
            (["--report", "sarif", "a"], "wants FORMAT=FILE"),
            (["--report", "sarfi=\(file)", "a"], "did you mean 'sarif'?"),
            (["--report", "github=\(file)", "a"], "belong in the log"),
            (["--report", "sarif=-", "a"], "'-' is not a FILE"),
            (["--report", "sarif=\(file)/x/y", "a"], "there is no folder"),
            (["--report", "sarif=\(file)", "--report", "junit=\(file)", "a"], "two reports cannot be one file"),
            (["--report", "sarif=\(file)", "--output", file, "a"], "two reports cannot be one file"),
            (["--report", "json=\(file)", "a", "b"], "takes one PATH"),
        ] {
            let run = await run(words.map { Word($0) })
            #expect(run.status == .usage)
            #expect(run.errors.contains(message), "\(words): \(run.errors)")
        }
    }

    @Test("references to files: relative, encoded by segment, no scheme by accident")
    func references() {
        func uri(_ input: String, _ kind: String, _ path: String) -> String {
            InputURI(input: Array(input.utf8), kind: kind).of(BundlePath(path))
        }
        #expect(uri("build/App.ipa", "ipa", "Payload/A.app/x y") == "build/App.ipa/Payload/A.app/x%20y")
        #expect(uri("./c:d.ipa", "ipa", "Payload/A.app") == "c%3Ad.ipa/Payload/A.app")
        #expect(uri("build/Demo.app/", "bundle", "Demo.app/Info.plist") == "build/Demo.app/Info.plist")
        #expect(uri("Demo.app", "bundle", "Demo.app/100%") == "Demo.app/100%25")
        #expect(uri("/tmp/Demo.app", "bundle", "Demo.app/a") == "file:///tmp/Demo.app/a")
        #expect(InputURI(input: Array("a".utf8), kind: "ipa").of(BundlePath(bytes: [0xFF])) == "a/%FF")
    }

    @Test("names in Markdown are never markup")
    func markdown() {
        #expect(MarkdownText.prose("a*b_c<d>|`e`") == "a\\*b\\_c&lt;d&gt;\\|\\`e\\`")
        #expect(MarkdownText.prose("@me http://x www.y") == "@<!-- -->me http:<!-- -->//x www<!-- -->.y")
        #expect(MarkdownText.prose("a\u{1B}b\nc") == "a\\\\x1Bb\\\\x0Ac")
        #expect(MarkdownText.code(Array("a`b".utf8)) == "``a`b``")
        #expect(MarkdownText.code(Array("`a".utf8)) == "`` `a ``")
        #expect(MarkdownText.code(Array("a|b".utf8), inTable: true) == "`a\\|b`")
    }
}
