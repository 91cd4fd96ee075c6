import SealCheck
import TestSupport
import Testing

/// These bundles hold no Swift: which types they have cannot be told, and that is said where Live Activities are asked for.
private let noSwift = "note swift-metadata-unreadable"

/// Live Activities, watch apps, App Clips, ExtensionKit.
extension FieldCases {
    @Test("LIVE-01 the key only in the extension")
    func live01() async throws {
        var app = try Self.widget { $0.info["NSSupportsLiveActivities"] = true }
        app.info["NSSupportsLiveActivities"] = nil
        try await Self.expect(app, ["warning live-activity-key-in-extension"])
        try await Self.expect(app, ["error live-activity-key-in-extension", noSwift], requiring: [.liveActivity])
        // Near miss: text is not true.
        app = Demo.standard
        app.info["NSSupportsLiveActivities"] = "YES"
        try await Self.expect(app, ["error live-activity-key-not-boolean", noSwift], requiring: [.liveActivity])
    }

    @Test("LIVE-02 the key in neither")
    func live02() async throws {
        var app = Demo.standard
        app.info["NSSupportsLiveActivities"] = nil
        try await Self.expect(app, [])
        try await Self.expect(app, ["error live-activity-key-missing", noSwift], requiring: [.liveActivity])
    }

    @Test("LIVE-03 the key, but no widget")
    func live03() async throws {
        var app = try Self.withoutWidget()
        try await Self.expect(app, ["error live-activity-widget-missing"], requiring: [.liveActivity])
        // Another extension point draws nothing either.
        app.nest(Self.share(), in: "PlugIns")
        try await Self.expect(app, ["error live-activity-widget-missing"], requiring: [.liveActivity])
        try await Self.expect(Demo.standard, [noSwift], requiring: [.liveActivity])
    }

    @Test("LIVE-06 the widget's minimum is above what the app promises")
    func live06() async throws {
        var app = try Self.widget {
            $0.info["MinimumOSVersion"] = "17.4"
            $0.executable?.eachSlice { $0.target = .build(platform: 2, minimum: "17.4", sdk: "17.4") }
        }
        app.info["MinimumOSVersion"] = "15.0"
        app.executable?.eachSlice { $0.target = .build(platform: 2, minimum: "15.0", sdk: "17.4") }
        let report = try await Verifier().verify(try app.sealed())
        Self.compare(report, ["warning extension-minimum-late"])
        let message = report.findings.first?.finding.message ?? ""
        #expect(message.contains("16.2"))
        #expect(message.contains("17.4"))
    }

    @Test("LIVE-08 the widget is missing in the build that was zipped")
    func live08() async throws {
        try await Self.expect(
            try Self.withoutWidget(), ["error required-widget-missing", "warning live-activity-widget-missing"],
            requiring: [.widget])
    }

    @Test("LIVE-11 nothing is wrong in the bundle")
    func live11() async throws { try await Self.expect(Demo.standard, [noSwift], requiring: [.liveActivity, .widget]) }

    /// A watch app with an extension, as older watch apps have.
    static func watch(companion: Plist, watchApp: Plist) -> BundleBuilder {
        var app = Demo.standard
        var watch = BundleBuilder.app("W", identifier: "com.example.demo.watchkitapp")
        watch.info["WKCompanionAppBundleIdentifier"] = companion
        var ext = BundleBuilder.appex("E", identifier: "com.example.demo.watchkitapp.extension")
        ext.info["NSExtension"] = [
            "NSExtensionPointIdentifier": "com.apple.watchkit",
            "NSExtensionAttributes": ["WKAppBundleIdentifier": watchApp],
        ]
        watch.nest(ext, in: "PlugIns")
        app.nest(watch, in: "Watch")
        return app
    }

    @Test("WCE-01 the watch app names the old companion")
    func wce01() async throws {
        try await Self.expect(
            Self.watch(companion: "com.old.demo", watchApp: "com.example.demo.watchkitapp"),
            ["error companion-identifier-differs"])
        try await Self.expect(Self.watch(companion: "com.example.demo", watchApp: "com.example.demo.watchkitapp"), [])
    }

    @Test("WCE-03 the watch extension names another watch app")
    func wce03() async throws {
        for stale: Plist in ["com.old.a.watchkitapp", "com.my.*"] {
            try await Self.expect(
                Self.watch(companion: "com.example.demo", watchApp: stale), ["error watch-app-identifier-differs"])
        }
    }

    @Test("WCE-06 an ExtensionKit extension in PlugIns, and a classic one in Extensions")
    func wce06() async throws {
        var kit = BundleBuilder.appex("E", identifier: "com.example.demo.e")
        kit.info["NSExtension"] = nil
        kit.info["EXAppExtensionAttributes"] = ["EXExtensionPointIdentifier": "com.example.point"]
        try await Self.expect(Self.demo(with: kit, in: "PlugIns"), ["warning extension-in-other-folder"])
        try await Self.expect(Self.demo(with: kit, in: "Extensions"), [])
        try await Self.expect(Self.demo(with: Self.share(), in: "Extensions"), ["warning extension-in-other-folder"])
    }

    @Test("WCE-07 an unsigned extension in Extensions")
    func wce07() async throws {
        var kit = BundleBuilder.appex("E", identifier: "com.example.demo.e")
        kit.info["NSExtension"] = nil
        kit.info["EXAppExtensionAttributes"] = ["EXExtensionPointIdentifier": "com.example.point"]
        let app = Self.demo(with: kit, in: "Extensions")
        try await Self.expect(
            try FaultCase(.neverSigned, at: "Extensions/E.appex", rebuilding: .all).build(from: app), ["error unsigned"]
        )
    }

    @Test("WCE-09 four levels deep")
    func wce09() async throws {
        var app = Self.watch(companion: "com.example.demo", watchApp: "com.example.demo.watchkitapp")
        try app.update("Watch/W.app/PlugIns/E.appex") {
            $0.nest(.framework("F", identifier: "com.example.F"), in: "Frameworks")
        }
        try await Self.expect(app, ["warning framework-in-extension"])
        let deepest: RawPath = "Watch/W.app/PlugIns/E.appex/Frameworks/F.framework"
        let broken = try FaultCase(.pageFlipped, at: deepest, rebuilding: .all).build(from: app)
        let report = try await Verifier().verify(broken)
        Self.compare(report, ["warning framework-in-extension", "error page-altered"])
        #expect(report.findings.contains { $0.finding.subject.path.lossyText.hasSuffix("F.framework/F") })
    }
}
