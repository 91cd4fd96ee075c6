import SealCheck
import TestSupport
import Testing

/// Universal files: the table, what lies between the slices, and which slices are looked at.
extension ParityConditions {
    /// A lone library with slices for arm64 and x86_64, its table edited.
    static func fat(
        _ cpus: [CPU] = [.arm64, .x86_64], _ arrange: (@Sendable (inout UniversalBuilder) throws -> Void)? = nil,
        code: (inout CodeFile) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var dylib = CodeFile.dylib("libFat.dylib")
        dylib.makeUniversal(cpus)
        dylib.isUniversal = true
        dylib.arrangeSlices = arrange
        try code(&dylib)
        return try dylib.build()
    }

    static let primaryOnly = CodesignOptions(allArchitectures: false)

    @Test("condition 005: fat64 container")
    func condition005() async throws {
        let wide = try Self.fat([.arm64]) { $0.magic = UniversalBuilder.magic64 }
        let report = try await Self.expect(file: wide, "Unsigned", nil)
        #expect(report.ids.contains("universal-64-bit"))
        try await Self.expect(file: try Self.fat([.arm64]), "valid", [])
    }

    @Test("condition 007: fat header with > 100 slices or unreadable table (+1 entry)")
    func condition007() async throws {
        let many = try Self.fat { $0.count = 101 }
        try await Self.expect(file: many, "ENOEXEC", ["error universal-header-malformed"])
        // One slice and a table of which only the entry itself is there.
        let short = Array(try Self.fat([.arm64]).prefix(8 + 20 + 19))
        try await Self.expect(file: short, "ENOEXEC", ["error universal-header-malformed"])
        try await Self.expect(file: try Self.fat(), "valid", [])
    }

    @Test("condition 008: hidden arm64 entry after the counted ones")
    func condition008() async throws {
        func hidden(_ cpu: CPU) throws -> [UInt8] {
            try Self.fat([.x86_64, cpu]) { file in
                file.slices[1].isCounted = false
                // Something is wrong in it, which shows whether it is looked at.
                file.slices[1].image[0x5123] ^= 1
            }
        }
        // It counts, and it is the one that an arm64 machine picks.
        try await Self.expect(
            file: try hidden(.arm64), "SignatureFailed", architecture: "arm64", ["error page-altered"])
        // Of another type it does not: its bytes belong to no slice.
        try await Self.expect(file: try hidden(.i386), "BadMainExecutable", ["error universal-gap"])
    }

    @Test("condition 009: two slices at the same offset")
    func condition009() async throws {
        let same = try Self.fat { file in
            // The first slice stands at the first multiple of 16 KiB behind the table.
            file.slices[1].offset = 1 << 14
            file.slices[1].image = []
            file.slices[1].size = UInt64(file.slices[0].image.count)
        }
        for options in [CodesignOptions.deepStrict, Self.notStrict, Self.primaryOnly] {
            try await Self.expect(file: same, "errSecInternalError", nil, options: options)
        }
        try await Self.expect(file: try Self.fat(), "valid", [])
    }

    @Test("condition 010: non-zero or over-wide gap between slices, more slices after it")
    func condition010() async throws {
        let three: [CPU] = [.arm64, .x86_64, .i386]
        for arrange: @Sendable (inout UniversalBuilder) -> Void in [
            { file in
                file.slices[1].gapByte = 0xAA
                file.slices[1].extraGap = 64
            },
            { $0.slices[1].extraGap = 1 << 12 }, { $0.slices[1].alignment = 31 },
        ] {
            let gap = try Self.fat(three, arrange)
            // Whether strict or not, where all architectures are wanted.
            try await Self.expect(file: gap, "errSecInternalError", ["error universal-gap"])
            try await Self.expect(file: gap, "errSecInternalError", ["error universal-gap"], options: Self.notStrict)
            var primary = Self.notStrict
            primary.allArchitectures = false
            try await Self.expect(file: gap, "valid", ["error universal-gap"], options: primary)
        }
        // A gap of zeros that the alignment explains.
        try await Self.expect(file: try Self.fat(three) { $0.slices[1].extraGap = 64 }, "valid", [])
    }

    @Test("condition 011: same, last slice affected")
    func condition011() async throws {
        for arrange: @Sendable (inout UniversalBuilder) -> Void in [
            { file in
                file.slices[1].gapByte = 0xAA
                file.slices[1].extraGap = 64
            },
            { $0.slices[1].extraGap = 1 << 12 },
        ] {
            let gap = try Self.fat([.arm64, .x86_64], arrange)
            try await Self.expect(file: gap, "BadMainExecutable", ["error universal-gap"])
            try await Self.expect(file: gap, "valid", ["error universal-gap"], options: Self.notStrict)
        }
        try await Self.expect(file: try Self.fat { $0.slices[1].extraGap = 64 }, "valid", [])
    }

    @Test("condition 012: bytes after the last slice")
    func condition012() async throws {
        let longer = try Self.fat { $0.trailing = [0] }
        try await Self.expect(file: longer, "BadMainExecutable", ["error universal-gap"])
        try await Self.expect(file: longer, "valid", ["error universal-gap"], options: Self.notStrict)
        try await Self.expect(file: try Self.fat(), "valid", [])
    }

