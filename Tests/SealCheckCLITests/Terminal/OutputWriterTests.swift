import Foundation
import Testing

@testable import SealCheckCLI

@Suite("Writing: buffered, quiet about closed pipes, loud about full disks")
struct OutputWriterTests {
    init() { Posix.prepareProcess() }

    @Test("lines and documents arrive in order")
    func order() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.path + "/out", O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { _ = Posix.close(descriptor) }
        let writer = OutputWriter(descriptor: descriptor, name: "out", bufferSize: 8)
        writer.line("a")
        #expect(folder.read("out")?.isEmpty == true)
        writer.document(Array("{\"b\":1}\n".utf8))
        #expect(folder.read("out") == "a\n{\"b\":1}\n")
        writer.line()
        writer.line("\(7)")
        try writer.finish()
        #expect(folder.read("out") == "a\n{\"b\":1}\n\n7\n")
    }

    @Test("a closed pipe ends the writing without a word")
    func closedPipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        _ = Posix.close(ends[0])
        defer { _ = Posix.close(ends[1]) }
        let writer = OutputWriter(descriptor: ends[1], name: "out", bufferSize: 0)
        #expect(writer.isOpen)
        writer.line("x")
        #expect(!writer.isOpen)
        writer.line("y")
        try writer.finish()
    }

    @Test("a slow reader of a non-blocking pipe gets everything")
    func nonBlocking() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        try #require(fcntl(output, F_SETFL, O_NONBLOCK) == 0)
        let reader = Task.detached {
            var total = 0
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(input, &buffer, buffer.count)
                if count <= 0 { return total }
                total += count
            }
        }
        let writer = OutputWriter(descriptor: output, name: "out")
        writer.document([UInt8](repeating: 0x61, count: 1 << 20))
        try writer.finish()
        _ = Posix.close(output)
        #expect(await reader.value == 1 << 20)
        _ = Posix.close(input)
    }

    @Test("a bad descriptor is a failure that says what and why")
    func failure() {
        let writer = OutputWriter(descriptor: -1, name: "standard output", bufferSize: 0)
        writer.line("x")
        writer.line("y")
        let error = #expect(throws: OutputFailure.self) { try writer.finish() }
        #expect(error?.message.rendered == "cannot write standard output: Bad file descriptor")
    }

    #if os(Linux)
        @Test("a full disk is a failure")
        func fullDisk() throws {
            let descriptor = open("/dev/full", O_WRONLY)
            try #require(descriptor >= 0)
            defer { _ = Posix.close(descriptor) }
            let writer = OutputWriter(descriptor: descriptor, name: "out")
            writer.line("x")
            let error = #expect(throws: OutputFailure.self) { try writer.finish() }
            #expect(error?.errno == ENOSPC)
        }
    #endif

    @Test("every file is finished, though an earlier one failed")
    func all() throws {
        let folder = try TemporaryFolder()
        let console = Console()
        let first = try console.report(to: try folder.target("first"))
        let second = try console.report(to: try folder.target("second"))
        first.line("1")
        second.line("2")
        console.output.line("3")
        try folder.makeFolder("first")
        let error = #expect(throws: OutputFailure.self) { try console.finish() }
        #expect(error?.message.rendered.contains("/first: ") == true)
        #expect(folder.names == ["first", "second"])
        #expect(folder.read("second") == "2\n")
        #expect(console.output.contents == "3\n")
    }
}
