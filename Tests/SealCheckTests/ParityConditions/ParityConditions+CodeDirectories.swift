import SealCheck
import TestSupport
import Testing

/// CodeDirectories: whether they hold together, which of them rules, and what the others are for.
extension ParityConditions {
    /// A lone library with an edited CodeDirectory.
    static func directory(
        _ hashes: [Sha] = [.sha256], _ body: @escaping (inout CodeDirectoryBuilder) -> Void
    ) throws -> [UInt8] {
        try dylib { image in
            image.signature = SignatureBuilder(hashes)
            image.signature?.eachDirectory(body)
        }
    }

    /// What one broken CodeDirectory ends in: its own error where there is a CMS slot, "not signed" where there is none.
    static func expectBroken(
        _ verdict: String, _ finding: String, _ location: SourceLocation = #_sourceLocation,
        _ body: @escaping (inout SignatureBuilder) -> Void
    ) async throws {
        for (cms, verdict): (SignatureBuilder.CMS, String) in [(.empty, verdict), (.absent, "Unsigned")] {
            let file = try dylib { image in
                image.signature?.cms = cms
                if var signature = image.signature {
                    body(&signature)
                    image.signature = signature
                }
            }
            try await expect(file: file, verdict, architecture: "arm64", ["error \(finding)"], location)
        }
        // Of another slice its own error is told in any case, without the architecture.
        let fat = try fat(code: { code in
            guard var signature = code.slices[1].signature else { return }
            signature.cms = .absent
            body(&signature)
            code.slices[1].signature = signature
        })
        try await expect(file: fat, verdict, ["error \(finding)"], location)
    }

    static func expectBroken(
        field: CodeDirectoryField, _ values: [UInt64], _ verdict: String = "SignatureFailed",
        _ finding: String = "code-directory-malformed", _ location: SourceLocation = #_sourceLocation
    ) async throws {
        for value in values {
            try await expectBroken(verdict, finding, location) { $0.eachDirectory { $0.fields[field] = value } }
        }
    }

    @Test("condition 029: CD blob shorter than 96 bytes or wrong magic")
    func condition029() async throws {
        try await Self.expectBroken(field: .magic, [0xFADE_0C01, 0])
        for size in [95, 44, 8] {
            try await Self.expectBroken("SignatureFailed", "code-directory-malformed") { signature in
                signature.arrange = { superBlob in
                    try superBlob.edit(0) { entry in
                        entry.blob = Array(entry.blob.prefix(size))
                        entry.blob[4...7] = [0, 0, 0, UInt8(size)]
                    }
                }
            }
        }
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }

    @Test("condition 030: CD version < 0x20001 or > 0x2F000")
    func condition030() async throws {
        try await Self.expectBroken(
            field: .version, [0x20000, 0x10000, 0, 0x2F001, 0x30000], "SignatureUnsupported", "code-directory-version")
        // The last one that is known to be readable.
        let last = try Self.directory { directory in
            directory.version = 0x20600
            directory.fields[.version] = 0x2F000
        }
        try await Self.expect(file: last, "valid", [])
    }

    @Test("condition 031: CD version 0x20600 or later known-unknown")
    func condition031() async throws {
        for version: UInt64 in [0x20500, 0x20600, 0x20700] {
            let file = try Self.directory { directory in
                directory.version = 0x20600
                directory.fields[.version] = version
            }
            try await Self.expect(file: file, "valid", [])
        }
        // The kernel does know the field of 0x20600.
        let linkage = try Self.directory { directory in
            directory.version = 0x20600
            directory.fields[.linkageHashType] = 2
            directory.fields[.linkageOffset] = 0xFFFF_FF00
        }
        try await Self.expect(file: linkage, "valid", ["warning kernel-linkage"])
    }

