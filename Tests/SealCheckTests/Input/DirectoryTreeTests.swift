import Foundation
import Testing

@testable import SealCheck

/// What only a folder on disk can do.
@Suite struct DirectoryTreeTests {
    @Test func linksAreNeverFollowed() throws {
        let folder = try ScratchFolder()
        try folder.write("outside/secret", "s")
        try folder.write("Demo.app/a/file", "f")
        try folder.makeLink("Demo.app/self", to: ".")
        try folder.makeLink("Demo.app/a/up", to: "..")
        try folder.makeLink("Demo.app/a/round", to: "round")
        try folder.makeLink("Demo.app/out", to: "../outside")
        try folder.makeLink("Demo.app/root", to: "/")
        let tree = try directoryTree(at: folder("Demo.app"))
        #expect(
            tree.paths == [
                "Demo.app", "Demo.app/a", "Demo.app/a/file", "Demo.app/a/round", "Demo.app/a/up", "Demo.app/out",
                "Demo.app/root", "Demo.app/self",
            ])
        let reader = try tree.makeReader()
        #expect(try reader.linkTarget(of: try #require(tree.entry("Demo.app/root"))) == Array("/".utf8))

        // Paths that lead through a link are refused, whoever made them up.
        for path: BundlePath in ["Demo.app/out/secret", "Demo.app/self/a/file", "Demo.app/root/etc/passwd"] {
            let entry = TreeEntry(path: path, kind: .file, mode: nil, size: nil)
            #expect(throws: ReadFault.changed, "\(path)") { try reader.open(entry) }
        }
    }

    /// Whatever is put in the place of a file or a folder after the listing, nothing outside is read.
    @Test func whatIsSwappedInLeadsNowhere() throws {
        let folder = try ScratchFolder()
        try folder.write("outside/file", "outside")
        try folder.write("Demo.app/a/file", "inside")
        try folder.write("Demo.app/b/file", "inside")
        try folder.write("Demo.app/c", "inside")
        try folder.write("Demo.app/d", "inside")
        let tree = try directoryTree(at: folder("Demo.app"))
        let reader = try tree.makeReader()
        let entry = try #require(tree.entry("Demo.app/a/file"))
        #expect(try reader.open(entry).all() == Array("inside".utf8))

        let script = """
            mv a a2 && ln -s ../outside a && mv b b2 && ln -s ../outside b && rm c && ln -s ../outside/file c \
            && rm d && mkfifo d
            """
        #expect(try ScratchFolder.run("/bin/sh", ["-c", script], in: folder("Demo.app")) == 0)
        #expect(try reader.open(entry).all() == Array("inside".utf8), "by the folder that is still open")
        for path: BundlePath in ["Demo.app/b/file", "Demo.app/c", "Demo.app/d"] {
            #expect(throws: ReadFault.changed, "\(path)") { try reader.open(try #require(tree.entry(path))) }
        }
        #expect(throws: ReadFault.changed, "a reader of its own") { try tree.contents("Demo.app/a/file") }
    }

    @Test(.timeLimit(.minutes(1))) func oddThingsAreListedAndNotOpened() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("Demo.app")
        try ScratchFolder.run("/usr/bin/env", ["mkfifo", folder("Demo.app/pipe")])
        let tree = try directoryTree(at: folder("Demo.app"))
        let pipe = try #require(tree.entry("Demo.app/pipe"))
        #expect(pipe.kind == .other("FIFO"))
        let reader = try tree.makeReader()
        #expect(throws: ReadFault.notAFile) { try reader.open(pipe) }

        // Even taken for a file, a FIFO that nobody writes to does not make the reader wait.
        let disguised = TreeEntry(path: pipe.path, kind: .file, mode: nil, size: nil)
        #expect(throws: ReadFault.changed) { try reader.open(disguised) }
    }

    @Test func limits() throws {
        let folder = try ScratchFolder()
        try folder.write("a.app/b/c/d", "1234")
        try folder.makeLink("a.app/l", to: "12345")
        func outcome(_ change: (inout Limits) -> Void) -> ReadFault? {
            var limits = Limits.standard
            change(&limits)
            do throws(any Error) {
                let tree = try directoryTree(at: folder("a.app"), limits: limits)
                _ = try tree.contents("a.app/b/c/d")
                _ = try tree.makeReader().linkTarget(of: try #require(tree.entry("a.app/l")))
                return nil
            } catch {
                return error as? ReadFault
            }
        }
        #expect(outcome { $0.entries = 5 } == nil)
        #expect(outcome { $0.entries = 4 } == .exceeded("entries in the input", 5, 4))
        #expect(outcome { $0.entries = 0 } == .exceeded("entries in the input", 1, 0))
        #expect(outcome { $0.pathDepth = 4 } == nil)
        #expect(outcome { $0.pathDepth = 3 } == .exceeded("components of one path", 4, 3))
        #expect(outcome { $0.pathBytes = 11 } == nil)
        #expect(outcome { $0.pathBytes = 10 } == .exceeded("bytes of one path", 11, 10))
        #expect(outcome { $0.fileBytes = 4 } == nil)
        #expect(outcome { $0.fileBytes = 3 } == .exceeded("bytes of one file", 4, 3))
        #expect(outcome { $0.linkBytes = 5 } == nil)
        #expect(outcome { $0.linkBytes = 4 } == .exceeded("bytes of a symbolic link", 5, 4))
    }

    /// Deeper than the descriptors that a reader keeps.
    @Test func deepFolders() throws {
        let folder = try ScratchFolder()
        var path = "Demo.app"
        for level in 0..<60 { path += "/\(level)" }
        try folder.write("\(path)/file", "deep")
        try folder.write("\(path)/g/file", "deeper")
        let tree = try directoryTree(at: folder("Demo.app"))
        let reader = try tree.makeReader()
        for _ in 1...2 {
            for (name, text) in [("file", "deep"), ("g/file", "deeper")] {
                let entry = try #require(tree.entry(BundlePath("\(path)/\(name)")))
                #expect(try reader.open(entry).all() == Array(text.utf8))
            }
        }
    }

    @Test func namesThatAreNotText() throws {
        #if os(Linux)
            let folder = try ScratchFolder()
            try folder.makeFolder("Demo.app")
            try ScratchFolder.run(
                "/bin/sh", ["-c", #"printf x > "$(printf 'a\377b')"; printf y > "$(printf 'a\nb')""#],
                in: folder("Demo.app"))
            let tree = try directoryTree(at: folder("Demo.app"))
            let names = tree.entries.map { Array($0.path.lastComponent) }
            #expect(names == [Array("Demo.app".utf8), [0x61, 0x0A, 0x62], [0x61, 0xFF, 0x62]])
            let reader = try tree.makeReader()
            #expect(
                try tree.entries.dropFirst().map { try reader.open($0).all() } == [Array("y".utf8), Array("x".utf8)])
        #endif
    }

    @Test func listingTwice() throws {
        let folder = try ScratchFolder()
        try Sample.write(Sample.bundle, into: folder)
        let open = Descriptor(owning: try System.live.open(Array(folder("Demo.app").utf8), .directory), system: .live)
        for _ in 1...2 {
            let tree = try DirectoryTree(directory: open, name: Array("Demo.app".utf8))
            #expect(tree.entries.count == Sample.bundle.count)
        }
    }
}
