import SealCheck
import TestSupport
import Testing

/// Malformed Mach-O files: each ends in "no" or "could not check", with something to read, and never in a trap.
struct MalformedTests {
    /// A signed library of two pages.
    static var small: MachOBuilder {
        var image = MachOBuilder.dylib("@rpath/libSmall.dylib")
        image.textSize = 0x1000
        image.headerRoom = 32
        return image
    }

    static func judge(_ bytes: [UInt8]) async throws -> Report {
        let tree = MemoryTree(FileTree(["libSmall.dylib": .file(bytes)]), below: .root)
        return try await Verifier(jobs: 1).verify(
            tree, root: "libSmall.dylib", inputPath: "libSmall.dylib", inputKind: "file")
    }

    /// Neither a pass nor silence.
    static func expectRefusal(_ report: Report, _ comment: Comment) {
        #expect(report.outcome != .pass, comment)
        #expect(report.isSealed != true, comment)
        #expect(report.problem != nil || !report.findings.isEmpty, comment)
        #expect(report.findings.allSatisfy { !$0.finding.message.isEmpty }, comment)
    }

    @Test func smallFileIsFine() async throws {
        let report = try await Self.judge(try Self.small.build())
        #expect(report.ids == [])
        #expect(report.outcome == .pass)
    }

    /// Every prefix of a signed file, cut into eight parts for the sake of the clock.
    @Test(arguments: 0..<8)
    func prefixes(_ part: Int) async throws {
        let bytes = try Self.small.build()
        for length in stride(from: part, to: bytes.count, by: 8) {
            Self.expectRefusal(try await Self.judge(Array(bytes[..<length])), "\(length) of \(bytes.count) bytes")
        }
    }

    /// Each field of the CodeDirectory at its extremes, pages and cdhash left as they are.
    @Test(arguments: CodeDirectoryField.allCases.filter { $0.offset < 96 })
    func codeDirectoryField(_ field: CodeDirectoryField) async throws {
        let largest: UInt64 = field.width == 8 ? .max : (1 << (8 * UInt64(field.width))) - 1
        let original = try SignedImage(try Self.small.build())
        for value in [0, 1, 7, 63, 64, 127, 255, largest / 2, largest / 2 + 1, largest - 1, largest]
        where value <= largest {
            var image = original
            try image.setField(field, to: value)
            if image.bytes == original.bytes { continue }
            let report = try await Self.judge(image.bytes)
            // Ad hoc there is no key: what nothing checks can be anything. Only these say what the hashes mean.
            switch field {
            case .flags, .nSpecialSlots, .platform, .spare2, .spare3, .execSegBase, .execSegLimit, .execSegFlags,
                .runtime, .identOffset,
                .teamIDOffset, .codeLimit64, .scatterOffset, .preEncryptOffset, .version:
                #expect(report.outcome == .pass || !report.findings.isEmpty, "\(field) = \(value)")
            default: Self.expectRefusal(report, "\(field) = \(value)")
            }
        }
    }

    /// Each word of header, load commands, and SuperBlob index at its extremes. The pages catch what nothing else does,
    /// where they cover the word; all that is asked for here is an answer.
    @Test(arguments: 0..<8)
    func words(_ part: Int) async throws {
        let bytes = try Self.small.build()
        let image = try SignedImage(bytes)
        let signature = try image.signatureRange()
        let header = stride(from: 0, to: 0x500, by: 4)
        let index = stride(from: signature.lowerBound, to: signature.lowerBound + 60, by: 4)
        for (number, offset) in (Array(header) + Array(index)).enumerated() where number % 8 == part {
            for value in [UInt32(0), 1, 7, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, .max] {
                var changed = bytes
                try changed.store(value, at: offset, .little)
                if changed == bytes { continue }
                let report = try await Self.judge(changed)
                // The index may name a slot that nobody knows, or give the empty CMS wrapper another length.
                if offset < signature.lowerBound {
                    Self.expectRefusal(report, "\(value) at \(offset)")
                } else {
                    #expect(report.outcome != .unchecked || report.problem != nil || !report.findings.isEmpty)
                }
            }
        }
    }

    /// A table of slices with wild numbers.
    @Test func universalHeader() async throws {
        var intel = Self.small
        intel.cpu = .x86_64
        let universal = UniversalBuilder([.init(.arm64, try Self.small.build()), .init(.x86_64, try intel.build())])
            .build()
        #expect(try await Self.judge(universal).ids == [])
        // The alignment of the first slice (at 24) decides nothing: any gap may stand before it (spec 2.2).
        for offset in stride(from: 4, to: 48, by: 4) where offset != 24 {
            for value in [UInt32(0), 1, 101, 0x7fff_ffff, 0xffff_ffff] {
                var changed = universal
                try changed.store(value, at: offset, .big)
                if changed == universal { continue }
                Self.expectRefusal(try await Self.judge(changed), "\(value) at \(offset)")
            }
        }
    }
}