    @Test("condition 032: identifier or team ID not terminated / out of range")
    func condition032() async throws {
        try await Self.expectBroken(field: .identOffset, [0xFFFF_FFFF, 0x0010_0000])
        try await Self.expectBroken(field: .teamIDOffset, [0xFFFF_FFFF, 0x0010_0000])
        // Without a NUL behind it: from there on nothing but what is no NUL.
        try await Self.expectBroken("SignatureFailed", "code-directory-malformed") { signature in
            signature.eachDirectory { directory in
                directory.edit = { bytes in
                    bytes[bytes.count - 4..<bytes.count] = [1, 1, 1, 1]
                    let start = UInt32(bytes.count - 4)
                    bytes[20...23] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: start >> $0) }[...]
                }
            }
        }
        try await Self.expect(file: try Self.directory { $0.teamID = "T" }, "valid", ["note team-in-adhoc-signature"])
    }

    @Test("condition 033: hash arrays out of range")
    func condition033() async throws {
        try await Self.expectBroken(field: .hashOffset, [0xFFFF_FFFF, 0, 8, 0x0010_0000])
        try await Self.expectBroken(field: .nSpecialSlots, [0xFFFF_FFFF, 1000])
        try await Self.expect(file: try Self.directory { $0.specialSlotCount = 7 }, "valid", [])
    }

    @Test("condition 034: scatter vector out of range")
    func condition034() async throws {
        try await Self.expectBroken(field: .scatterOffset, [0xFFFF_FFFF, 0x0010_0000])
        try await Self.expectBroken("SignatureFailed", "code-directory-malformed") { signature in
            signature.eachDirectory { directory in
                // No terminator before the end.
                directory.edit = { bytes in
                    let start = UInt32(bytes.count - 24)
                    bytes[44...47] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: start >> $0) }[...]
                }
            }
        }
    }

    @Test("condition 035: scatter vector present and valid")
    func condition035() async throws {
        let scattered = try Self.directory { $0.scatter = [.init(count: 3, base: 100), .init(count: 6, base: 0)] }
        try await Self.expect(file: scattered, "valid", [])
        // Hashed in a row all the same: a page is a page.
        var altered = scattered
        altered[0x5123] ^= 1
        try await Self.expect(file: altered, "SignatureFailed", architecture: "arm64", ["error page-altered"])
    }

    @Test("condition 036: nCodeSlots inconsistent with limit and page size")
    func condition036() async throws {
        try await Self.expectBroken(field: .nCodeSlots, [0, 1, 8])
        try await Self.expectBroken(field: .pageSize, [13, 0, 63, 255])
        try await Self.expectBroken(field: .codeLimit, [0, 4096])
        try await Self.expect(file: try Self.directory { $0.pageSizeLog2 = 14 }, "valid", [])
    }

    @Test("condition 037: pageSize 0")
    func condition037() async throws {
        let whole = try Self.directory { $0.pageSizeLog2 = 0 }
        try await Self.expect(file: whole, "valid", ["warning kernel-page-size"])
        var altered = whole
        altered[0x5123] ^= 1
        try await Self.expect(
            file: altered, "SignatureFailed", architecture: "arm64",
            ["warning kernel-page-size", "error page-altered"])
        try await Self.expect(file: try Self.directory { $0.pageSizeLog2 = 16 }, "valid", ["warning kernel-page-size"])
    }

    @Test("condition 038: hashSize not the digest size")
    func condition038() async throws {
        for size: UInt64 in [20, 31] {
            let file = try Self.directory { $0.fields[.hashSize] = size }
            let report = try await Self.expect(file: file, "SignatureFailed", architecture: "arm64", nil)
            #expect(report.ids.contains("code-directory-hash-size"))
        }
        try await Self.expect(file: try Self.directory([.sha384]) { _ in }, "valid", [])
    }

    @Test("condition 039: only unsupported hash types")
    func condition039() async throws {
        try await Self.expectBroken(
            field: .hashType, [0, 5, 6, 255], "UnsupportedDigestAlgorithm", "code-directory-hash-type")
        // Beside one that is supported it does not matter.
        let beside = try Self.dylib { image in
            image.signature = SignatureBuilder([.sha256, .sha384])
            image.signature?.directories[1].fields[.hashType] = 5
        }
        let report = try await Self.expect(file: beside, "valid", nil)
        #expect(report.isSealed == true)
    }

    @Test("condition 040: two CDs with the same hash type")
    func condition040() async throws {
        try await Self.expectBroken("SignatureInvalid", "code-directory-duplicate") { signature in
            signature.directories.append(signature.directories[0])
        }
        try await Self.expect(file: try Self.directory([.sha1, .sha256]) { _ in }, "valid", [])
    }

    @Test("condition 041: alternate CD after a missing alternate slot")
    func condition041() async throws {
        func moved(to slot: UInt32, broken: Bool) throws -> [UInt8] {
            try Self.dylib { image in
                image.signature = SignatureBuilder([.sha1, .sha256])
                if broken { image.signature?.directories[1].codeSlots[3] = [UInt8](repeating: 7, count: 32) }
                image.signature?.arrange = { try $0.edit(0x1000) { $0.type = slot } }
            }
        }
        // What lies behind the gap is not looked at, right or wrong; what rules then is SHA-1.
        for broken in [true, false] {
            try await Self.expect(
                file: try moved(to: 0x1001, broken: broken), "valid",
                ["warning alternate-unreachable", "error digest-weak"])
        }
        try await Self.expect(
            file: try moved(to: 0x1000, broken: true), "SignatureFailed", architecture: "arm64",
            ["error page-altered"])
    }

    @Test("condition 042: alternate CD with other page size or fewer pages")
    func condition042() async throws {
        func alternate(_ body: @escaping (inout CodeDirectoryBuilder) -> Void) throws -> [UInt8] {
            try Self.dylib { image in
                image.signature = SignatureBuilder([.sha1, .sha256])
                if let first = image.signature?.directories.first {
                    var directory = first
                    body(&directory)
                    image.signature?.directories[0] = directory
                }
            }
        }
        try await Self.expect(
            file: try alternate { $0.pageSizeLog2 = 14 }, "SignatureFailed", architecture: "arm64",
            ["error page-altered"])
        try await Self.expect(
            file: try alternate { $0.codeLimit = 0x4000 }, "SignatureFailed", architecture: "arm64",
            ["error page-altered"])
        // The one that rules is shorter: the rest of the other is compared by nobody.
        let longer = try Self.dylib { image in
            image.signature = SignatureBuilder([.sha1, .sha256])
            image.signature?.directories[1].codeLimit = 0x4000
        }
        try await Self.expect(
            file: longer, "SignatureInvalid", ["warning alternate-reaches-further", "error code-limit-short"])
        try await Self.expect(
            file: longer, "valid", ["warning alternate-reaches-further", "error code-limit-short"],
            options: Self.notStrict)
    }

    @Test("condition 043: alternate CD with wrong special-slot hash")
    func condition043() async throws {
        let junk = [UInt8](repeating: 7, count: 20)
        let stale = try Self.dylib { image in
            image.signature = SignatureBuilder([.sha1, .sha256])
            image.signature?.directories[0].specialSlots[2] = junk
        }
        try await Self.expect(file: stale, "valid", ["warning alternate-slot-differs"])
        let ruling = try Self.dylib { image in
            image.signature = SignatureBuilder([.sha1, .sha256])
            image.signature?.directories[1].specialSlots[2] = junk + [UInt8](repeating: 7, count: 12)
        }
        try await Self.expect(file: ruling, "SignatureFailed", architecture: "arm64", ["error requirements-altered"])
    }

    @Test("condition 044: CDs disagree on identifier, flags or team ID")
    func condition044() async throws {
        for body: (inout CodeDirectoryBuilder) -> Void in [
            { $0.identifier = "other" }, { $0.flags = 0x10002 }, { $0.teamID = "TEAM123456" },
        ] {
            let file = try Self.dylib { image in
                image.signature = SignatureBuilder([.sha1, .sha256])
                guard var directory = image.signature?.directories.first else { return }
                body(&directory)
                image.signature?.directories[0] = directory
            }
            try await Self.expect(file: file, "valid", ["warning code-directories-disagree"])
        }
        try await Self.expect(file: try Self.directory([.sha1, .sha256]) { _ in }, "valid", [])
    }

    @Test("condition 045: page hash mismatch in any viable CD")
    func condition045() async throws {
        for index in 0...2 {
            let file = try Self.dylib { image in
                image.signature = SignatureBuilder([.sha1, .sha256, .sha384])
                let size = image.signature?.directories[index].hash.size ?? 0
                image.signature?.directories[index].codeSlots[2] = [UInt8](repeating: 7, count: size)
            }
            try await Self.expect(file: file, "SignatureFailed", architecture: "arm64", ["error page-altered"])
            var options = CodesignOptions.deepStrict
            options.executable = false
            try await Self.expect(file: file, "valid", ["error page-altered"], options: options)
        }
        try await Self.expect(file: try Self.directory([.sha1, .sha256, .sha384]) { _ in }, "valid", [])
    }

    @Test("condition 046: code limit beyond the end of file")
    func condition046() async throws {
        // One page more than there is, with a slot for it.
        let size = try Self.dylib().count
        let beyond = try Self.dylib { image in
            image.signature?.eachDirectory { directory in
                let pages = (size + 0x4000) / 4096
                directory.fields[.codeLimit] = UInt64(pages * 4096)
                directory.codeSlots = [:]
                directory.edit = { _ in }
            }
        }
        // The slots do not fit the limit then, which is told before.
        try await Self.expect(
            file: beyond, "SignatureFailed", architecture: "arm64", ["error code-directory-malformed"])
        // The file cut before its last page of code, and nothing else wrong.
        let cut = try Self.dylib { image in
            image.signature?.eachDirectory { directory in
                directory.pageSizeLog2 = 0
                directory.fields[.codeLimit] = UInt64(size + 1)
            }
        }
        let report = try await Self.expect(file: cut, "SignatureFailed", architecture: "arm64", nil)
        #expect(!Set(report.ids).isDisjoint(with: ["code-limit-beyond-end", "page-altered"]))
    }

    @Test("condition 047: code limit ≠ signing extent")
    func condition047() async throws {
        let short = try Self.directory { $0.codeLimit = 0x6000 }
        try await Self.expect(file: short, "SignatureInvalid", ["error code-limit-short"])
        try await Self.expect(file: short, "valid", ["error code-limit-short"], options: Self.notStrict)
        // What is past the limit can be anything.
        var altered = short
        altered[0x7000] ^= 1
        try await Self.expect(file: altered, "valid", ["error code-limit-short"], options: Self.notStrict)
        altered[0x5000] ^= 1
        try await Self.expect(
            file: altered, "SignatureFailed", architecture: "arm64", ["error code-limit-short", "error page-altered"],
            options: Self.notStrict)
    }

    @Test("condition 048: `__LINKEDIT` end ≠ slice end, or no `__LINKEDIT`/symtab")
    func condition048() async throws {
        let short = try Self.dylib { $0.linkeditCoversSignature = false }
        let none = try Self.dylib { image in
            image.hasLinkedit = false
            image.hasSymbolTable = false
        }
        for file in [short, none] {
            try await Self.expect(file: file, "BadMainExecutable", ["error linkedit-not-at-end"])
            try await Self.expect(file: file, "valid", ["error linkedit-not-at-end"], options: Self.notStrict)
        }
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }

    @Test("condition 049: data appended to a thin signed file")
    func condition049() async throws {
        let longer = try Self.dylib() + [0]
        try await Self.expect(file: longer, "BadMainExecutable", ["error linkedit-not-at-end"])
        try await Self.expect(file: longer, "valid", ["error linkedit-not-at-end"], options: Self.notStrict)
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }
}
