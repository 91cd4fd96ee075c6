import Foundation
import SealCheck
import TestSupport
import Testing

/// The tree under the seal.
extension ParityConditions {
    @Test("condition 087: unsealed file or (v2) symlink")
    func condition087() async throws {
        for item: FileTree.Item in [.text("x"), .link("../Assets.car")] {
            try await Self.expect(Self.flat { $0["data/new"] = item }, "BadResource", ["error resource-added"])
        }
        // The first version does not seal links.
        var old = Self.sha1(Demo.standard)
        old.seal.hasV2 = false
        old.edit(.afterSealing) { $0.link("data/new", to: "settings.json") }
        try await Self.expect(old, "valid", nil, options: Self.notStrict)
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 088: sealed file altered")
    func condition088() async throws {
        try await Self.expect(Self.flat { try $0.flip("Assets.car") }, "BadResource", ["error resource-altered"])
        try await Self.expect(
            Self.flat { try $0.edit("Assets.car") { $0.append(0) } }, "BadResource", ["error resource-altered"])
        // The same bytes with another mode are the same.
        try await Self.expect(Self.flat { try $0.setMode("Assets.car", 0o600) }, "valid", [])
    }

    @Test("condition 089: sealed file missing")
    func condition089() async throws {
        try await Self.expect(Self.flat { try $0.remove("Assets.car") }, "BadResource", ["error resource-missing"])
        try await Self.expect(
            Self.flat { try $0.remove("data/latest.json") }, "BadResource", ["error resource-missing"])
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 090: optional sealed file missing")
    func condition090() async throws {
        try await Self.expect(Self.flat { try $0.remove("fr.lproj/Localizable.strings") }, "valid", [])
        // At the top, Base.lproj is not optional.
        try await Self.expect(
            Self.flat { try $0.remove("Base.lproj/Main.strings") }, "BadResource", ["error resource-missing"])
    }

    @Test("condition 091: optional sealed file altered, or unsealed file in `.lproj`")
    func condition091() async throws {
        try await Self.expect(
            Self.flat { try $0.flip("fr.lproj/Localizable.strings") }, "BadResource", ["error resource-altered"])
        try await Self.expect(
            Self.flat { $0.add("fr.lproj/New.strings", text: "") }, "BadResource", ["error resource-added"])
        // What the default rules leave out there.
        try await Self.expect(Self.flat { $0.add("fr.lproj/locversion.plist", text: "") }, "valid", [])
    }

    @Test("condition 092: file ↔ symlink exchanged, symlink text changed")
    func condition092() async throws {
        let toLink = Self.flat { tree in
            tree["data/settings.json"] = nil
            tree.link("data/settings.json", to: "../Assets.car")
        }
        try await Self.expect(toLink, "BadResource", ["error resource-became-symlink"])
        let toFile = Self.flat { tree in
            tree["data/latest.json"] = nil
            tree["data/latest.json"] = tree["data/settings.json"]
        }
        try await Self.expect(toFile, "BadResource", ["error symlink-became-file"])
        // Another text for the same target.
        try await Self.expect(
            Self.flat { $0.link("data/latest.json", to: "./settings.json") }, "BadResource",
            ["error symlink-altered"])
        try await Self.expect(Demo.standard, "valid", [])
    }

    /// The demo with a sealed link.
    static func link(_ path: RawPath = "data/link", to text: String) -> BundleBuilder {
        var app = Demo.standard
        app.files.link(path, to: text)
        return app
    }

    @Test("condition 093: sealed symlink dangling")
    func condition093() async throws {
        var symlinksOnly = CodesignOptions.deepStrict
        symlinksOnly.restrictSidebandData = false
        var neither = symlinksOnly
        neither.restrictSymlinks = false
        let dangling = Self.link(to: "nothing")
        try await Self.expect(dangling, "ENOENT", ["error symlink-dangling"])
        try await Self.expect(dangling, "InvalidSymlink", ["error symlink-dangling"], options: symlinksOnly)
        try await Self.expect(dangling, "valid", ["error symlink-dangling"], options: neither)
        try await Self.expect(dangling, "valid", ["error symlink-dangling"], options: Self.notStrict)
        let loop = Self.link(to: "link")
        try await Self.expect(loop, "ELOOP", ["error symlink-loop"])
        try await Self.expect(loop, "InvalidSymlink", ["error symlink-loop"], options: symlinksOnly)
        // Opened before its text is looked at, and before anything else that is wrong is told.
        let also = try FaultCase(.resourceAltered).build(from: dangling)
        try await Self.expect(also, "ENOENT", ["error symlink-dangling", "error resource-altered"])
        try await Self.expect(Self.link(to: "settings.json"), "valid", [])
    }

    @Test("condition 094: symlink to outside, or to an omitted/excluded item")
    func condition094() async throws {
        for text in ["../../other", "../../../../other", "/etc/passwd", "/System/../etc/passwd"] {
            let app = Self.link(to: text)
            try await Self.expect(app, "InvalidSymlink", ["error symlink-outside"])
            try await Self.expect(app, "valid", ["error symlink-outside"], options: Self.notStrict)
        }
        for text in ["../Info.plist", "../PkgInfo", "../_CodeSignature/CodeResources", "../_CodeSignature"] {
            try await Self.expect(Self.link(to: text), "InvalidSymlink", ["error symlink-target-unsealed"])
        }
        // Sealed things, the main executable, folders inside, and the system.
        for text in [
            "../Assets.car", "../Demo", "../data", "..", "../PlugIns/Widget.appex/Info.plist",
            "/System/Library/Frameworks/UIKit.framework", "/Library/Fonts/x.ttf",
        ] {
            try await Self.expect(Self.link(to: text), "valid", [])
        }
    }

    @Test("condition 095: `.DS_Store` symlink")
    func condition095() async throws {
        for name: RawPath in [".DS_Store", "data/.DS_Store", ".ds_store"] {
            let app = Self.flat { $0.link(name, to: "Assets.car") }
            for options in [CodesignOptions.deepStrict, Self.notStrict] {
                try await Self.expect(app, "DSStoreSymlink", ["error ds-store-symlink"], options: options)
            }
        }
        try await Self.expect(Self.flat { $0.add(".DS_Store", text: "") }, "valid", [])
    }

    @Test("condition 096: `.DS_Store` regular file under default v2 rules")
    func condition096() async throws {
        for name: RawPath in [".DS_Store", "data/.DS_Store", "data/deeper/.DS_Store"] {
            try await Self.expect(Self.flat { $0.add(name, text: "") }, "valid", [])
        }
        for name: RawPath in ["a.DS_Store", "DS_Store", ".DS_Store/x"] {
            try await Self.expect(Self.flat { $0.add(name, text: "") }, "BadResource", ["error resource-added"])
        }
    }

    @Test("condition 097: fifo, socket, device")
    func condition097() async throws {
        let app = Self.flat { $0["data/pipe"] = .fifo }
        try await Self.expect(app, "ResourceNotSupported", ["error special-file"])
        try await Self.expect(app, "valid", ["error special-file"], options: Self.notStrict)
    }

    @Test("condition 098: unreadable directory")
    func condition098() async throws {
        let app = try Demo.standard.sealed()
        for (folder, strict): (BundlePath, String) in [
            ("Demo.app/closed", "SignatureNotVerifiable"), ("elsewhere", "valid"),
        ] {
            var tree = MemoryTree(app.tree, below: "Demo.app")
            tree.faults = [TreeFault(kind: .unreadableDirectory(errno: 13), name: folder.bytes)]
            for (options, verdict) in [(CodesignOptions.deepStrict, strict), (Self.notStrict, "valid")] {
                var verifier = Verifier()
                verifier.codesign = options
                let report = try await verifier.verify(
                    tree, root: "Demo.app", inputPath: "Demo.app", inputKind: "bundle")
                #expect(report.codesignName == verdict)
                // Whatever Apple's tool makes of it: it was not checked.
                #expect(report.ids == ["unchecked-unreadable-folder"])
                #expect(report.outcome == .unchecked)
            }
        }
    }

    @Test("condition 110: flat bundle: any appex file added, altered, removed")
    func condition110() async throws {
        for edit: BundleBuilder.Edit in [
            { $0.add("PlugIns/Widget.appex/new", text: "x") }, { try $0.flip("PlugIns/Widget.appex/Assets.car") },
            { try $0.remove("PlugIns/Widget.appex/Assets.car") },
            { try $0.flip("PlugIns/Widget.appex/Widget", at: 0x5123) },
            { try $0.edit("PlugIns/Widget.appex/_CodeSignature/CodeResources") { $0.append(10) } },
        ] {
            try await Self.expect(Self.flat(edit), "BadResource", nil)
        }
        try await Self.expect(
            Self.flat { try $0.remove("PlugIns/Widget.appex/en.lproj/Localizable.strings") }, "valid", [])
    }

    @Test("condition 114: seal lists a path that the rules omit or that sits inside a nested unit")
    func condition114() async throws {
        let digest = Plist.data([UInt8](repeating: 1, count: 32))
        try await Self.expect(
            Self.seal { $0.files2["Info.plist"] = ["hash2": digest] }, "BadResource",
            ["error resource-sealed-but-omitted"])
        try await Self.expect(
            Self.seal { $0.files2["Info.plist"] = ["hash2": digest, "optional": true] }, "valid", [])
        var app = Demo.mac
        app.seal.files2["PlugIns/Widget.appex/Contents/Info.plist"] = ["hash2": digest]
        try await Self.expect(app, "BadResource", ["error resource-sealed-but-omitted"])
        app.seal.files2["PlugIns/Widget.appex/Contents/Info.plist"] = ["hash2": digest, "optional": true]
        try await Self.expect(app, "valid", [])
    }

    /// Extended attributes travel as AppleDouble files where there are none. Apple's tool would see the attributes; here
    /// the files are seen.
    @Test("condition 115: resource fork / Finder info on root, executable or resource")
    func condition115() async throws {
        let fork: FileTree.Item = .file([0, 5, 0x16, 7, 0, 2, 0, 0])
        try await Self.expect(Self.flat { $0["._Assets.car"] = fork }, "BadResource", ["error resource-added"])
        let scratch = try TemporaryFolder()
        var archive = try Demo.standard.sealed().archive()
        archive.entries.append(
            ZipEntry(
                name: Array("__MACOSX/Payload/Demo.app/._Assets.car".utf8), contents: [0, 5, 0x16, 7, 0, 2, 0, 0],
                mode: 0o644))
        let path = scratch.url.appendingPathComponent("Demo.ipa")
        try Data(archive.build()).write(to: path)
        let report = try await Verifier().verify(path.path)
        #expect(report.codesignName == "valid")
        #expect(report.ids == ["archive-macosx-folder"])
    }

    @Test("condition 119: file name differs only by Unicode normalisation from the seal key")
    func condition119() async throws {
        // Composed and decomposed u-umlaut.
        let decomposed = RawPath(bytes: Array("gru".utf8) + [0xCC, 0x88] + Array("ße-図.txt".utf8))
        let renamed = Self.flat { try $0.move("grüße-図.txt", to: decomposed) }
        try await Self.expect(renamed, "BadResource", ["error resource-added", "error resource-missing"])
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 120: empty directories added or removed")
    func condition120() async throws {
        for folder: RawPath in ["empty", "data/empty", "PlugIns/Widget.appex/empty", "empty.bundle"] {
            try await Self.expect(Self.flat { $0[folder] = .directory() }, "valid", [])
        }
        var app = Demo.standard
        app.files["empty"] = .directory()
        app.edit(.afterSealing) { try $0.remove("empty") }
        try await Self.expect(app, "valid", [])
    }
}
