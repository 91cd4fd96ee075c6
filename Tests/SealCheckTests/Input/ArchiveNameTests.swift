import Testing

@testable import SealCheck

/// What becomes of the names and attributes of an archive's entries.
@Suite struct ArchiveNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var fault: TreeFault.Kind?
        var testDescription: String { name.debugDescription }

        init(_ name: String, _ fault: TreeFault.Kind?) {
            self.name = name
            self.fault = fault
        }
    }

    /// Each beside a good entry, which has to stay.
    @Test(arguments: [
        Row("Payload/App.app/file", nil),
        Row("Payload/App.app/folder/", nil),
        Row("Payload/App.app/a:b", nil),
        Row("c:b.txt", nil),
        Row("Payload/App.app/ ", nil),
        Row("Payload/App.app/...", nil),
        Row("Payload/App.app/..a", nil),
        Row("Payload/App.app/\u{1B}[2J", nil),
        Row("/etc/passwd", .absoluteName),
        Row("/", .absoluteName),
        Row("//server/share", .absoluteName),
        Row("C:/Windows/x", .absoluteName),
        Row("c:\\Windows\\x", .absoluteName),
        Row("..", .climbingName),
        Row("../x", .climbingName),
        Row("Payload/../../x", .climbingName),
        Row("Payload/App.app/..", .climbingName),
        Row("Payload/App.app/../", .climbingName),
        Row("Payload//../x", .climbingName),
        Row("Payload\\App.app\\App", .backslashName),
        Row("Payload/App.app/..\\..\\x", .backslashName),
        Row("", .malformedName),
        Row(".", .malformedName),
        Row("./Payload/App.app/x", .malformedName),
        Row("Payload/./x", .malformedName),
        Row("Payload//x", .malformedName),
        Row("Payload/App.app/x//", .malformedName),
        Row("Payload/App.app/x\0.png", .malformedName),
        Row("\0", .malformedName),
    ])
    func oneName(_ row: Row) throws {
        let tree = try archiveTree(ZipWriter.archive(.init("good"), .init(row.name), .init("last")))
        if let fault = row.fault {
            #expect(tree.faults == [TreeFault(kind: fault, name: Array(row.name.utf8))])
            #expect(tree.paths == ["good", "last"])
        } else {
            #expect(tree.faults == [])
            let path = row.name.hasSuffix("/") ? String(row.name.dropLast()) : row.name
            #expect(tree.paths.contains(path))
        }
    }

    @Test func namesAreBytes() throws {
        let latin: [UInt8] = [0x50, 0xE9, 0xFF]
        let tree = try archiveTree(ZipWriter.archive(.init(latin, [1])))
        #expect(tree.entries.map(\.path.bytes) == [latin])
        #expect(tree.entries.first?.path.text == nil)
    }

    struct Meeting: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var entries: [ZipWriter.Entry]
        var paths: [String]
        var fault: TreeFault.Kind?
        var first: String?
    }

    @Test(arguments: [
        Meeting(
            testDescription: "equal files", entries: [.init("a", "1"), .init("a", "1")], paths: ["a"],
            fault: .duplicateName(sameContents: true), first: "1"),
        Meeting(
            testDescription: "different files", entries: [.init("a", "1"), .init("a", "2")], paths: ["a"],
            fault: .duplicateName(sameContents: false), first: "1"),
        Meeting(
            testDescription: "file and link of one text", entries: [.init("a", "1"), .link("a", to: "1")], paths: ["a"],
            fault: .duplicateName(sameContents: false), first: "1"),
        Meeting(
            testDescription: "folder twice", entries: [.init("a/"), .init("a/")], paths: ["a"],
            fault: .duplicateName(sameContents: true)),
        Meeting(
            testDescription: "folder implied, then listed", entries: [.init("a/b", "1"), .init("a/")],
            paths: ["a", "a/b"]),
        Meeting(
            testDescription: "file, then in it", entries: [.init("a", "1"), .init("a/b", "2")], paths: ["a"],
            fault: .fileAsDirectory, first: "1"),
        Meeting(
            testDescription: "file, then deep in it", entries: [.init("a", "1"), .init("a/b/c/d", "2")], paths: ["a"],
            fault: .fileAsDirectory, first: "1"),
        Meeting(
            testDescription: "link, then through it", entries: [.link("a", to: "/etc"), .init("a/b", "2")],
            paths: ["a"], fault: .fileAsDirectory),
        Meeting(
            testDescription: "in a folder, then a file of its name", entries: [.init("a/b", "1"), .init("a", "2")],
            paths: ["a", "a/b"], fault: .fileAsDirectory),
        Meeting(
            testDescription: "folder, then a file of its name", entries: [.init("a/"), .init("a", "2")], paths: ["a"],
            fault: .fileAsDirectory),
        Meeting(
            testDescription: "file, then a folder of its name", entries: [.init("a", "1"), .init("a/")], paths: ["a"],
            fault: .fileAsDirectory, first: "1"),
        Meeting(
            testDescription: "case twins are two names", entries: [.init("a", "1"), .init("A", "2")], paths: ["A", "a"]),
    ])
    func twoNames(_ row: Meeting) throws {
        let tree = try archiveTree(ZipWriter(row.entries).bytes())
        #expect(tree.paths == row.paths)
        #expect(tree.faults.map(\.kind) == [row.fault].compactMap { $0 })
        if let first = row.first { #expect(try tree.contents("a") == Array(first.utf8)) }
    }

    struct Attribute: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var entry: ZipWriter.Entry
        var kind: TreeEntry.Kind
        var mode: UInt16?

        init(_ what: String, _ entry: ZipWriter.Entry, _ kind: TreeEntry.Kind, _ mode: UInt16?) {
            self.testDescription = what
            self.entry = entry
            self.kind = kind
            self.mode = mode
        }
    }

    @Test(arguments: [
        Attribute("file", .init("a", mode: 0o100755), .file, 0o755),
        Attribute("file with all bits", .init("a", mode: 0o107777), .file, 0o7777),
        Attribute("no type", .init("a", mode: 0o000644), .file, 0o644),
        Attribute("no mode at all", .init("a", mode: 0), .file, 0),
        Attribute("folder", .init("a/", mode: 0o040700), .directory, 0o700),
        Attribute("folder without type", .init("a/", mode: 0), .directory, 0),
        Attribute("folder said to be a file", .init("a/", mode: 0o100755), .directory, 0o755),
        Attribute("link", .link("a", to: "b"), .symbolicLink, 0o755),
        Attribute("made on DOS", ZipWriter.Entry("a", mode: 0o100755).with { $0.host = 0 }, .file, nil),
        Attribute("made on Windows", ZipWriter.Entry("a/").with { $0.host = 10 }, .directory, nil),
        Attribute("link made on DOS is a file", ZipWriter.Entry.link("a", to: "b").with { $0.host = 0 }, .file, nil),
        Attribute("made on Darwin", ZipWriter.Entry("a", mode: 0o100755).with { $0.host = 19 }, .file, 0o755),
        Attribute("FIFO", .init("a", mode: 0o010644), .other("FIFO"), 0o644),
        Attribute("device", .init("a", mode: 0o020644), .other("character device"), 0o644),
        Attribute("disk", .init("a", mode: 0o060644), .other("block device"), 0o644),
        Attribute("socket", .init("a", mode: 0o140644), .other("socket"), 0o644),
        Attribute("nonsense", .init("a", mode: 0o170644), .other("file of an unknown kind"), 0o644),
        Attribute(
            "folder without slash", .init("a", mode: 0o040755),
            .other("directory whose name does not end in a slash"), 0o755),
        Attribute(
            "link with slash", .init("a/", mode: 0o120755), .other("symbolic link whose name ends in a slash"), 0o755),
    ])
    func attributes(_ row: Attribute) throws {
        let entry = try #require(try archiveTree(ZipWriter.archive(row.entry)).entry("a"))
        #expect(entry.kind == row.kind)
        #expect(entry.mode == row.mode)
    }

    /// Info-ZIP's field 0x7075. libzip would list the name in it instead of that in the header.
    @Test func alternativeNames() throws {
        func field(_ name: String, for header: String) -> [UInt8] {
            let data = [1] + le32(crc32(Array(header.utf8))) + Array(name.utf8)
            return le16(0x7075) + le16(UInt16(data.count)) + data
        }
        let other = ZipWriter.Entry("seen").with { $0.extra = field("hidden", for: "seen") }
        let same = ZipWriter.Entry("same").with { $0.extra = field("same", for: "same") }
        let stale = ZipWriter.Entry("stale").with { $0.extra = field("old", for: "other") }
        let tree = try archiveTree(ZipWriter.archive(other, same, stale))
        #expect(tree.paths == ["same", "seen", "stale"])
        #expect(
            tree.faults == [TreeFault(kind: .alternativeName(Array("hidden".utf8)), name: Array("seen".utf8))])
    }

    @Test func limits() throws {
        func outcome(_ change: (inout Limits) -> Void, _ entries: ZipWriter.Entry...) -> ReadFault? {
            var limits = Limits.standard
            change(&limits)
            do {
                _ = try archiveTree(ZipWriter(entries).bytes(), limits: limits)
                return nil
            } catch {
                return error as? ReadFault
            }
        }
        #expect(outcome({ $0.entries = 2 }, .init("a"), .init("b")) == nil)
        #expect(
            outcome({ $0.entries = 2 }, .init("a"), .init("b"), .init("c"))
                == .exceeded("entries in the archive", 3, 2))
        #expect(outcome({ $0.entries = 2 }, .init("a/b/c")) == .exceeded("entries in the input", 3, 2))
        #expect(outcome({ $0.pathBytes = 3 }, .init("a/b")) == nil)
        #expect(outcome({ $0.pathBytes = 3 }, .init("a/bc")) == .exceeded("bytes of one path", 4, 3))
        #expect(outcome({ $0.pathDepth = 2 }, .init("a/b")) == nil)
        #expect(outcome({ $0.pathDepth = 2 }, .init("a/b/c")) == .exceeded("components of one path", 3, 2))
        #expect(outcome({ $0.totalBytes = 3 }, .init("a", "12"), .init("b", "3")) == nil)
        #expect(
            outcome({ $0.totalBytes = 3 }, .init("a", "12"), .init("b", "34"))
                == .exceeded("bytes in the archive", 4, 3))
        #expect(
            outcome({ $0.archiveDirectoryBytes = 46 }, .init("a"))
                == .exceeded("bytes of the archive's directory", 47, 46))
        let huge = ZipWriter.Entry("a").with {
            $0.isZip64 = true
            $0.size = .max
        }
        let outcomeOfHuge = outcome({ $0.totalBytes = .max }, huge, huge)
        #expect(outcomeOfHuge.map { if case .limit = $0 { true } else { false } } == true)
    }

    /// Many entries over one piece of data: the directory stays small, what it promises does not.
    @Test func entriesThatShareTheirData() throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let kernel = ZipWriter.Entry(Array("0".utf8), zeros).deflated()
        let checksum = crc32(zeros)
        let compressedSize = UInt64(deflate(zeros).count)
        let others = (1...200).map { index in
            ZipWriter.Entry("\(index)").with {
                $0.method = 8
                $0.checksum = checksum
                $0.size = 1 << 20
                $0.compressedSize = compressedSize
                $0.headerOffset = 0
            }
        }
        let bytes = ZipWriter([kernel] + others).bytes()
        #expect(throws: Never.self, "one of it is an honest archive") {
            let tree = try archiveTree(ZipWriter.archive(kernel))
            #expect(try tree.contents("0") == zeros)
        }
        var limits = Limits.standard
        limits.inflateRatio = 1_100
        #expect(throws: ReadFault.self) { try archiveTree(bytes, limits: limits) }

        // With the ratio allowed it is still seen for what it is.
        limits.inflateRatio = 1_000_000
        let tree = try archiveTree(bytes, limits: limits)
        #expect(tree.faults.contains { $0.kind == .overlappingEntries })
    }
}
