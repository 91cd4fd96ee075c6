import Foundation
import Synchronization
import Testing

@testable import SealCheck

/// A system that does what is asked of it, but not always.
private enum Trouble {
    /// The `number`th read (from 1) and all later ones of `call` fail.
    static func read(_ number: Int, fails errno: Int32) -> System {
        let counter = Counter()
        var system = System.live
        system.read = { descriptor, buffer, offset throws(SystemFault) in
            if counter.next() >= number { throw SystemFault("pread", errno) }
            return try System.live.read(descriptor, buffer, offset)
        }
        return system
    }

    /// Every read returns at most `count` bytes.
    static func shortReads(_ count: Int) -> System {
        var system = System.live
        system.read = { descriptor, buffer, offset throws(SystemFault) in
            try System.live.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count)), offset)
        }
        return system
    }
}

final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

/// The machine itself fails.
@Suite struct SystemFaultTests {
    @Test(arguments: [1, 7, 4_096]) func shortReadsAreNoFault(count: Int) throws {
        let samples = Sample.bundle.filter {
            if case .file(let bytes, _) = $0.kind { bytes.count < 1_000 } else { true }
        }
        let folder = try ScratchFolder()
        try Sample.write(samples, into: folder)
        let system = Trouble.shortReads(count)
        try checkBundleTree(try directoryTree(at: folder("Demo.app"), system: system), holds: samples)
        for wholeEntryBytes in [Limits.standard.wholeEntryBytes, 0] {
            var limits = Limits.standard
            limits.wholeEntryBytes = wholeEntryBytes
            let bytes = Sample.zip(samples) { $0.isDeflated = true }
            try checkBundleTree(try archiveTree(bytes, limits: limits, system: system), holds: samples)
        }
    }

    /// Each read of the whole run in turn: listing or reading ends in the system's error, never in a wrong answer.
    @Test(arguments: [Limits.standard.wholeEntryBytes, 0]) func everyReadOfAnArchive(wholeEntryBytes: UInt64) throws {
        var limits = Limits.standard
        limits.wholeEntryBytes = wholeEntryBytes
        let contents = pattern(3_000)
        let bytes = ZipWriter.archive(ZipWriter.Entry(Array("a".utf8), contents).deflated(), .init("b", "stored"))
        for number in 1...100 {
            do {
                let tree = try archiveTree(bytes, limits: limits, system: Trouble.read(number, fails: EIO))
                let read = try tree.contents("a")
                let stored = try tree.contents("b")
                #expect(read == contents && stored == Array("stored".utf8))
                #expect(number > 5, "an archive cannot be read in so few calls")
                return
            } catch let fault as ReadFault {
                #expect(fault == .system(call: "pread", errno: EIO), "read \(number)")
            }
        }
        Issue.record("more than 100 reads for two small entries")
    }

    @Test func theThirdReadOfAFile() throws {
        let folder = try ScratchFolder()
        try folder.write("Demo.app/Demo", pattern(700_000))
        let tree = try directoryTree(at: folder("Demo.app"), system: Trouble.read(3, fails: EIO))
        var seen = 0
        let contents = try tree.makeReader().open(try #require(tree.entry("Demo.app/Demo")))
        #expect(throws: ReadFault.system(call: "pread", errno: EIO)) {
            try contents.forEachChunk { (chunk, _) throws(ReadFault) in seen += chunk.count }
        }
        #expect(seen == 512 << 10)
    }

