import SealCheck
import TestSupport
import Testing

/// Code in code.
extension ParityConditions {
    /// `--no-deep`
    static let notDeep = CodesignOptions(nestedCode: false)

    @Test("condition 106: nested resources or pages altered, `--deep`")
    func condition106() async throws {
        for (fault, place, verdict, architecture, finding): (Fault, RawPath, String, String?, String) in [
            (.pageFlipped, "Helpers/helper", "SignatureFailed", "arm64", "page-altered"),
            (.pageFlipped, "Frameworks/libTools.dylib", "SignatureFailed", "arm64", "page-altered"),
            (.infoPlistEdited, "PlugIns/Widget.appex", "InfoPlistFailed", "arm64", "info-plist-altered"),
            (.resourceAdded, "PlugIns/Widget.appex", "BadResource", nil, "resource-added"),
            (.sealEdited, "PlugIns/Widget.appex", "ResourceDirectoryFailed", nil, "seal-altered"),
        ] {
            let app = try FaultCase(fault, at: place, rebuilding: .none).build(from: Demo.mac)
            try await Self.expect(
                app, verdict, architecture: architecture, subcomponent: "Contents/\(place.text)",
                ["error \(finding)"])
        }
        try await Self.expect(Demo.mac, "valid", [])
    }

    @Test("condition 107: same, no `--deep`")
    func condition107() async throws {
        for (fault, place, finding): (Fault, RawPath, String) in [
            (.pageFlipped, "Helpers/helper", "page-altered"),
            (.resourceAdded, "PlugIns/Widget.appex", "resource-added"),
            (.strayInCodeSignature, "PlugIns/Widget.appex", "signature-folder-stray"),
        ] {
            let app = try FaultCase(fault, at: place, rebuilding: .none).build(from: Demo.mac)
            try await Self.expect(app, "valid", ["error \(finding)"], options: Self.notDeep)
        }
        // CodeDirectory, special slots and requirement are looked at all the same.
        let plist = FaultCase(.infoPlistEdited, at: "PlugIns/Widget.appex", rebuilding: .none)
        try await Self.expect(
            try plist.build(from: Demo.mac), "InfoPlistFailed", architecture: "arm64",
            subcomponent: "Contents/PlugIns/Widget.appex", ["error info-plist-altered"], options: Self.notDeep)
        let resigned = FaultCase(.resigned, at: "Helpers/helper", rebuilding: .none)
        try await Self.expect(
            try resigned.build(from: Demo.mac), "BadNestedCode", ["error nested-requirement-failed"],
            options: Self.notDeep)
    }

    /// The macOS app with a second version in its framework, and a requirement that any signed Kit meets.
    static func secondVersion(
        requirement: String = "identifier \"com.example.Kit\"", _ body: @escaping BundleBuilder.Edit
    ) throws -> BundleBuilder {
        var app = Demo.mac
        try app.edit("Frameworks/Kit.framework", .afterSealing) { tree in
            tree.graft(tree.subtree("Versions/A"), at: "Versions/B")
            try body(&tree)
        }
        app.seal.files2["Frameworks/Kit.framework"] = [
            "cdhash": .data([UInt8](repeating: 0, count: 20)), "requirement": .string(requirement),
        ]
        return app
    }

