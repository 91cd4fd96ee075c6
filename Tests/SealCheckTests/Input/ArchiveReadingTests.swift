import Testing

@testable import SealCheck

/// Opening entries that are not what the archive says.
@Suite struct ArchiveReadingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var entry: ZipWriter.Entry
        var fault: ReadFault

        init(_ what: String, _ entry: ZipWriter.Entry, _ fault: ReadFault) {
            self.testDescription = what
            self.entry = entry
            self.fault = fault
        }
    }

    static let text = ZipWriter.Entry("a", "some contents that are long enough to be torn")

    static let rows: [Row] = [
        Row("wrong CRC, stored", text.with { $0.checksum = 1 }, .checksumMismatch),
        Row("wrong CRC, deflated", text.deflated().with { $0.checksum = 1 }, .checksumMismatch),
        Row("CRC of nothing", ZipWriter.Entry("a").with { $0.checksum = 1 }, .checksumMismatch),
        Row("stored, sizes differ", text.with { $0.size = 44 }, .sizeMismatch(declared: 44)),
        Row("deflated to less", text.deflated().with { $0.size = 46 }, .sizeMismatch(declared: 46)),
        Row("deflated to more", text.deflated().with { $0.size = 44 }, .sizeMismatch(declared: 44)),
        Row("deflated to something", text.deflated().with { $0.size = 0 }, .sizeMismatch(declared: 0)),
        Row("encrypted", text.with { $0.flags = 1 }, .encrypted),
        Row("encrypted and deflated", text.deflated().with { $0.flags = 1 }, .encrypted),
        Row("strongly encrypted", text.with { $0.flags = 0x41 }, .encrypted),
        Row("LZFSE", text.with { $0.method = 99 }, .method(99)),
        Row("bzip2, which libzip could read", text.with { $0.method = 12 }, .method(12)),
        Row("method of the future", text.with { $0.method = .max }, .method(.max)),
    ]

    @Test(arguments: rows) func whole(_ row: Row) throws {
        let tree = try archiveTree(ZipWriter.archive(row.entry, .init("good", "good")))
        #expect(throws: row.fault) { try tree.contents("a") }
        #expect(try tree.contents("good") == Array("good".utf8), "one bad entry does not spoil the next")
    }

    @Test(arguments: rows) func streamed(_ row: Row) throws {
        // Nothing is read at once but nothing itself.
        var limits = Limits.standard
        limits.wholeEntryBytes = 0
        let tree = try archiveTree(ZipWriter.archive(row.entry, .init("good", "good")), limits: limits)
        #expect(throws: row.fault) { try tree.contents("a") }
        #expect(try tree.contents("good") == Array("good".utf8))
    }

    /// The stream itself is torn: an invalid block type in the first byte.
    @Test(arguments: [Limits.standard.wholeEntryBytes, 0]) func damagedStream(wholeEntryBytes: UInt64) throws {
        var limits = Limits.standard
        limits.wholeEntryBytes = wholeEntryBytes
        var bytes = ZipWriter.archive(Self.text.deflated())
        bytes[31] = 0x07
        let tree = try archiveTree(bytes, limits: limits)
        let fault = #expect(throws: ReadFault.self) { try tree.contents("a") }
        #expect(fault.map { if case .damaged = $0 { true } else { false } } == true, "\(String(describing: fault))")
    }

    /// libzip checks the CRC of what it inflates, at the end; the product checks it again. Both have to work.
    @Test func libzipChecksTheChecksum() throws {
        let contents = pattern(600_000)
        let good = ZipWriter.Entry(Array("a".utf8), contents).deflated()
        for entry in [good, good.with { $0.checksum = 1 }] {
            let folder = try ScratchFolder()
            let path = try folder.write("a.zip", ZipWriter.archive(entry))
            let file = try ArchiveFile(Descriptor(owning: try System.live.open(Array(path.utf8), .file), system: .live))
            let record = try #require(try ZipDirectory(reading: file, limits: .standard).records.first)
            let stream = try LibZip(file).stream(0, record)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 1)
            defer { buffer.deallocate() }
            var outcome: Result<Int, ReadFault> = .success(0)
            do throws(ReadFault) {
                var total = 0
                while true {
                    let count = try stream.read(into: buffer)
                    if count == 0 { break }
                    total += count
                }
                outcome = .success(total)
            } catch {
                outcome = .failure(error)
            }
            #expect(outcome == (entry.checksum == nil ? .success(contents.count) : .failure(.checksumMismatch)))
        }
    }

    /// Every chunk of a large entry is handed out before the CRC is known; the call has to end in the error.
    @Test(arguments: [true, false]) func largeEntryWithAWrongChecksum(isDeflated: Bool) throws {
        var limits = Limits.standard
        limits.wholeEntryBytes = 1_000
        let contents = pattern(600_000)
        let entry = ZipWriter.Entry(Array("a".utf8), contents).with {
            $0.isDeflated = isDeflated
            $0.checksum = 1
        }
        let tree = try archiveTree(ZipWriter.archive(entry), limits: limits)
        let open = try tree.makeReader().open(try #require(tree.entry("a")))
        #expect(open.isSeekable == !isDeflated)
        var seen: [UInt8] = []
        #expect(throws: ReadFault.checksumMismatch) {
            try open.forEachChunk { (chunk, _) throws(ReadFault) in
                #expect(chunk.count <= 256 << 10)
                seen += Array(chunk)
            }
        }
        // libzip finds the fault while it fills the last chunk, which is lost then.
        let isPrefix = contents.starts(with: seen)
        #expect(isPrefix && seen.count >= 512 << 10)
    }

    @Test func moreThanDeflateCanDo() throws {
        let padding = ZipWriter.Entry(Array("b".utf8), pattern(100_000))
        let bomb = Self.text.deflated().with { $0.size = 60_000 }
        let tree = try archiveTree(ZipWriter.archive(bomb, padding))
        #expect(throws: ReadFault.exceeded("times its compressed size in an entry", 1_200, 1_100)) {
            try tree.contents("a")
        }
    }

    @Test func bytesBehindTheStreamAreNobodys() throws {
        // One stored block, then junk that the compressed size includes.
        for wholeEntryBytes in [Limits.standard.wholeEntryBytes, 0] {
            var limits = Limits.standard
            limits.wholeEntryBytes = wholeEntryBytes
            let text = Array("text".utf8)
            let stream = deflate(text) + Array("junk".utf8)
            let entry = ZipWriter.Entry(Array("a".utf8), stream).with {
                $0.method = 8
                $0.size = 4
                $0.checksum = crc32(text)
            }
            #expect(try archiveTree(ZipWriter.archive(entry), limits: limits).contents("a") == text)
        }
    }

    @Test func links() throws {
        var limits = Limits.standard
        limits.linkBytes = 5
        let entries: [ZipWriter.Entry] = [
            .link("short", to: "12345"), .link("long", to: "123456"), .link("torn", to: "1").with { $0.checksum = 1 },
            .link("secret", to: "1").with { $0.flags = 1 }, .link("packed", to: "12345").deflated(),
        ]
        let tree = try archiveTree(ZipWriter(entries).bytes(), limits: limits)
        let reader = try tree.makeReader()
        func target(_ path: BundlePath) throws -> [UInt8] { try reader.linkTarget(of: try #require(tree.entry(path))) }
        #expect(try target("short") == Array("12345".utf8))
        #expect(try target("packed") == Array("12345".utf8))
        #expect(throws: ReadFault.exceeded("bytes of a symbolic link", 6, 5)) { try target("long") }
        #expect(throws: ReadFault.checksumMismatch) { try target("torn") }
        #expect(throws: ReadFault.encrypted) { try target("secret") }
    }

    @Test func tooLarge() throws {
        var limits = Limits.standard
        limits.fileBytes = 3
        let tree = try archiveTree(ZipWriter.archive(.init("a", "123"), .init("b", "1234")), limits: limits)
        #expect(try tree.contents("a") == Array("123".utf8))
        #expect(throws: ReadFault.exceeded("bytes of one file", 4, 3)) { try tree.contents("b") }
    }

    @Test func contentsThatDoNotEndBeforeTheDirectory() throws {
        let entry = Self.text.with {
            $0.compressedSize = 5_000
            $0.size = 5_000
        }
        let tree = try archiveTree(ZipWriter.archive(entry))
        #expect(throws: ReadFault.damaged("its contents are not where the archive's directory says")) {
            try tree.contents("a")
        }
    }

    /// The archive is replaced, cut short or written to while it is open.
    @Test func changesDuringTheRun() throws {
        let folder = try ScratchFolder()
        let good = ZipWriter.archive(Self.text, .init("b", "b"))

        var path = try folder.write("replaced", good)
        var tree = try archiveTree(at: path)
        try folder.write("new", ZipWriter.archive(.init("a", "something else")))
        try ScratchFolder.run("/bin/mv", [folder("new"), path])
        #expect(try tree.contents("a") == Self.text.contents, "the open file is the one that was listed")

        path = try folder.write("cut", good)
        tree = try archiveTree(at: path)
        try ScratchFolder.run("/bin/sh", ["-c", "printf PK > \"$0\"", path])
        #expect(throws: ReadFault.changed) { try tree.contents("a") }

        path = try folder.write("written", good)
        tree = try archiveTree(at: path)
        try ScratchFolder.run("/bin/sh", ["-c", "sed -i.bak s/torn/worn/ \"$0\" && cat \"$0\" > /dev/null", path])
        #expect(try tree.contents("a") == Self.text.contents, "sed writes another file")
        try ScratchFolder.run(
            "/bin/sh", ["-c", "sleep 0.1; printf XXXX | dd of=\"$0\" bs=1 seek=40 conv=notrunc", folder("written.bak")])
        #expect(throws: ReadFault.changed) { try tree.contents("a") }
    }
}