    @Test func aFileThatIsCutShortWhileItIsRead() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("Demo.app/Demo", pattern(700_000))
        let tree = try directoryTree(at: folder("Demo.app"))
        let contents = try tree.makeReader().open(try #require(tree.entry("Demo.app/Demo")))
        #expect(throws: ReadFault.changed) {
            try contents.forEachChunk { (_, _) throws(ReadFault) in _ = truncate(path, 300_000) }
        }
        #expect(throws: ReadFault.changed) { try contents.bytes(in: 600_000..<600_001) }
    }

    /// The size stays, the time of change does not.
    @Test func aFileThatIsWrittenWhileItIsRead() throws {
        let folder = try ScratchFolder()
        try folder.write("Demo.app/Demo", pattern(10))
        let looks = Counter()
        var system = System.live
        system.status = { descriptor throws(SystemFault) in
            var status = try System.live.status(descriptor)
            if looks.next() > 1 { status.modified.nanoseconds ^= 1 }
            return status
        }
        let tree = try directoryTree(at: folder("Demo.app"), system: system)
        let contents = try tree.makeReader().open(try #require(tree.entry("Demo.app/Demo")))
        #expect(throws: ReadFault.changed) { try contents.all() }
        #expect(throws: ReadFault.changed) { try contents.bytes(in: 0..<1) }
    }

    @Test func filesThatVanish() throws {
        let folder = try ScratchFolder()
        try folder.write("Demo.app/a", "a")
        try folder.write("Demo.app/b/c", "c")
        try folder.makeLink("Demo.app/link", to: "a")
        let tree = try directoryTree(at: folder("Demo.app"))
        try ScratchFolder.run("/bin/rm", ["-r", folder("Demo.app/a"), folder("Demo.app/b"), folder("Demo.app/link")])
        #expect(throws: ReadFault.changed) { try tree.contents("Demo.app/a") }
        #expect(throws: ReadFault.changed) { try tree.contents("Demo.app/b/c") }
        let link = try #require(tree.entry("Demo.app/link"))
        #expect(throws: ReadFault.changed) { try tree.makeReader().linkTarget(of: link) }
    }

    @Test func anItemThatVanishesBeforeItsKindIsTold() throws {
        let folder = try ScratchFolder()
        try folder.write("Demo.app/a", "a")
        var system = System.live
        system.list = { directory, limit throws(SystemFault) in
            try System.live.list(directory, limit).map { DirectoryItem(name: $0.name, kind: nil) }
        }
        system.statusAt = { _, _ throws(SystemFault) in throw SystemFault("fstatat", ENOENT) }
        let tree = try directoryTree(at: folder("Demo.app"), system: system)
        #expect(tree.entry("Demo.app/a")?.kind == .other("something whose kind could not be told"))
    }

    /// XFS without ftype, many network and FUSE file systems.
    @Test func aFileSystemThatDoesNotTellKinds() throws {
        let folder = try ScratchFolder()
        try Sample.write(Sample.bundle, into: folder)
        var system = System.live
        system.list = { directory, limit throws(SystemFault) in
            try System.live.list(directory, limit).map { DirectoryItem(name: $0.name, kind: nil) }
        }
        try checkBundleTree(try directoryTree(at: folder("Demo.app"), system: system), holds: Sample.bundle)
    }

    @Test func foldersThatCannotBeListed() throws {
        let folder = try ScratchFolder()
        try folder.write("Demo.app/a/b", "b")
        try folder.write("Demo.app/c/d", "d")
        var system = System.live
        system.openAt = { directory, name, purpose throws(SystemFault) in
            if name.elementsEqual("a".utf8) { throw SystemFault("openat", EACCES) }
            return try System.live.openAt(directory, name, purpose)
        }
        var tree = try directoryTree(at: folder("Demo.app"), system: system)
        #expect(tree.paths == ["Demo.app", "Demo.app/a", "Demo.app/c", "Demo.app/c/d"])
        #expect(tree.faults == [TreeFault(kind: .unreadableDirectory(errno: EACCES), name: Array("Demo.app/a".utf8))])

        let listings = Counter()
        system = .live
        system.list = { directory, limit throws(SystemFault) in
            if listings.next() > 1 { throw SystemFault("readdir", EIO) }
            return try System.live.list(directory, limit)
        }
        tree = try directoryTree(at: folder("Demo.app"), system: system)
        #expect(tree.faults.map(\.kind) == [.unreadableDirectory(errno: EIO), .unreadableDirectory(errno: EIO)])

        system.list = { _, _ throws(SystemFault) in throw SystemFault("readdir", EIO) }
        #expect(throws: ReadFault.system(call: "readdir", errno: EIO)) {
            try directoryTree(at: folder("Demo.app"), system: system)
        }
    }

    @Test func filesThatMayNotBeRead() throws {
        let folder = try ScratchFolder()
        try folder.write("Demo.app/secret", "s", mode: 0)
        var system = System.live
        // Root may read everything, so the refusal has to be made up.
        system.openAt = { directory, name, purpose throws(SystemFault) in
            if name.elementsEqual("secret".utf8) { throw SystemFault("openat", EACCES) }
            return try System.live.openAt(directory, name, purpose)
        }
        let tree = try directoryTree(at: folder("Demo.app"), system: system)
        #expect(throws: ReadFault.system(call: "openat", errno: EACCES)) { try tree.contents("Demo.app/secret") }
        if geteuid() == 0 {
            let reader = try directoryTree(at: folder("Demo.app")).makeReader()
            #expect(try reader.open(try #require(tree.entry("Demo.app/secret"))).mode == 0)
        }
    }

    /// Every descriptor that was opened is closed, also on the ways out by an error.
    @Test func descriptorsAreClosed() throws {
        let opened = Counter()
        let closed = Counter()
        var system = System.live
        system.open = { path, purpose throws(SystemFault) in
            let descriptor = try System.live.open(path, purpose)
            _ = opened.next()
            return descriptor
        }
        system.openAt = { directory, name, purpose throws(SystemFault) in
            let descriptor = try System.live.openAt(directory, name, purpose)
            _ = opened.next()
            return descriptor
        }
        system.close = { descriptor in
            System.live.close(descriptor)
            _ = closed.next()
        }
        let folder = try ScratchFolder()
        try Sample.write(Sample.bundle, into: folder)
        try checkBundleTree(try directoryTree(at: folder("Demo.app"), system: system), holds: Sample.bundle)
        try checkBundleTree(try archiveTree(Sample.zip(Sample.bundle), system: system), holds: Sample.bundle)
        #expect(throws: ReadFault.self) { try archiveTree([1, 2, 3], system: system) }
        #expect(opened.count > 20)
        #expect(opened.count == closed.count)
    }
}
