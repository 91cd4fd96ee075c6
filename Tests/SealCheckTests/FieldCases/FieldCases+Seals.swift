import Foundation
import SealCheck
import TestSupport
import Testing

/// Resource seals.
extension FieldCases {
    @Test("SEAL-01 a profile was put into the extension after it was sealed")
    func seal01() async throws {
        var app = Demo.standard
        try app.edit("PlugIns/Widget.appex", rebuilding: .all) { $0.add("embedded.mobileprovision", text: "profile") }
        let report = try await Verifier().verify(try app.sealed())
        Self.compare(report, ["error resource-added"])
        #expect(report.findings.first?.finding.subject.code == "Demo.app/PlugIns/Widget.appex")
        #expect(report.codesignName == "valid")

        app = Demo.standard
        app.files.add("embedded.mobileprovision", text: "old")
        app.edit(.atTheEnd) { $0.add("embedded.mobileprovision", text: "new") }
        try await Self.expect(app, ["error resource-altered"])
    }

    @Test("SEAL-02 the seal lists files that its own rules leave out")
    func seal02() async throws {
        var app = Demo.standard
        app.seal.edit = { seal in
            for name in ["Info.plist", "PkgInfo"] {
                seal["files2"]?[name] = ["hash2": .data(Sha.sha256.digest(Array("right or wrong".utf8)))]
            }
        }
        try await Self.expect(app, ["error resource-sealed-but-omitted", "error resource-sealed-but-omitted"])
    }

    @Test("SEAL-03 the seal has SHA-1 only, the signature is SHA-256")
    func seal03() async throws {
        var app = Demo.standard
        app.seal.hashes = [.sha1]
        let report = try await Verifier().verify(try app.sealed())
        #expect(Set(report.ids) == ["resource-digest-absent"])
        #expect(report.outcome == .fail)
        #expect(report.codesignName == "BadResource")
    }

    @Test("SEAL-04 hash2 is right, hash is wrong")
    func seal04() async throws {
        func wrong(_ app: BundleBuilder) -> BundleBuilder {
            var app = app
            app.seal.edit = { seal in
                seal["files2"]?["Assets.car"]?["hash"] = .data(Sha.sha1.digest([1]))
            }
            return app
        }
        try await Self.expect(wrong(Demo.dual), ["error resource-altered"])
        try await Self.expect(wrong(Demo.standard), [])
    }

    @Test("SEAL-07 custom rules omit more")
    func seal07() async throws {
        var app = Demo.standard
        app.seal.rules2 =
            Array<TestSupport.ResourceRule>.defaultRules2(resources: "") + [
                TestSupport.ResourceRule("^extra/", weight: 30, omit: true)
            ]
        app.edit(.atTheEnd) { $0.add("extra/x", text: "unsealed") }
        try await Self.expect(app, ["error seal-rules-weak"])
    }

    @Test("SEAL-08 a stray file in _CodeSignature")
    func seal08() async throws {
        for name in ["ResourceRules.plist", "evil.dylib"] {
            var app = Demo.standard
            app.edit(.atTheEnd) { $0.add(RawPath("_CodeSignature/\(name)"), text: "stray") }
            try await Self.expect(app, ["error signature-folder-stray"])
        }
    }

    @Test("SEAL-10 localisations deleted and changed")
    func seal10() async throws {
        func app(_ body: @escaping @Sendable (inout FileTree) throws -> Void) throws -> BundleBuilder {
            var app = Demo.standard
            app.files.add("fr.lproj/locversion.plist", text: "1")
            app.files.add("Data.bundle/Base.lproj/y", text: "y")
            app.edit(.atTheEnd, body)
            return app
        }
        try await Self.expect(try app { try $0.remove("fr.lproj/Localizable.strings") }, [])
        try await Self.expect(try app { try $0.flip("fr.lproj/Localizable.strings") }, ["error resource-altered"])
        try await Self.expect(try app { try $0.remove("Base.lproj/Main.strings") }, ["error resource-missing"])
        try await Self.expect(try app { try $0.remove("fr.lproj/locversion.plist") }, [])
        try await Self.expect(try app { try $0.flip("Data.bundle/Base.lproj/y") }, ["error resource-altered"])
        try await Self.expect(try app { try $0.remove("Data.bundle/Base.lproj/y") }, [])
    }

    @Test("SEAL-12 an asset added after signing")
    func seal12() async throws {
        var app = Demo.standard
        app.edit(.atTheEnd) { $0.add("Unity/sharedassets9.resource", text: "asset") }
        try await Self.expect(app, ["error resource-added"])
    }