    @Test("condition 013: non-zero bytes between fat header and first slice")
    func condition013() async throws {
        let alone = try Self.fat([.arm64]) { $0.slices[0].gapByte = 1 }
        try await Self.expect(file: alone, "BadMainExecutable", ["error universal-gap"])
        try await Self.expect(file: alone, "valid", ["error universal-gap"], options: Self.notStrict)
        let first = try Self.fat { $0.slices[0].gapByte = 1 }
        try await Self.expect(file: first, "errSecInternalError", ["error universal-gap"], options: Self.notStrict)
        // Zeros may be any number.
        try await Self.expect(file: try Self.fat { $0.slices[0].extraGap = 3 << 14 }, "valid", [])
    }

    @Test("condition 014: duplicate (type, subtype) entries")
    func condition014() async throws {
        // The second is never looked at, however broken.
        let broken = try Self.fat([.arm64, .arm64]) { $0.slices[1].image[0x5123] ^= 1 }
        try await Self.expect(
            file: broken, "valid", ["warning universal-duplicate-slice", "error page-altered"])
        let whole = try Self.fat([.arm64, .arm64])
        try await Self.expect(file: whole, "valid", ["warning universal-duplicate-slice"])
        let first = try Self.fat([.arm64, .arm64]) { $0.slices[0].image[0x5123] ^= 1 }
        try await Self.expect(
            file: first, "SignatureFailed", architecture: "arm64",
            ["warning universal-duplicate-slice", "error page-altered"])
    }

    @Test("condition 015: slices with different file types")
    func condition015() async throws {
        let mixed = try Self.fat(code: { $0.slices[1].kind = .bundle })
        try await Self.expect(file: mixed, "ENOEXEC", ["warning universal-types-differ"])
        try await Self.expect(file: mixed, "valid", ["warning universal-types-differ"], options: Self.notStrict)
        try await Self.expect(file: try Self.fat(), "valid", [])
    }

    @Test("condition 016: slices with different team IDs or only some with one")
    func condition016() async throws {
        func teams(_ first: String?, _ second: String?) throws -> [UInt8] {
            try Self.fat(code: { code in
                code.slices[0].signature?.eachDirectory { $0.teamID = first }
                code.slices[1].signature?.eachDirectory { $0.teamID = second }
            })
        }
        let note = "note team-in-adhoc-signature"
        try await Self.expect(
            file: try teams("TEAM123456", "TEAM654321"), "SignatureInvalid", [note, "error universal-teams-differ"])
        try await Self.expect(
            file: try teams("TEAM123456", nil), "SignatureInvalid", [note, "error universal-teams-differ"])
        try await Self.expect(
            file: try teams("TEAM123456", nil), "valid", [note, "error universal-teams-differ"],
            options: Self.primaryOnly)
        try await Self.expect(file: try teams("TEAM123456", "TEAM123456"), "valid", [note])
    }

    @Test("condition 017: one slice unsigned")
    func condition017() async throws {
        let other = try Self.fat(code: { $0.slices[1].signature = nil })
        try await Self.expect(file: other, "Unsigned", ["error unsigned"])
        try await Self.expect(file: other, "valid", ["error unsigned"], options: Self.primaryOnly)
        let primary = try Self.fat(code: { $0.slices[0].signature = nil })
        try await Self.expect(file: primary, "Unsigned", architecture: "arm64", ["error unsigned"])
    }

    @Test("condition 018: non-primary slice: bad page or slots 1, 2, 4–11")
    func condition018() async throws {
        let page = try Self.fat { $0.slices[1].image[0x5123] ^= 1 }
        try await Self.expect(file: page, "SignatureFailed", architecture: "x86_64", ["error page-altered"])
        try await Self.expect(file: page, "valid", ["error page-altered"], options: Self.primaryOnly)
        let junk = [UInt8](repeating: 7, count: 32)
        for (slot, finding) in [(2, "requirements-altered"), (5, "entitlements-missing"), (8, "constraint-missing")] {
            let file = try Self.fat(code: { code in
                code.slices[1].signature?.eachDirectory { $0.specialSlots = [slot: junk] }
            })
            try await Self.expect(file: file, "SignatureFailed", architecture: "x86_64", ["error \(finding)"])
        }
        var app = Demo.fat
        app.executable?.slices[1].signature?.eachDirectory { $0.specialSlots[1] = junk }
        try await Self.expect(app, "InfoPlistFailed", architecture: "x86_64", ["error info-plist-altered"])
    }

    @Test("condition 019: non-primary slice: slot 3 hash differs")
    func condition019() async throws {
        let junk = [UInt8](repeating: 7, count: 32)
        var app = Demo.fat
        app.executable?.slices[1].signature?.eachDirectory { $0.specialSlots[3] = junk }
        let report = try await Self.expect(app, "valid", ["error slice-seal-differs"])
        #expect(report.isSealed == false)
        var primary = Demo.fat
        primary.executable?.slices[0].signature?.eachDirectory { $0.specialSlots[3] = junk }
        let seal = try await Self.expect(primary, "ResourceDirectoryFailed", nil)
        #expect(seal.ids.contains("seal-altered"))
    }
}
