import Foundation
import Testing

@testable import SealCheckCLI

@Suite("A report file appears whole or not at all")
struct OutputFileTests {
    init() { Posix.prepareProcess() }

    private func refusal(_ body: () throws(UsageError) -> OutputTarget) -> String? {
        do throws(UsageError) {
            _ = try body()
            return nil
        } catch {
            return error.message.rendered
        }
    }

    @Test("written beside, then moved")
    func moved() throws {
        let folder = try TemporaryFolder()
        let file = try OutputFile(try folder.target("r.json"))
        try file.append(Array("one ".utf8))
        #expect(folder.names.count == 1)
        #expect(folder.names.first?.hasPrefix(".sealcheck-") == true)
        try file.append(Array("two".utf8))
        try file.commit()
        try file.commit()
        #expect(folder.names == ["r.json"])
        #expect(folder.read("r.json") == "one two")
    }

    @Test("an empty report is a file too")
    func empty() throws {
        let folder = try TemporaryFolder()
        try OutputFile(try folder.target("r")).commit()
        #expect(folder.read("r")?.isEmpty == true)
    }

    @Test("the permissions are what the user's mask leaves")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let file = try OutputFile(try folder.target("r"))
        try file.commit()
        try folder.write("x", to: "reference")
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.posixPermissions] as? Int
        }
        #expect(try mode("r") == mode("reference"))
    }

    @Test("checking the target touches nothing; the earlier report goes when the work begins")
    func earlier() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "r")
        let target = try folder.target("r")
        #expect(folder.read("r") == "old")
        let file = try OutputFile(target)
        #expect(folder.names.isEmpty)
        try file.append([0x61])
        file.discard()
        #expect(folder.names.isEmpty)
    }

    @Test("a file that is given up leaves nothing")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try OutputFile(try folder.target("r"))
            try file.append([0x61])
        }
        #expect(folder.names.isEmpty)
    }

    @Test("a link stays a link")
    func link() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("real")
        try folder.write("old", to: "real/r")
        try folder.makeLink("r", to: "real/r")
        let file = try OutputFile(try folder.target("r"))
        try file.append(Array("new".utf8))
        try file.commit()
        #expect(folder.read("real/r") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/r") == "real/r")
    }

    @Test("a device is written to and not replaced")
    func device() throws {
        let folder = try TemporaryFolder()
        let target = try folder.target("/dev/null")
        #expect(target.method == .writeThrough)
        let file = try OutputFile(target)
        try file.append([0x61])
        try file.commit()
        #expect(Posix.status(of: "/dev/null")?.kind == .special)
    }

    @Test("what cannot be written to is a usage error")
    func refused() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("d")
        try folder.write("x", to: "f")
        #expect(refusal { () throws(UsageError) in try folder.target("d") }?.hasSuffix("/d is a folder") == true)
        #expect(refusal { () throws(UsageError) in try folder.target("new/") }?.hasSuffix("/new/ is a folder") == true)
        #expect(
            refusal { () throws(UsageError) in try folder.target("no/r") }?.contains("there is no folder for") == true)
        #expect(
            refusal { () throws(UsageError) in try folder.target("f/r") }?.contains("there is no folder for") == true)
        #expect(
            refusal { () throws(UsageError) in try folder.target("-") }?.hasPrefix("'--output': '-' is not a FILE")
                == true)
    }

    @Test("a report never replaces an input, nor lies inside one")
    func inputs() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("A.app/Sub")
        try folder.write("x", to: "a.ipa")
        try folder.makeLink("b.ipa", to: "a.ipa")
        func refused(_ name: String, _ input: String) -> String? {
            refusal { () throws(UsageError) in try folder.target(name, inputs: [input]) }
        }
        #expect(refused("a.ipa", "a.ipa")?.hasSuffix("is also the input") == true)
        #expect(refused("b.ipa", "a.ipa")?.hasSuffix("is also the input") == true)
        #expect(refused("A.app/r", "A.app")?.contains("lies inside the input") == true)
        #expect(refused("A.app/Sub/r", "A.app/")?.contains("lies inside the input") == true)
        #expect(refused("A.app2", "A.app") == nil)
        #expect(refused("r", "gone") == nil)
        #expect(folder.read("a.ipa") == "x")
    }

    @Test("a stale temporary file of another process is left alone")
    func stale() throws {
        let folder = try TemporaryFolder()
        let target = try folder.target("r")
        let stale = try #require(target.temporaryPath(0).text)
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: stale))
        let file = try OutputFile(target)
        try file.append([0x61])
        try file.commit()
        #expect(folder.read("r") == "a")
        #expect(FileManager.default.contents(atPath: stale) == Data("theirs".utf8))
    }

    @Test("a failed move leaves nothing and says so")
    func failedMove() throws {
        let folder = try TemporaryFolder()
        let file = try OutputFile(try folder.target("r"))
        try file.append([0x61])
        try folder.makeFolder("r")
        let error = #expect(throws: OutputFailure.self) { try file.commit() }
        #expect(error?.message.rendered.hasPrefix("cannot move the report to ") == true)
        #expect(folder.names == ["r"])
    }

    @Test("an interrupt removes the temporary file and kills by that signal")
    func interrupt() async throws {
        // A folder of this process's own: two runs of the tests may be at work on one machine.
        let place = FileManager.default.temporaryDirectory.path + "/sealcheck-interrupt-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        await #expect(processExitsWith: .signal(SIGINT)) { [place = place as String] in
            signal(SIGINT, SIG_DFL)
            Interruption.install()
            let path = place + "/r"
            let arguments = ParsedArguments(command: VerifyOptions.row, occurrences: [], operands: [])
            let target = try OutputTarget(Word(path), option: CommonOptions.output, inputs: [], of: arguments)
            let file = try OutputFile(target)
            try file.append([0x61])
            try #require(Posix.exists(target.temporaryPath(0)))
            // Not `raise`: the threads of tests have signals blocked, the process has not.
            kill(getpid(), SIGINT)
            sleep(10)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }

    @Test("an ignored signal stays ignored")
    func ignored() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            Interruption.install()
            kill(getpid(), SIGHUP)
            usleep(50_000)
            exit(EXIT_SUCCESS)
        }
    }
}