    @Test("SEAL-13 what Finder drops")
    func seal13() async throws {
        func app(_ body: @escaping @Sendable (inout FileTree) throws -> Void) throws -> BundleBuilder {
            var app = Demo.standard
            app.edit(.atTheEnd, body)
            return app
        }
        try await Self.expect(try app { $0.add("img/.DS_Store", text: "x") }, [])
        try await Self.expect(try app { $0.add("._icon.png", text: "x") }, ["error resource-added"])
        try await Self.expect(try app { $0.link(".DS_Store", to: "../x") }, ["error ds-store-symlink"])
        try await Self.expect(try app { $0.add("a.DS_Store", text: "x") }, ["error resource-added"])
    }

    @Test("SEAL-15 links turned into files, and files into links")
    func seal15() async throws {
        try await Self.expect(
            try FaultCase(.symlinkMadeFile).build(from: Demo.standard), ["error symlink-became-file"])
        var app = Demo.standard
        app.files.add("same.txt", text: "same")
        app.files.add("other.txt", text: "same")
        app.edit(.atTheEnd) { $0.link("same.txt", to: "other.txt") }
        try await Self.expect(app, ["error resource-became-symlink"])
        // A link that an archiver stored as a small file with the target's text.
        app = Demo.standard
        app.edit(.atTheEnd) { $0.add("data/latest.json", text: "settings.json") }
        try await Self.expect(app, ["error symlink-became-file"])
    }

    @Test("SEAL-18 a named pipe in the bundle, and no hang")
    func seal18() async throws {
        var app = Demo.standard
        app.edit(.atTheEnd) { $0["p"] = .fifo }
        let folder = try TemporaryFolder()
        let place = try app.sealed().write(to: folder.url)
        Self.compare(try await Verifier().verify(place.path()), ["error special-file"])
    }

    @Test("SEAL-20 only the linker signed the app")
    func seal20() async throws {
        try await Self.expect(
            try FaultCase(.linkerSigned).build(from: Demo.standard),
            ["error linker-signed-bundle", "error seal-not-bound", "warning info-plist-not-bound"])
    }

    @Test("SEAL-23 a binary seal")
    func seal23() async throws {
        var app = Demo.standard
        app.seal.form = .binary
        try await Self.expect(app, [])
    }

    @Test("SEAL-24 names that are not ASCII")
    func seal24() async throws {
        var app = Demo.standard
        app.name = "Приложение.app"
        app.info["CFBundleExecutable"] = "Приложение"
        app.files.add("图.png", text: "x")
        try await Self.expect(app, [])
        let folder = try TemporaryFolder()
        Self.compare(
            try await Verifier().verify(try app.sealed().writeIPA(to: folder.url).path(percentEncoded: false)), [])
    }

    @Test("SEAL-25 one name in two Unicode forms")
    func seal25() async throws {
        let (composed, decomposed) = (RawPath("\u{439}.txt"), RawPath("\u{438}\u{306}.txt"))
        var app = Demo.standard
        app.files.add(composed, text: "x")
        try await Self.expect(app, [])
        app.edit(.atTheEnd) { try $0.move(composed, to: decomposed) }
        let report = try await Verifier().verify(try app.sealed())
        #expect(report.ids.contains("resource-added"))
        #expect(report.ids.contains("resource-missing"))
        #expect(report.outcome == .fail)
    }

    @Test("SEAL-27 a data bundle with a stale seal of its own")
    func seal27() async throws {
        var app = Demo.standard
        app.files.add("R.bundle/x.txt", text: "x")
        app.files.add("R.bundle/_CodeSignature/CodeResources", text: "<plist/>")
        try await Self.expect(app, [])
        app = Demo.standard
        app.files.add("R.bundle/x.txt", text: "x")
        app.edit(.atTheEnd) { $0.add("R.bundle/_CodeSignature/CodeResources", text: "<plist/>") }
        try await Self.expect(app, ["error resource-added"])
    }

    @Test("SEAL-28 the extension was signed again, the app not")
    func seal28() async throws {
        let app = try FaultCase(.resigned, at: "PlugIns/Widget.appex", rebuilding: .none).build(from: Demo.standard)
        let report = try await Verifier().verify(app)
        #expect(report.causes.map(\.id) == ["nested-resigned-after-outer"])
        #expect(report.outcome == .fail)
        #expect(report.coverage.first { $0.code == "Demo.app/PlugIns/Widget.appex" }?.isValidAlone == true)
    }

    @Test("SEAL-29 a build step after signing")
    func seal29() async throws {
        try await Self.expect(
            try FaultCase(.pageFlipped, at: "Frameworks/Kit.framework", rebuilding: .none).build(from: Demo.standard),
            ["error page-altered", "error resource-altered"])
    }
}

