import Testing

@testable import SealCheck

/// The same law, on every way in which a tree can come about.
@Suite struct BundleTreeTests {
    @Test func directory() throws {
        let folder = try ScratchFolder()
        try Sample.write(Sample.bundle, into: folder)
        try checkBundleTree(try directoryTree(at: folder("Demo.app")), holds: Sample.bundle)
    }

    #if os(Linux)
        @Test func directoryWithNamesThatLookAlike() throws {
            let folder = try ScratchFolder()
            try Sample.write(Sample.bundle + Sample.twins, into: folder)
            try checkBundleTree(try directoryTree(at: folder("Demo.app")), holds: Sample.bundle + Sample.twins)
        }
    #endif

    @Test func loneFile() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("tool", pattern(300_000), mode: 0o755)
        let file = Descriptor(owning: try System.live.open(Array(path.utf8), .file), system: .live)
        let tree = try DirectoryTree(file: file, name: Array("tool".utf8))
        try checkBundleTree(tree, holds: [Sample(path: "tool", kind: .file(pattern(300_000), mode: 0o755))])
    }

    /// Whole in memory, and with a bound so low that everything which is not empty is streamed or read in place.
    @Test(arguments: [Limits.standard.wholeEntryBytes, 0])
    func archive(wholeEntryBytes: UInt64) throws {
        var limits = Limits.standard
        limits.wholeEntryBytes = wholeEntryBytes
        let forms: [(String, (inout ZipWriter.Entry) -> Void)] = [
            ("stored", { _ in }),
            ("deflated", { $0.isDeflated = true }),
            ("descriptor", { $0.descriptor = .signed }),
            (
                "descriptor without signature",
                {
                    $0.descriptor = .unsigned; $0.isDeflated = true
                }
            ),
            (
                "zip64",
                {
                    $0.isZip64 = true; $0.isDeflated = true
                }
            ),
            (
                "zip64 descriptor",
                {
                    $0.isZip64 = true; $0.descriptor = .signedZip64
                }
            ),
            ("Darwin", { $0.host = 19 }),
            ("UTF-8 flag", { $0.flags = 0x800 }),
            (
                "extra fields",
                {
                    $0.extra = le16(0x5855) + le16(2) + [1, 2]; $0.localExtra = le16(0x7875) + le16(200) + pattern(200)
                }
            ),
            ("alignment", { $0.gap = [0, 0, 0] }),
        ]
        for (name, change) in forms {
            let samples = Sample.bundle + Sample.twins
            let tree = try archiveTree(Sample.zip(samples, change: change), limits: limits, system: .live)
            #expect(tree.faults == [], "\(name)")
            try checkBundleTree(tree, holds: samples)
        }
    }

    @Test func foldersThatAnArchiveOnlyImplies() throws {
        let samples = Sample.bundle.filter { if case .folder = $0.kind { $0.path == "Demo.app/nothing" } else { true } }
        let tree = try archiveTree(Sample.zip(samples))
        try checkBundleTree(tree, holds: Sample.bundle)
        #expect(tree.entry("Demo.app/PlugIns")?.mode == nil)
        #expect(tree.entry("Demo.app/nothing")?.mode == 0o755)
    }

    @Test func readersOfOneTreeWorkSideBySide() async throws {
        var limits = Limits.standard
        limits.wholeEntryBytes = 1_000
        let folder = try ScratchFolder()
        try Sample.write(Sample.bundle, into: folder)
        let trees: [any BundleTree] = [
            try directoryTree(at: folder("Demo.app")),
            try archiveTree(Sample.zip(Sample.bundle) { $0.isDeflated = true }, limits: limits),
        ]
        for tree in trees {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask { try checkBundleTree(tree, holds: Sample.bundle) }
                }
                try await group.waitForAll()
            }
        }
    }
}
