import SealCheck
import TestSupport
import Testing

/// Mach-O files and CodeDirectories.
extension FieldCases {
    /// The demo with an edited main executable.
    static func executable(_ body: (inout MachOBuilder) throws -> Void) throws -> BundleBuilder {
        var app = Demo.standard
        try app.executable?.eachSlice(body)
        return app
    }

    @Test("SIG-01 the last page hashed as if it were full")
    func sig01() async throws {
        try await Self.expect(try FaultCase(.lastPagePadded).build(from: Demo.standard), ["error page-altered"])
        try await Self.expect(Demo.standard, [])
    }

    @Test("SIG-03 __LINKEDIT does not reach the end of the signature")
    func sig03() async throws {
        try await Self.expect(try Self.executable { $0.linkeditCoversSignature = false }, ["error linkedit-not-at-end"])
    }

    @Test("SIG-04 the signature is aligned to 8 instead of 16")
    func sig04() async throws {
        try await Self.expect(try Self.executable { $0.signatureOffset = 8 }, ["warning signature-misaligned"])
    }

    @Test("SIG-05 pages of 16 KiB")
    func sig05() async throws {
        for shift: UInt8 in [12, 14] {
            let app = try Self.executable { $0.signature?.directories[0].pageSizeLog2 = shift }
            try await Self.expect(app, [])
        }
    }

    @Test("SIG-09 a CodeDirectory before 0x20400")
    func sig09() async throws {
        let app = try Self.executable { $0.signature?.directories[0].version = 0x20100 }
        try await Self.expect(app, ["warning code-directory-old"])
    }

    @Test("SIG-10 SHA-1 only")
    func sig10() async throws {
        var app = Demo.standard
        app.executable?.eachSlice { $0.signature = SignatureBuilder([.sha1]) }
        app.seal.hashes = [.sha1]
        try await Self.expect(app, ["error digest-weak"])
    }

    @Test("SIG-13 special slots and what they are for")
    func sig13() async throws {
        try await Self.expect(Demo.standard, [])
        try await Self.expect(
            try FaultCase(.infoSlotZeroed).build(from: Demo.standard), ["warning info-plist-not-bound"])
    }

    @Test("SIG-16 a universal file with an unsigned slice")
    func sig16() async throws {
        var app = Demo.fat
        app.executable?.slices[1].signature = nil
        let report = try await Verifier().verify(try app.sealed())
        Self.compare(report, ["error unsigned"])
        #expect(report.findings.first?.finding.subject.slice == "x86_64")
        #expect(report.findings.first?.finding.message.contains("x86_64") == true)
    }

    @Test("SIG-17 how a universal file is put together")
    func sig17() async throws {
        func app(_ body: @escaping @Sendable (inout UniversalBuilder) throws -> Void) -> BundleBuilder {
            var app = Demo.fat
            app.executable?.arrangeSlices = body
            return app
        }
        try await Self.expect(
            app { universal in
                for index in universal.slices.indices { universal.slices[index].alignment = 12 }
            }, ["warning slice-misaligned"])
        try await Self.expect(app { $0.slices[1].gapByte = 7 }, ["error universal-gap"])
        try await Self.expect(app { $0.trailing = [1, 2, 3] }, ["error universal-gap"])
    }

    @Test("SIG-18 neither the ad-hoc flag nor a message")
    func sig18() async throws {
        for cms in [SignatureBuilder.CMS.absent, .empty] {
            let app = try Self.executable {
                $0.signature?.directories[0].flags = 0
                $0.signature?.cms = cms
            }
            try await Self.expect(app, ["error no-adhoc-flag"])
            try await Self.expect(app, ["warning no-adhoc-flag"], profile: .integrity)
        }
    }

    @Test("SIG-19 a library that only the linker signed")
    func sig19() async throws {
        try await Self.expect(
            try FaultCase(.linkerSigned, at: "PlugIns/Widget.appex", rebuilding: .all).build(from: Demo.standard),
            ["error linker-signed-bundle", "error seal-not-bound", "warning info-plist-not-bound"])
        var app = Demo.standard
        try app.updateCode("Frameworks/libTools.dylib") { code in
            code.eachSlice { $0.signature = .linker(identifier: "libTools.dylib") }
        }
        try await Self.expect(app, [])
    }

    @Test("SIG-20 a load command inserted after signing")
    func sig20() async throws {
        let report = try await Verifier().verify(
            try FaultCase(.loadCommandInserted, at: "PlugIns/Widget.appex", rebuilding: .all).build(from: Demo.standard)
        )
        Self.compare(report, ["error page-altered"])
        #expect(report.findings.first?.finding.evidence.pages?.first == 0)
    }

    @Test("SIG-22 a load command whose size is not aligned")
    func sig22() async throws {
        let app = try Self.executable { image in
            image.commands.append(LoadCommandBytes(0x2a, body: [UInt8](repeating: 0, count: 53)))
        }
        let report = try await Verifier().verify(try app.sealed())
        #expect(
            report.findings.contains { $0.finding.id.rawValue == "load-command-misaligned" && $0.severity == .warning })
    }

    @Test("SIG-23 an unsigned file with bytes after its symbols")
    func sig23() async throws {
        let app = try Self.executable {
            $0.signature = nil
            $0.linkeditTail = [UInt8](repeating: 1, count: 64)
        }
        try await Self.expect(app, ["error unsigned"])
    }

    @Test("SIG-24 encrypted code")
    func sig24() async throws {
        let app = try Self.executable { $0.encryption = .init(cryptID: 1) }
        try await Self.expect(app, ["error encrypted-code"])
        let widget = try Self.widget { $0.executable?.eachSlice { $0.encryption = .init(cryptID: 1) } }
        try await Self.expect(widget, ["error encrypted-code"])
        var fat = Demo.fat
        fat.executable?.slices[0].encryption = .init(cryptID: 0)
        fat.executable?.slices[1].encryption = .init(cryptID: 1)
        try await Self.expect(fat, ["warning encrypted-slice"])
    }

    @Test("SIG-26 one page changed in the extension")
    func sig26() async throws {
        var app = Demo.standard
        try app.edit("PlugIns/Widget.appex", rebuilding: .none) { try $0.flip("Widget", at: 0x5000) }
        let report = try await Verifier().verify(try app.sealed())
        Self.compare(report, ["error page-altered", "error resource-altered"])
        #expect(report.findings.compactMap(\.finding.evidence.pages) == [[5]])
    }

    @Test("SIG-28 two signature commands, and one in the middle")
    func sig28() async throws {
        let twice = try Self.executable { image in
            image.arrangeCommands = { commands in
                if let last = commands.last { commands.append(last) }
            }
        }
        try await Self.expect(twice, ["warning duplicate-signature-command"])
        let middle = try Self.executable { image in
            image.arrangeCommands = { commands in
                if let last = commands.popLast() { commands.insert(last, at: 2) }
            }
        }
        try await Self.expect(middle, [])
    }
}