/// Nested code.
extension FieldCases {
    @Test("NEST-01 an unsigned framework under a right seal")
    func nest01() async throws {
        let app = try FaultCase(.neverSigned, at: "Frameworks/Kit.framework", rebuilding: .all).build(
            from: Demo.standard)
        try await Self.expect(app, ["error unsigned"])
        #expect(try await Verifier().verify(app).codesignName == "valid")
    }

    @Test("NEST-02 deep verification passes, an extension is broken")
    func nest02() async throws {
        let app = try FaultCase(.pageFlipped, at: "PlugIns/Widget.appex", rebuilding: .all).build(from: Demo.standard)
        try await Self.expect(app, ["error page-altered"])
        #expect(try await Verifier().verify(app).codesignName == "valid")
    }

    @Test("NEST-03 an unsigned framework inside a framework")
    func nest03() async throws {
        let app = try FaultCase(
            .neverSigned, at: "Frameworks/Kit.framework/Frameworks/Core.framework", rebuilding: .all
        ).build(from: Demo.standard)
        try await Self.expect(app, ["error unsigned"])
    }

    @Test("NEST-07 a framework folder with headers only")
    func nest07() async throws {
        var app = Demo.standard
        app.files.add("Frameworks/H.framework/Headers/x.h", text: "int x;")
        try await Self.expect(app, ["error executable-missing", "error info-plist-absent"])
    }

    @Test("NEST-08 a resource bundle names an executable it has not")
    func nest08() async throws {
        var app = Demo.standard
        let info: Plist = ["CFBundleIdentifier": "com.example.R", "CFBundleExecutable": "R"]
        app.files.add("R.bundle/Info.plist", info.encoded())
        try await Self.expect(app, ["warning data-bundle-executable-missing"])
    }

    @Test("NEST-09 an unsigned library injected at the root")
    func nest09() async throws {
        var app = Demo.standard
        var tweak = MachOBuilder.dylib("@executable_path/tweak.dylib")
        tweak.signature = nil
        app.files.add("tweak.dylib", try tweak.build())
        app.executable?.eachSlice { $0.dylibs.append("@executable_path/tweak.dylib") }
        try await Self.expect(app, ["error unsigned"])
    }

    @Test("NEST-11 a test bundle with an unsigned executable")
    func nest11() async throws {
        let app = Self.demo(with: .xctest("T", identifier: "com.example.T"), in: "PlugIns")
        try await Self.expect(app, [])
        try await Self.expect(
            try FaultCase(.neverSigned, at: "PlugIns/T.xctest", rebuilding: .all).build(from: app), ["error unsigned"])
    }

    @Test("NEST-12 code without a tell-tale name")
    func nest12() async throws {
        var app = Demo.standard
        var tool = MachOBuilder.executable()
        tool.signature = nil
        var loadable = MachOBuilder.loadable()
        loadable.signature = nil
        app.files.add("R.bundle/tool", try tool.build(), mode: 0o755)
        app.files.add("x/y/z.so", try loadable.build())
        try await Self.expect(app, ["error unsigned", "error unsigned"])
    }

    @Test("NEST-13 files that only look like code")
    func nest13() async throws {
        var app = Demo.standard
        app.files.add(
            "X.class",
            [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0x34, 0, 29, 10, 0, 6, 0, 15, 9] + CodeBytes.make(400, seed: 3))
        app.files.add("lib.a", Array("!<arch>\n".utf8) + CodeBytes.make(100, seed: 4))
        var object = MachOBuilder.executable()
        object.kind = .object
        object.signature = nil
        app.files.add("o.o", try object.build())
        try await Self.expect(app, [])
    }

    @Test("NEST-15 an extension signed as a lone file")
    func nest15() async throws {
        try await Self.expect(
            try FaultCase(.signedAsLoneFile, at: "PlugIns/Widget.appex", rebuilding: .all).build(from: Demo.standard),
            ["error seal-not-bound", "warning info-plist-not-bound"])
    }

    @Test("INST-01 an unsigned app")
    func inst01() async throws {
        try await Self.expect(try FaultCase(.neverSigned).build(from: Demo.standard), ["error unsigned"])
    }

    @Test("INST-02 the file is named")
    func inst02() async throws {
        let report = try await Verifier().verify(try FaultCase(.resourceAltered).build(from: Demo.standard))
        #expect(report.findings.map(\.finding.subject.path) == ["Demo.app/Assets.car"])
    }

    @Test("INST-03 what provisioning says cannot be known here")
    func inst03() async throws { try await Self.expect(Demo.standard, []) }
}
