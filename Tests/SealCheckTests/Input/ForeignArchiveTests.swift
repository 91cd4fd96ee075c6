import Foundation
import Testing

@testable import SealCheck

private func has(_ program: String) -> Bool { ScratchFolder.program(program) != nil }

/// Archives from other people's packers, as far as these are installed.
@Suite struct ForeignArchiveTests {
    private static let samples = Sample.bundle

    private func check(
        _ program: String, _ arguments: [String], without left: Set<String> = [], wholeEntryBytes: UInt64 = 1_000
    ) throws {
        let program = try #require(ScratchFolder.program(program))
        let folder = try ScratchFolder()
        try Sample.write(Self.samples, into: folder)
        let status = try ScratchFolder.run(program, arguments, in: folder.path)
        try #require(status == 0)
        var limits = Limits.standard
        limits.wholeEntryBytes = wholeEntryBytes
        let tree = try archiveTree(at: folder("out.zip"), limits: limits)
        try checkBundleTree(tree, holds: Self.samples.filter { !left.contains($0.path) })
    }

    @Test(.enabled(if: has("zip"))) func infoZip() throws { try check("zip", ["-qry", "out.zip", "Demo.app"]) }
    @Test(.enabled(if: has("zip"))) func infoZipStored() throws { try check("zip", ["-qry0", "out.zip", "Demo.app"]) }
    @Test(.enabled(if: has("zip"))) func infoZipWithoutFolders() throws {
        try check("zip", ["-qryD", "out.zip", "Demo.app"], without: ["Demo.app/nothing"])
    }
    @Test(.enabled(if: has("zip"))) func infoZip64() throws {
        try check("zip", ["-qry", "-fz", "out.zip", "Demo.app"])
    }
    @Test(.enabled(if: has("zip"))) func infoZipFromAPipe() throws {
        try check("sh", ["-c", "zip -qry - Demo.app | cat > out.zip"])
    }
    @Test(.enabled(if: has("7z"))) func sevenZip() throws {
        try check("7z", ["a", "-tzip", "-snl", "out.zip", "Demo.app"])
    }
    @Test(.enabled(if: has("bsdtar"))) func bsdtar() throws {
        try check("bsdtar", ["-cf", "out.zip", "--format", "zip", "Demo.app"])
    }
    @Test(.enabled(if: has("ditto"))) func ditto() throws {
        try check("ditto", ["-c", "-k", "--norsrc", "--keepParent", "Demo.app", "out.zip"])
    }
}