    @Test("condition 108: other version in a nested framework bad")
    func condition108() async throws {
        let kit = "Contents/Frameworks/Kit.framework"
        let stale = "warning nested-cdhash-stale"
        try await Self.expect(try Self.secondVersion { _ in }, "valid", [stale])
        let altered = try Self.secondVersion { try $0.flip("Versions/B/Kit", at: 0x5123) }
        try await Self.expect(altered, "BadFrameworkVersion", subcomponent: kit, [stale, "error page-altered"])
        let unsigned = try Self.secondVersion { try $0.remove("Versions/B/_CodeSignature") }
        try await Self.expect(unsigned, "BadFrameworkVersion", subcomponent: kit, [stale, "error seal-missing"])
        // No code at all is no version of the framework.
        let empty = try Self.secondVersion { $0["Versions/C"] = .directory() }
        try await Self.expect(empty, "BadFrameworkVersion", subcomponent: kit, nil)
        for app in [altered, unsigned, empty] {
            try await Self.expect(app, "valid", nil, options: Self.notStrict)
        }
        // Held to the requirement for the one in use: a list of cdhashes fits no other ad-hoc version.
        var newer = Demo.macFramework
        newer.info["CFBundleVersion"] = "35"
        let branch = try newer.sealed().tree.subtree("Versions/A")
        var app = Demo.mac
        try app.edit("Frameworks/Kit.framework", .afterSealing) { $0.graft(branch, at: "Versions/B") }
        try await Self.expect(app, "BadFrameworkVersion", subcomponent: kit, ["error framework-version-differs"])
        try await Self.expect(app, "valid", ["error framework-version-differs"], options: Self.notStrict)
    }

    @Test("condition 109: flat bundle: appex unsigned or broken, bytes match the outer seal")
    func condition109() async throws {
        for (fault, finding): (Fault, String) in [
            (.neverSigned, "unsigned"), (.pageFlipped, "page-altered"), (.infoPlistEdited, "info-plist-altered"),
            (.resourceAdded, "resource-added"),
        ] {
            let app = try FaultCase(fault, at: "PlugIns/Widget.appex").build(from: Demo.standard)
            let report = try await Self.expect(app, "valid", ["error \(finding)"])
            #expect(report.isSealed == false)
            let apple = try await Self.expect(app, "valid", [], profile: .codesign)
            #expect(apple.outcome == .pass)
        }
        // The same on the app itself is what Apple's tool does look at.
        try await Self.expect(
            try FaultCase(.pageFlipped).build(from: Demo.standard), "SignatureFailed", architecture: "arm64",
            ["error page-altered"])
    }

    @Test("condition 111: deep bundle: `Contents/Extensions/X.appex` unsigned, bytes match")
    func condition111() async throws {
        var app = Demo.mac
        try app.removeNested("PlugIns/Widget.appex")
        app.nest(Demo.macWidget, in: "Extensions")
        let report = try await Self.expect(
            try FaultCase(.neverSigned, at: "Extensions/Widget.appex").build(from: app), "valid", nil)
        #expect(report.ids.contains("unsigned"))
        #expect(report.isSealed == false)
        // In PlugIns it is nested code.
        try await Self.expect(
            try FaultCase(.neverSigned, at: "PlugIns/Widget.appex").build(from: Demo.mac), "Unsigned",
            architecture: "arm64", subcomponent: "Contents/PlugIns/Widget.appex", ["error unsigned"])
    }

    @Test("condition 112: deep bundle: unsigned data file directly in `Contents/` with plain hash seal")
    func condition112() async throws {
        var app = Demo.mac
        app.files.add("notes.txt", text: "notes\n")
        try await Self.expect(app, "valid", [])
        app.edit(.afterSealing) { try $0.flip("Contents/notes.txt") }
        try await Self.expect(app, "BadResource", ["error resource-altered"])
        // Sealed as code, it has to be code.
        var code = Demo.mac
        code.files.add("notes.txt", text: "notes\n")
        code.seal.files2["notes.txt"] = ["requirement": "always"]
        try await Self.expect(
            code, "Unsigned", subcomponent: "Contents/notes.txt", ["error nested-item-not-code"])
    }

    @Test("condition 113: dotted directory under a nested rule without nested seal")
    func condition113() async throws {
        var app = Demo.mac
        let bytes = Array("x".utf8)
        app.files.add("Frameworks/data.folder/x.txt", bytes)
        try await Self.expect(app, "BadResource", ["error resource-added"])
        app.seal.files2["Frameworks/data.folder/x.txt"] = ["hash2": .data(Sha.sha256.digest(bytes))]
        try await Self.expect(
            app, "BadResource", ["error resource-added", "error resource-sealed-but-omitted"])
        // Without a dot the folder is entered.
        var plain = Demo.mac
        plain.files.add("Frameworks/data/x.txt", bytes)
        try await Self.expect(plain, "valid", [])
    }
}
