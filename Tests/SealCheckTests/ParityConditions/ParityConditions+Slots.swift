import SealCheck
import TestSupport
import Testing

/// The message, and what the CodeDirectory hashes beside code.
extension ParityConditions {
    /// The demo with another signature of its main executable.
    static func signed(_ body: @escaping (inout SignatureBuilder) throws -> Void) throws -> BundleBuilder {
        var app = Demo.standard
        try app.eachSignature(body)
        return app
    }

    /// The demo with the flags of its main executable cleared, and this in its CMS slot.
    static func notAdhoc(_ cms: SignatureBuilder.CMS) throws -> BundleBuilder {
        try signed {
            $0.eachDirectory { $0.flags = 0 }
            $0.cms = cms
        }
    }

    @Test("condition 050: ad-hoc flag set, CMS absent/empty/garbage")
    func condition050() async throws {
        for cms: SignatureBuilder.CMS in [.empty, .absent, .wrapped([1, 2, 3, 4]), .raw(Blob.make(0xFADE_0000, [1]))] {
            try await Self.expect(try Self.signed { $0.cms = cms }, "valid", [])
        }
    }

    @Test("condition 051: ad-hoc flag clear, CMS slot absent")
    func condition051() async throws {
        try await Self.expect(
            try Self.notAdhoc(.absent), "Unsigned", architecture: "arm64", ["error no-adhoc-flag"])
        try await Self.expect(
            try Self.notAdhoc(.absent), "Unsigned", architecture: "arm64", ["warning no-adhoc-flag"],
            profile: .integrity)
        // Never valid, but which error an empty message ends in is not published.
        let report = try await Self.expect(try Self.notAdhoc(.empty), "invalid", ["error no-adhoc-flag"])
        #expect(report.codesign?.gap == "3")
    }

    @Test("condition 052: ad-hoc flag clear, CMS undecodable")
    func condition052() async throws {
        // No ASN.1 at all; a whole value of another type; a message that is cut off.
        let message = try SigningIdentity.shared.get().sign([(.sha256, [1, 2, 3])])
        for bytes in [[1, 2, 3, 4], [0x30, 0x03, 0x02, 0x01, 0x01], Array(message.dropLast(9))] {
            try await Self.expect(
                try Self.notAdhoc(.wrapped(bytes)), "errSecUnknownFormat", architecture: "arm64",
                ["error certificate-signed", "error cms-undecodable"])
        }
        // A message over another CodeDirectory, as when one is replaced and the message kept.
        try await Self.expect(
            try Self.notAdhoc(.wrapped(message)), "SignatureFailed", architecture: "arm64",
            ["error certificate-signed", "error cms-invalid"])
        var app = Demo.standard
        app.executable?.eachSlice { $0.signature = .certificate() }
        try await Self.expect(app, "valid", ["error certificate-signed"])
        try await Self.expect(app, "valid", ["note certificate-signed"], profile: .integrity)
    }

    /// The attributes with the hashes of all CodeDirectories (issue: an alternate one that was replaced).
    @Test("condition 052: a message that lists another alternate CodeDirectory")
    func condition052Attributes() async throws {
        var app = Demo.standard
        app.useHashes([.sha1, .sha256])
        app.executable?.eachSlice { $0.signature = .certificate([.sha1, .sha256]) }
        try await Self.expect(app, "valid", ["error certificate-signed"])
        app.executable?.eachSignature { signature in
            signature.arrange = { superBlob in
                // The platform byte, which nothing else looks at.
                try superBlob.edit(0x1000) { $0.blob[38] ^= 1 }
            }
        }
        try await Self.expect(
            app, "SignatureFailed", architecture: "arm64", ["error certificate-signed", "error cms-of-other-code"])
    }

