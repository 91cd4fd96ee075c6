import Testing

@testable import SealCheck

/// The archive as a whole: cut off, bent, or telling two stories.
@Suite struct ZipStructureTests {
    static let small = ZipWriter([
        .init("Payload/"), .init("Payload/App.app/", mode: 0o040755),
        .init("Payload/App.app/App", "executable", mode: 0o100755),
        ZipWriter.Entry("Payload/App.app/text", "some text").deflated(), .link("Payload/App.app/link", to: "text"),
    ])

    /// Reads everything there is. Whatever happens, it is an error or a tree whose every name is harmless.
    @discardableResult
    private func exercise(_ bytes: [UInt8], wholeEntryBytes: UInt64 = 64) -> Bool {
        var limits = Limits.standard
        limits.wholeEntryBytes = wholeEntryBytes
        guard let tree = try? archiveTree(bytes, limits: limits), let reader = try? tree.makeReader() else {
            return false
        }
        var isWhole = tree.faults.isEmpty
        for entry in tree.entries {
            let components = entry.path.components
            #expect(!components.isEmpty && components.allSatisfy { !$0.elementsEqual("..".utf8) && !$0.isEmpty })
            #expect(!entry.path.bytes.contains(0) && entry.path.bytes.first != UInt8(ascii: "/"))
            do throws(ReadFault) {
                switch entry.kind {
                case .file: _ = try reader.open(entry).all()
                case .symbolicLink: _ = try reader.linkTarget(of: entry)
                case .directory, .other: break
                }
            } catch {
                isWhole = false
            }
        }
        return isWhole
    }

    @Test func everyPrefix() throws {
        let bytes = Self.small.bytes()
        for count in 0..<bytes.count {
            #expect(throws: ReadFault.self, "the first \(count) bytes") { try archiveTree(Array(bytes.prefix(count))) }
        }
        #expect(exercise(bytes), "the loop means something only with this line")
    }

    @Test func everySuffix() throws {
        let bytes = Self.small.bytes()
        for count in 1..<bytes.count { exercise(Array(bytes.suffix(bytes.count - count))) }
    }

