import Foundation
import TestSupport
import Testing

@Suite struct WritingTests {
    @Test func everyKindOfItemReachesTheDisk() throws {
        let odd = RawPath(bytes: [0xFF, UInt8(ascii: "x")])
        let tree = FileTree([
            "a/b/file": .file([1, 2, 3], mode: 0o755), "a/link": .link("b/file"), "empty": .directory(mode: 0o700),
            "pipe": .fifo, odd: .text("odd"), "e\u{301}": .text("decomposed"), "é": .text("composed"),
        ])
        let folder = try TemporaryFolder()
        try tree.write(to: folder.url)
        let base = folder.url.path
        #expect(FileManager.default.contents(atPath: base + "/a/b/file") == Data([1, 2, 3]))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: base + "/a/link") == "b/file")
        #expect(try mode(base + "/a/b/file") == S_IFREG | 0o755)
        #expect(try mode(base + "/empty") == S_IFDIR | 0o700)
        #expect(try mode(base + "/pipe") == S_IFIFO | 0o644)
        let names = try #require(opendir(base))
        defer { closedir(names) }
        var count = 0
        while readdir(names) != nil { count += 1 }
        #expect(count == 2 + 6)
    }

    @Test func theFolderGoesAway() throws {
        var path = ""
        do {
            let folder = try TemporaryFolder()
            path = folder.url.path
            try FileTree([RawPath(bytes: [0xFE]): .text("x"), "locked/file": .text("y"), "locked": .directory(mode: 0)])
                .write(to: folder.url)
            #expect(FileManager.default.fileExists(atPath: path))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func theArchiveHoldsTheTree() throws {
        let bundle = try Demo.standard.sealed()
        let archive = bundle.archive()
        let files = archive.entries.filter { $0.name.last != UInt8(ascii: "/") }
        #expect(files.count == bundle.tree.items.count)
        #expect(archive.entries.first?.name == Array("Payload/".utf8))
        try #expect(archive.entries[archive.index(of: "Payload/Demo.app/Demo")].mode == 0o100755)
    }

    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode
    }
}
