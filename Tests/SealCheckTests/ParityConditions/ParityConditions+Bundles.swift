import SealCheck
import TestSupport
import Testing

/// What makes a folder a bundle, and what may lie in it outside of the seal.
extension ParityConditions {
    /// A versioned framework that stands alone, edited when it is finished.
    static func framework(_ body: @escaping BundleBuilder.Edit) -> BundleBuilder {
        var kit = Demo.macFramework
        kit.edit(.afterSealing, body)
        return kit
    }

    static func flat(_ body: @escaping BundleBuilder.Edit) -> BundleBuilder {
        var app = Demo.standard
        app.edit(.afterSealing, body)
        return app
    }

    static func deep(_ body: @escaping BundleBuilder.Edit) -> BundleBuilder {
        var app = Demo.mac
        app.edit(.afterSealing, body)
        return app
    }

    @Test("condition 069: executable or Info.plist is a symlink")
    func condition069() async throws {
        // `_MASReceipt` is left out of every seal, so that only the link is in question.
        let executable = Self.flat { tree in
            try tree.move("Demo", to: "_MASReceipt/Demo")
            tree.link("Demo", to: "_MASReceipt/Demo")
        }
        let plist = Self.flat { tree in
            try tree.move("Info.plist", to: "_MASReceipt/Real.plist")
            tree.link("Info.plist", to: "_MASReceipt/Real.plist")
        }
        for (app, finding) in [(executable, "executable-symlink"), (plist, "info-plist-symlink")] {
            try await Self.expect(app, "RegularFile", ["error \(finding)"])
            try await Self.expect(app, "valid", ["error \(finding)"], options: Self.notStrict)
        }
    }