    /// Each byte made another one, in four ways, for a plain archive and for one with everything that zip64 adds.
    @Test(arguments: [false, true]) func everyByteBent(isZip64: Bool) throws {
        var writer = Self.small
        if isZip64 {
            writer.hasZip64EndRecord = true
            writer.entries = writer.entries.map { entry in
                entry.with {
                    $0.isZip64 = true
                    if $0.isDeflated { $0.descriptor = .signedZip64 }
                }
            }
        }
        let bytes = writer.bytes()
        #expect(exercise(bytes))
        for index in bytes.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF, bytes[index]] where mask != 0 {
                var bent = bytes
                bent[index] ^= mask
                exercise(bent, wholeEntryBytes: index % 2 == 0 ? 64 : 0)
            }
        }
    }

    @Test func notAnArchive() throws {
        for bytes: [UInt8] in [
            [], [0x50], Array("PK\u{3}\u{4}".utf8), [UInt8](repeating: 0, count: 100_000), pattern(200_000),
        ] {
            #expect(throws: ReadFault.damaged("the end record of the archive is missing")) { try archiveTree(bytes) }
        }
    }

    @Test func emptyArchive() throws {
        let tree = try archiveTree(ZipWriter([]).bytes())
        #expect(tree.entries == [])
        #expect(tree.faults == [])
    }

    @Test func comments() throws {
        var writer = Self.small
        writer.comment = Array("a comment".utf8)
        #expect(exercise(writer.bytes()))
        writer.comment = [UInt8](repeating: 0x50, count: 65_535)
        #expect(exercise(writer.bytes()))
        #expect(exercise(Self.small.bytes() + [0, 0, 0]), "something behind the end is nobody's")
    }

    /// A second end record hides in the comment. Readers from behind take it, libzip weighs the two.
    @Test func twoEndRecords() throws {
        var writer = Self.small
        writer.comment = Array(ZipWriter([]).bytes())
        #expect(throws: ReadFault.self) { try archiveTree(writer.bytes()) }

        // And one that leads to another directory altogether.
        let first = ZipWriter.archive(.init("Payload/App.app/App", "first"))
        var second = ZipWriter([.init("Payload/App.app/App", "second")])
        second.prefix = first
        let tree = try archiveTree(second.bytes())
        #expect(try tree.contents("Payload/App.app/App") == Array("second".utf8))
        #expect(tree.faults.map(\.kind) == [.unlistedEntry])
    }

    @Test func stubInFront() throws {
        var writer = Self.small
        writer.prefix = Array("#!/bin/sh\n".utf8)
        #expect(exercise(writer.bytes()), "offsets from the start of the file")
        #expect(throws: ReadFault.self, "offsets from the start of the archive") {
            try archiveTree(Array("#!/bin/sh\n".utf8) + Self.small.bytes())
        }
    }

    @Test func counts() throws {
        var writer = Self.small
        for count: UInt64 in [0, 4, 6, 0xFFFF] {
            writer.entryCount = count
            #expect(throws: ReadFault.self, "\(count)") { try archiveTree(writer.bytes()) }
        }
        writer.hasZip64EndRecord = true
        for count: UInt64 in [0, 4, 6, 0xFFFF, 1 << 32, .max] {
            writer.entryCount = count
            #expect(throws: ReadFault.self, "\(count)") { try archiveTree(writer.bytes()) }
        }
        writer.entryCount = nil
        #expect(exercise(writer.bytes()))
    }

    /// Info-ZIP's way out of 16 bits without zip64.
    @Test func entriesModulo65536() throws {
        let bytes = ZipWriter((0..<65_537).map { .init("\($0)") }).bytes()
        #expect(try archiveTree(bytes).entries.count == 65_537)
    }

    @Test func contradictoryEndRecords() throws {
        var writer = Self.small
        writer.hasZip64EndRecord = true
        var bytes = writer.bytes()
        #expect(exercise(bytes))
        // The old record says four entries instead of "see the other one".
        bytes[bytes.count - 12] = 4
        bytes[bytes.count - 11] = 0
        #expect(throws: ReadFault.damaged("the two end records of the archive contradict each other")) {
            try archiveTree(bytes)
        }
    }

    struct Header: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var field: TreeFault.LocalField
        var change: @Sendable (inout ZipWriter.Entry) -> Void

        init(
            _ what: String, _ field: TreeFault.LocalField, _ change: @escaping @Sendable (inout ZipWriter.Entry) -> Void
        ) {
            self.testDescription = what
            self.field = field
            self.change = change
        }
    }

    /// What an installer sees that unpacks while it receives.
    @Test(arguments: [
        Header("other name", .name) { $0.localName = Array("Payload/App.app/evil".utf8) },
        Header("no name", .name) { $0.localName = [] },
        Header("name with NUL", .name) { $0.localName = Array("Payload/App.app/good\0".utf8) },
        Header("other method", .method) {
            $0.localMethod = 0; $0.isDeflated = true
        },
        Header("other size", .size) { $0.localSize = 3 },
        Header("no header there", .position) { $0.headerOffset = 1 },
        Header("behind the end", .position) { $0.headerOffset = 1 << 31 },
    ])
    func localHeaders(_ row: Header) throws {
        let entry = ZipWriter.Entry("Payload/App.app/good", "contents")
        let tree = try archiveTree(ZipWriter.archive(.init("first"), entry.with(row.change)))
        #expect(tree.faults.contains(TreeFault(kind: .localHeaderDiffers(row.field), name: entry.name)))
        #expect(tree.entry("Payload/App.app/good") != nil)
        if row.field == .position {
            #expect(throws: ReadFault.self) { try tree.contents("Payload/App.app/good") }
        } else {
            #expect(tree.faults.count == 1)
            #expect(try tree.contents("Payload/App.app/good") == Array("contents".utf8), "the directory's story")
        }
    }

    @Test(arguments: [nil, .signed, .unsigned, .signedZip64] as [ZipWriter.Entry.Descriptor?])
    func unlistedEntries(descriptor: ZipWriter.Entry.Descriptor?) throws {
        let good = ZipWriter.Entry("a", "1").with { $0.descriptor = descriptor }
        let hidden = ZipWriter.Entry("Payload/App.app/hidden", "evil").with { $0.isUnlisted = true }
        let fault = TreeFault(kind: .unlistedEntry, name: hidden.name)
        #expect(try archiveTree(ZipWriter.archive(good, hidden)).faults == [fault], "behind the last")
        #expect(try archiveTree(ZipWriter.archive(good, hidden, .init("b"))).faults == [fault], "in between")
        #expect(try archiveTree(ZipWriter.archive(hidden, good)).faults == [fault], "in front")
        #expect(try archiveTree(ZipWriter.archive(hidden)).faults == [fault], "alone")
    }

    @Test func overlappingEntries() throws {
        // The second begins inside the first's contents, which are a whole local header with contents.
        let inner = Array(ZipWriter.archive(.init("b", "inner")).prefix(36))
        let outer = ZipWriter.Entry(Array("a".utf8), inner)
        let second = ZipWriter.Entry("b", "inner").with { $0.headerOffset = 31 }
        let tree = try archiveTree(ZipWriter.archive(outer, second))
        #expect(tree.faults.contains(TreeFault(kind: .overlappingEntries, name: Array("b".utf8))))
        #expect(try tree.contents("b") == Array("inner".utf8))
    }

    /// Long extra fields in front of the contents, more than the listing reads at once.
    @Test func longLocalExtraField() throws {
        let entry = ZipWriter.Entry("a", "contents").with {
            $0.localExtra = le16(0xD935) + le16(4_000) + [UInt8](repeating: 0, count: 4_000)
            $0.isZip64 = true
        }
        let tree = try archiveTree(ZipWriter.archive(entry))
        #expect(tree.faults == [])
        #expect(try tree.contents("a") == Array("contents".utf8))
    }
}