    @Test("condition 053: ad-hoc with a team ID")
    func condition053() async throws {
        let named = try Self.signed { $0.eachDirectory { $0.teamID = "TEAM123456" } }
        try await Self.expect(named, "valid", ["note team-in-adhoc-signature"])
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 054: linker-signed bare Mach-O")
    func condition054() async throws {
        var dylib = CodeFile.dylib("libTool.dylib")
        dylib.eachSlice { $0.signature = .linker(identifier: "libTool.dylib") }
        try await Self.expect(file: try dylib.build(), named: "libTool.dylib", "valid", [])
        dylib.eachSlice { $0.signature = nil }
        try await Self.expect(
            file: try dylib.build(), named: "libTool.dylib", "Unsigned", architecture: "arm64", ["error unsigned"])
    }

    @Test("condition 055: linker-signed executable in a bundle")
    func condition055() async throws {
        let report = try await Self.expect(
            try FaultCase(.linkerSigned).build(from: Demo.standard), "ResourcesNotFound", nil)
        #expect(report.ids.contains("linker-signed-bundle"))
        #expect(report.ids.contains("seal-not-bound"))
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 056: Info.plist altered, or missing but hashed")
    func condition056() async throws {
        try await Self.expect(
            try FaultCase(.infoPlistEdited).build(from: Demo.standard), "InfoPlistFailed", architecture: "arm64",
            ["error info-plist-altered"])
        let missing = try await Self.expect(
            try FaultCase(.infoPlistRemoved).build(from: Demo.standard), "InfoPlistFailed", architecture: "arm64", nil)
        #expect(missing.ids.contains("info-plist-missing"))
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 057: Info.plist present but slot −1 zero or absent")
    func condition057() async throws {
        try await Self.expect(
            try FaultCase(.infoSlotZeroed).build(from: Demo.standard), "valid", ["warning info-plist-not-bound"])
        try await Self.expect(
            try Self.signed { $0.eachDirectory { $0.specialSlots[1] = [UInt8](repeating: 1, count: 32) } },
            "InfoPlistFailed", architecture: "arm64", ["error info-plist-altered"])
    }

    @Test("condition 064: raw slot (4, 6) not wrapped")
    func condition064() async throws {
        for slot in [4, 6] {
            let contents = Array("contents".utf8)
            let bare = try Self.signed { $0.blobs[slot] = Blob.make(0xFADE_7171, contents) }
            let report = try await Self.expect(bare, "SignatureInvalid", architecture: "arm64", nil)
            #expect(report.ids.contains("slot-not-wrapped"))
        }
        let wrapped = try Self.signed { $0.blobs[6] = Blob.make(Blob.wrapper, Array("contents".utf8)) }
        try await Self.expect(wrapped, "valid", [])
    }

    @Test("condition 065: top directory list differs")
    func condition065() async throws {
        func list(_ slots: [UInt32]) throws -> BundleBuilder {
            try Self.signed { signature in
                signature.blobs[4] = Blob.make(
                    Blob.wrapper,
                    slots.flatMap { slot in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: slot >> $0) } })
            }
        }
        // What the signature has: a CodeDirectory, Info.plist, requirements, seal, this list, a message.
        try await Self.expect(try list([0, 1, 2, 3, 4, 0x10000]), "valid", [])
        for slots: [UInt32] in [
            [0, 1, 2, 3, 0x10000], [0, 1, 2, 3, 4, 5, 0x10000], [1, 0, 2, 3, 4, 0x10000], [], [0, 1, 2, 3, 4],
        ] {
            try await Self.expect(
                try list(slots), "SignatureFailed", architecture: "arm64", ["error top-directory-differs"])
        }
    }

    @Test("condition 067: hash slots beyond −11")
    func condition067() async throws {
        let junk = [UInt8](repeating: 7, count: 32)
        let beyond = try Self.signed { $0.eachDirectory { $0.specialSlots = [12: junk, 14: junk] } }
        try await Self.expect(beyond, "valid", [])
        let within = try Self.signed { $0.eachDirectory { $0.specialSlots = [11: junk] } }
        try await Self.expect(within, "SignatureFailed", architecture: "arm64", ["error constraint-missing"])
    }

    @Test("condition 068: component both embedded and from `_CodeSignature` files")
    func condition068() async throws {
        func stray(_ name: String, slots: Int) throws -> BundleBuilder {
            var app = try Self.signed { $0.eachDirectory { $0.specialSlotCount = slots } }
            app.edit(.afterSealing) { $0.add("_CodeSignature/\(name)", Blob.make(Blob.entitlements, [1])) }
            return app
        }
        for options in [CodesignOptions.deepStrict, Self.notStrict] {
            try await Self.expect(
                try stray("CodeEntitlements", slots: 5), "SignatureFailed", architecture: "arm64",
                ["error signature-parts-mixed", "error signature-folder-stray"], options: options)
            // The first alternate is asked for whatever else there is.
            try await Self.expect(
                try stray("CodeRequirements-1", slots: 3), "SignatureFailed", architecture: "arm64",
                ["error signature-parts-mixed", "error signature-folder-stray"], options: options)
        }
        // Without room in the CodeDirectory nobody asks for entitlements: only a stray file.
        try await Self.expect(
            try stray("CodeEntitlements", slots: 3), "UnsealedAppRoot", ["error signature-folder-stray"])
        try await Self.expect(
            try stray("CodeEntitlements", slots: 3), "valid", ["error signature-folder-stray"],
            options: Self.notStrict)
    }
}
