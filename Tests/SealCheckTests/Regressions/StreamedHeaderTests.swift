import TestSupport
import Testing

@testable import SealCheck

/// What only a reader sees that unpacks while it receives: a second name in the local header, and data descriptors.
struct StreamedHeaderTests {
    private func judge(_ change: (inout ZipEntry) -> Void, bend: (inout [UInt8]) throws -> Void = { _ in }) async throws
        -> [String]
    {
        let bundle = try Demo.standard.sealed()
        var archive = bundle.archive()
        let name = RawPath("Payload/\(bundle.name)/PkgInfo")
        if (try? archive.index(of: name)) == nil {
            archive.entries.append(.file(name, Array("APPL????".utf8)))
        }
        try archive.edit(name, change)
        var bytes = archive.build()
        try bend(&bytes)
        let folder = try ScratchFolder()
        return try await Verifier().verify(try folder.write("App.ipa", bytes)).ids
    }

    private func unicodePath(_ other: String, of name: [UInt8]) -> [UInt8] {
        let data = [1] + le32(crc32(name)) + Array(other.utf8)
        return le16(0x7075) + le16(UInt16(data.count)) + data
    }

    @Test func untouched() async throws {
        #expect(try await judge { _ in } == [])
        #expect(try await judge { $0.hasDataDescriptor = true } == [])
        #expect(
            try await judge {
                $0.hasDataDescriptor = true
                $0.isZip64 = true
            } == [])
    }

    @Test func secondNameInLocalHeader() async throws {
        let ids = try await judge { $0.localExtra = unicodePath("Payload/Demo.app/Info.plist", of: $0.name) }
        #expect(ids == ["archive-local-header-differs"])
        // The same name once more is no second one.
        #expect(
            try await judge { $0.localExtra = unicodePath(String(decoding: $0.name, as: UTF8.self), of: $0.name) } == []
        )
    }

    @Test func descriptorIsMissing() async throws {
        let ids = try await judge { entry in
            entry.local.flags = 0x0008
            entry.local.crc = 0
            entry.local.compressedSize = 0
            entry.local.uncompressedSize = 0
        }
        #expect(ids == ["archive-local-header-differs"])
    }

    /// Each byte of the descriptor, the signature aside.
    @Test(arguments: 4..<16) func descriptorDiffers(_ place: Int) async throws {
        let ids = try await judge(
            { $0.hasDataDescriptor = true },
            bend: { bytes in
                let signature: [UInt8] = [0x50, 0x4B, 0x07, 0x08]
                let start = try #require(bytes.indices.first { bytes[$0...].starts(with: signature) })
                bytes[start + place] ^= 0x10
            })
        #expect(ids == ["archive-local-header-differs"])
    }

    /// Strong encryption, a masked header, a patch: flags that make the contents something else.
    @Test(arguments: [UInt16(0x0040), 0x2000, 0x0020]) func contentFlags(_ flag: UInt16) async throws {
        #expect(try await judge { $0.local.flags = flag } == ["archive-local-header-differs"])
        let both = try await judge { $0.overrideBoth { $0.flags = flag } }
        #expect(both.contains { $0.hasPrefix("unchecked-") } || both.isEmpty)
    }
}
