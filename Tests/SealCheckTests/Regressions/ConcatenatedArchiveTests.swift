import TestSupport
import Testing

@testable import SealCheck

/// Two archives in one file. The second one's end record gives the offset of its directory as if nothing stood in front:
/// readers that take it at its word see the first archive, readers that look in front of the end record the second.
struct ConcatenatedArchiveTests {
    /// The demo with one stored resource that says `text`.
    private func archive(_ text: String) throws -> [UInt8] {
        var demo = Demo.standard
        demo.files.add("which.txt", text: text)
        var archive = try demo.sealed().archive()
        for index in archive.entries.indices { archive.entries[index].packing = .stored }
        return archive.build()
    }

    private func judge(_ bytes: [UInt8]) async throws -> Report {
        let folder = try ScratchFolder()
        return try await Verifier().verify(try folder.write("App.ipa", bytes))
    }

    @Test func firstIsNotTakenForTheWhole() async throws {
        let (first, second) = (try archive("one"), try archive("two"))
        #expect(first.count == second.count, "else the second one's offsets do not fit the first")
        #expect(try await judge(first).isSealed == true)
        let report = try await judge(first + second)
        #expect(report.isSealed == nil)
        #expect(report.outcome == .unchecked)
        #expect(report.problem?.id == "malformed-archive")
    }

    /// Bytes between the directory and its end record make the two readings possible, whatever they are.
    @Test func gapBeforeEndRecord() async throws {
        var bytes = try archive("one")
        bytes.insert(0, at: bytes.count - 22)
        #expect(try await judge(bytes).problem?.id == "malformed-archive")
    }
}
