import SealCheck
import TestSupport
import Testing

/// Identifiers that a rewriter left or made.
extension FieldCases {
    @Test("ID-05 only the app's identifier was changed")
    func id05() async throws {
        var app = Demo.standard
        app.info["CFBundleIdentifier"] = "com.new.a"
        try await Self.expect(app, ["error identifier-not-prefixed"])
    }

    @Test("ID-08 an extension's Info.plist was rewritten, no seal redone")
    func id08() async throws {
        let app = try FaultCase(.infoPlistEdited, at: "PlugIns/Widget.appex", rebuilding: .none).build(
            from: Demo.standard)
        let report = try await Verifier().verify(app)
        Self.compare(report, ["error info-plist-altered", "error resource-altered"])
        #expect(report.causes.map(\.id) == ["info-plist-edited-after-signing"])
    }

    @Test("ID-10 the signature has another identifier than Info.plist")
    func id10() async throws {
        for path: RawPath in ["", "PlugIns/Widget.appex", "Frameworks/Kit.framework"] {
            var app = Demo.standard
            if path.isRoot {
                app.eachSignature { $0.directories[0].identifier = "com.old.a" }
            } else {
                try app.update(path) { $0.eachSignature { $0.directories[0].identifier = "com.old.a" } }
            }
            try await Self.expect(app, ["error identifier-differs-from-signature"])
        }
        // A lone library is named by its file.
        var app = Demo.standard
        try app.updateCode("Frameworks/libTools.dylib") { $0.identifier = "anything" }
        try await Self.expect(app, [])
    }

    @Test("ID-11 the team identifier stands at different places in app and widget")
    func id11() async throws {
        var app = try Self.widget { $0.info["CFBundleIdentifier"] = "com.x.App.AltWidget.TEAM123456" }
        app.info["CFBundleIdentifier"] = "com.x.App.TEAM123456"
        try await Self.expect(app, ["error identifier-not-prefixed"])
    }

    @Test("ID-14 Info.plist in the other format")
    func id14() async throws {
        let app = try Self.widget { $0.infoForm = .binary }
        try await Self.expect(app, [])
        let xml = Demo.widget.info.encoded(as: .xml)
        var stale = app
        try stale.edit("PlugIns/Widget.appex", rebuilding: .none) { $0.add("Info.plist", xml) }
        try await Self.expect(stale, ["error info-plist-altered", "error resource-altered"])
    }

    @Test("ID-15 activity types and URL names with the old identifier")
    func id15() async throws {
        var app = Demo.standard
        app.info["NSUserActivityTypes"] = ["com.old.a.view"]
        app.info["CFBundleURLTypes"] = [["CFBundleURLName": "com.old.a", "CFBundleURLSchemes": ["demo"]]]
        try await Self.expect(app, [])
    }

    @Test("ID-16 what the program makes of its identifier cannot be seen")
    func id16() async throws { try await Self.expect(Demo.standard, []) }
}