    @Test("condition 070: executable missing, Info.plist exists")
    func condition070() async throws {
        try await Self.expect(
            try FaultCase(.executableRemoved).build(from: Demo.standard), "Unsigned", ["error executable-missing"])
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 071: deep bundle: foreign item next to `Contents`")
    func condition071() async throws {
        for name: RawPath in ["notes.txt", "Extra/notes.txt", ".hidden"] {
            let app = Self.deep { $0.add(name, text: "notes\n") }
            try await Self.expect(app, "UnsealedAppRoot", ["error bundle-root-stray"])
            try await Self.expect(app, "valid", ["error bundle-root-stray"], options: Self.notStrict)
        }
        for name: RawPath in [".DS_Store", ".LSOverride", "Icon\r", ".SoftwareDepot.tracking"] {
            try await Self.expect(Self.deep { $0.add(name, text: "") }, "valid", [])
            // Not as a folder, and not as something that can be run.
            try await Self.expect(
                Self.deep { $0.add(name, Array("#!\n".utf8), mode: 0o755) }, "UnsealedAppRoot",
                ["error bundle-root-stray"])
            try await Self.expect(
                Self.deep { $0[name] = .directory() }, "UnsealedAppRoot", ["error bundle-root-stray"])
        }
    }

    @Test("condition 072: flat bundle: foreign item in the root")
    func condition072() async throws {
        try await Self.expect(
            Self.flat { $0.add("notes.txt", text: "notes\n") }, "BadResource", ["error resource-added"])
        try await Self.expect(
            Self.flat { $0.add("notes.txt", text: "notes\n") }, "BadResource", ["error resource-added"],
            options: Self.notStrict)
        var sealed = Demo.standard
        sealed.files.add("notes.txt", text: "notes\n")
        try await Self.expect(sealed, "valid", [])
    }

    @Test("condition 073: `_CodeSignature` holds an unexpected regular file")
    func condition073() async throws {
        for name: RawPath in ["ResourceRules.plist", ".DS_Store", "CodeDirectory~"] {
            let app = Self.flat { $0.add("_CodeSignature" / name, text: "x") }
            try await Self.expect(app, "UnsealedAppRoot", ["error signature-folder-stray"])
            try await Self.expect(app, "valid", ["error signature-folder-stray"], options: Self.notStrict)
        }
        // Noted, not told at once: the link has the lower number and is told.
        let both = Self.flat { tree in
            tree.add("_CodeSignature/stray", text: "x")
            try tree.move("Info.plist", to: "_MASReceipt/Real.plist")
            tree.link("Info.plist", to: "_MASReceipt/Real.plist")
        }
        try await Self.expect(both, "RegularFile", ["error signature-folder-stray", "error info-plist-symlink"])
    }

    @Test("condition 074: `_CodeSignature` holds a directory or symlink")
    func condition074() async throws {
        for item: FileTree.Item in [.directory(), .link("CodeResources")] {
            let app = Self.flat { $0["_CodeSignature/stray"] = item }
            try await Self.expect(app, "UnsealedAppRoot", ["error signature-folder-stray"])
            try await Self.expect(app, "valid", ["error signature-folder-stray"], options: Self.notStrict)
            // Told at once, before what was noted.
            let both = Self.flat { tree in
                tree["_CodeSignature/stray"] = item
                try tree.move("Info.plist", to: "_MASReceipt/Real.plist")
                tree.link("Info.plist", to: "_MASReceipt/Real.plist")
            }
            try await Self.expect(
                both, "UnsealedAppRoot", ["error signature-folder-stray", "error info-plist-symlink"])
        }
    }

    @Test("condition 075: zero-length `_CodeSignature/CodeSignature`")
    func condition075() async throws {
        try await Self.expect(Self.flat { $0.add("_CodeSignature/CodeSignature", []) }, "valid", [])
        try await Self.expect(
            Self.flat { $0.add("_CodeSignature/CodeSignature", [0]) }, "UnsealedAppRoot",
            ["error signature-folder-stray"])
    }

    @Test("condition 076: framework root: stray item, bad `Current`, bad top symlink")
    func condition076() async throws {
        try await Self.expect(Self.framework { _ in }, "valid", [])
        for edit: BundleBuilder.Edit in [
            { $0.add("stray.txt", text: "x") }, { $0["Folder"] = .directory() },
            { $0.add("Versions/stray.txt", text: "x") }, { $0.link("Versions/B", to: "A") },
            { $0.link("Other", to: "Versions/Current/Kit") }, { $0.link("Resources2", to: "Resources") },
            { $0.add(".DS_Store", [], mode: 0o755) }, { $0.link("module.map", to: "elsewhere") },
            { $0.link("Versions/Current", to: "../Versions/A") }, { $0.link("Versions/Current", to: "A/") },
        ] {
            let kit = Self.framework(edit)
            try await Self.expect(kit, "UnsealedFrameworkRoot", ["error framework-root-invalid"])
            try await Self.expect(kit, "valid", ["error framework-root-invalid"], options: Self.notStrict)
        }
        for edit: BundleBuilder.Edit in [
            { $0.add(".DS_Store", text: "") }, { $0.add("Versions/.DS_Store", text: "") },
            { $0.add("module.map", text: "module") }, { $0.link("module.map", to: "Versions/A/module.map") },
            { $0.link("Versions/Current", to: "./A") }, { $0.link("Kit", to: "Versions/A/Kit") },
            { $0.link("Kit", to: "./Versions/Current/Kit") },
        ] {
            try await Self.expect(Self.framework(edit), "valid", [])
        }
    }

    @Test("condition 077: executable or plist resolves elsewhere than the versioned one")
    func condition077() async throws {
        // A copy in place of the link, as archivers leave that follow links. It is also a stray, which has the higher
        // number.
        let copy = Self.framework { tree in
            tree["Kit"] = nil
            tree["Kit"] = tree["Versions/A/Kit"]
        }
        let report = try await Self.expect(copy, "AmbiguousBundleFormat", nil)
        #expect(report.ids.contains("bundle-format-ambiguous"))
        let plist = Self.framework { tree in
            tree["Resources"] = nil
            tree["Resources/Info.plist"] = tree["Versions/A/Resources/Info.plist"]
        }
        try await Self.expect(
            plist, "AmbiguousBundleFormat", ["error bundle-format-ambiguous", "error framework-root-invalid"])
        try await Self.expect(
            plist, "valid", ["error bundle-format-ambiguous", "error framework-root-invalid"],
            options: Self.notStrict)
        // Nothing at the root at all is told at once, strict or not.
        let none = Self.framework { $0["Kit"] = nil }
        for options in [CodesignOptions.deepStrict, Self.notStrict] {
            try await Self.expect(
                none, "AmbiguousBundleFormat", ["error bundle-format-ambiguous"], options: options)
        }
        try await Self.expect(Self.framework { _ in }, "valid", [])
    }

    @Test("condition 116: top-level `Resources` directory in an iOS bundle")
    func condition116() async throws {
        for name in ["Resources", "resources"] {
            var app = Demo.standard
            app.files.add(RawPath(name) / "file.txt", text: "x")
            let report = try await Self.expect(app, "unknown", ["warning resources-folder-at-root"])
            #expect(report.codesign?.gap == "4.2")
            #expect(report.isSealed == true)
        }
        var app = Demo.standard
        app.files.add("Resource/file.txt", text: "x")
        try await Self.expect(app, "valid", [])
    }
}
