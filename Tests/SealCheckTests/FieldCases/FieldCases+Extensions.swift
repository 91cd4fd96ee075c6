import SealCheck
import TestSupport
import Testing

/// App extensions: property lists, identifiers, placement.
extension FieldCases {
    @Test("EXT-01 the extension's identifier shares the app's letters but not the dot")
    func ext01() async throws {
        var app = try Self.widget { $0.info["CFBundleIdentifier"] = "com.example.demotube.widget" }
        try await Self.expect(app, ["error identifier-not-prefixed"])
        app = try Self.widget { $0.info["CFBundleIdentifier"] = "com.example.demo.share" }
        try await Self.expect(app, [])
    }

    @Test("EXT-03 the extension has the app's identifier")
    func ext03() async throws {
        let app = try Self.widget { $0.info["CFBundleIdentifier"] = "com.example.demo" }
        try await Self.expect(app, ["error identifier-duplicate"])
    }

    @Test("EXT-04 two extensions have one identifier")
    func ext04() async throws {
        let app = Self.demo(with: Self.share(identifier: "com.example.demo.widget"), in: "PlugIns")
        try await Self.expect(app, ["error identifier-duplicate"])
        try await Self.expect(Self.demo(with: Self.share(), in: "PlugIns"), [])
    }

    @Test("EXT-06 a widget without an NSExtension dictionary")
    func ext06() async throws {
        let app = try Self.widget { $0.info["NSExtension"] = nil }
        try await Self.expect(app, ["error extension-point-missing", "warning live-activity-widget-missing"])
    }

    @Test("EXT-07 a widget without principal class and storyboard is fine")
    func ext07() async throws {
        let app = try Self.widget {
            $0.info["NSExtension"] = ["NSExtensionPointIdentifier": "com.apple.widgetkit-extension"]
        }
        try await Self.expect(app, [])
    }

    @Test("EXT-08 a share extension with neither principal class nor storyboard")
    func ext08() async throws {
        var share = Self.share()
        share.info["NSExtension"] = ["NSExtensionPointIdentifier": "com.apple.share-services"]
        try await Self.expect(Self.demo(with: share, in: "PlugIns"), ["error extension-principal-missing"])
        share.info["NSExtension"] = [
            "NSExtensionPointIdentifier": "com.apple.share-services", "NSExtensionMainStoryboard": "MainInterface",
        ]
        try await Self.expect(Self.demo(with: share, in: "PlugIns"), [])
    }

    @Test("EXT-10 CFBundleExecutable names a file that is not there")
    func ext10() async throws {
        let app = try FaultCase(.executableRemoved, at: "PlugIns/Widget.appex", rebuilding: .all).build(
            from: Demo.standard)
        try await Self.expect(app, ["error executable-missing"])
    }

    @Test("EXT-11 CFBundleExecutable is missing, the file is there")
    func ext11() async throws {
        let app = try Self.widget {
            $0.executableName = "Widget"
            $0.info["CFBundleExecutable"] = nil
        }
        try await Self.expect(app, ["error executable-key-missing"])
    }

    @Test("EXT-12 the package type of an extension is not XPC!")
    func ext12() async throws {
        for type: Plist? in ["XPC", "APPL", nil] {
            let app = try Self.widget { $0.info["CFBundlePackageType"] = type }
            try await Self.expect(app, ["error package-type-wrong"])
        }
    }

    @Test("EXT-14 minimum systems of app and extension")
    func ext14() async throws {
        func app(_ app: Plist, _ widget: Plist, built: UInt32? = nil) throws -> BundleBuilder {
            var demo = try Self.widget { widgetBundle in
                widgetBundle.info["MinimumOSVersion"] = widget
                widgetBundle.info["NSSupportsLiveActivities"] = nil
            }
            demo.info["MinimumOSVersion"] = app
            demo.info["NSSupportsLiveActivities"] = nil
            return demo
        }
        // Built for 16.1, as everything in the demo: the app's own list promises less.
        try await Self.expect(try app("16.1", "16.2"), ["note extension-minimum-above-app"])
        try await Self.expect(try app("16.1", "17.0"), ["warning extension-minimum-late"])
        try await Self.expect(
            try app("13.0", "16.1"), ["note extension-minimum-above-app", "warning minimum-os-differs"])
        try await Self.expect(try app("16.1", "16.1"), [])
    }

    @Test("EXT-15 the extension has another version than the app")
    func ext15() async throws {
        var app = try Self.widget { $0.info["CFBundleVersion"] = "33" }
        app.info["CFBundleVersion"] = "34"
        try await Self.expect(app, ["warning extension-version-differs"])
    }

    @Test("EXT-17 build variables in a shipped Info.plist")
    func ext17() async throws {
        var app = Demo.standard
        try app.update("Frameworks/Kit.framework") {
            $0.executableName = "Kit"
            $0.info["CFBundleIdentifier"] = "$(PRODUCT_BUNDLE_IDENTIFIER)"
            $0.info["CFBundleExecutable"] = "$(EXECUTABLE_NAME)"
            $0.eachSignature { $0.directories[0].identifier = "$(PRODUCT_BUNDLE_IDENTIFIER)" }
        }
        // Nobody's main executable now, the file is judged as a lone library, which its signature does not fit.
        try await Self.expect(
            app,
            [
                "error build-variable-unexpanded", "error build-variable-unexpanded", "error executable-missing",
                "error info-plist-missing", "error seal-missing",
            ])
    }

    @Test("EXT-18 the extension lies in the app's root")
    func ext18() async throws {
        var app = try Self.withoutWidget()
        app.nest(Demo.widget, in: .root)
        try await Self.expect(app, ["warning extension-misplaced"])
        try await Self.expect(app, ["error extension-misplaced"], requiring: [.widget])
        // It is code all the same.
        let broken = try FaultCase(.pageFlipped, at: "Widget.appex", rebuilding: .all).build(from: app)
        try await Self.expect(broken, ["warning extension-misplaced", "error page-altered"])
    }

    @Test("EXT-19 an emptied extension folder")
    func ext19() async throws {
        var app = Demo.standard
        app.files.add("PlugIns/Old.appex/x.txt", text: "left over\n")
        try await Self.expect(app, ["error executable-missing", "error info-plist-absent"])
        app = Demo.standard
        app.files["PlugIns/Old.appex"] = .directory()
        try await Self.expect(app, ["error executable-missing", "error info-plist-absent"])
    }

    @Test("EXT-21 device families without a common one")
    func ext21() async throws {
        var app = try Self.widget { $0.info["UIDeviceFamily"] = [4] }
        app.info["UIDeviceFamily"] = [1, 2]
        try await Self.expect(app, ["warning device-family-disjoint"])
        app = try Self.widget { $0.info["UIDeviceFamily"] = [2] }
        app.info["UIDeviceFamily"] = [1, 2]
        try await Self.expect(app, [])
    }

    @Test("EXT-23 info.plist in lower case")
    func ext23() async throws {
        var app = Demo.standard
        try app.edit("PlugIns/Widget.appex", rebuilding: .all) { try $0.move("Info.plist", to: "info.plist") }
        let report = try await Verifier().verify(try app.sealed())
        let absent = try #require(report.findings.first { $0.finding.id.rawValue == "info-plist-absent" })
        #expect(absent.severity == .error)
        #expect(absent.finding.message.contains("info.plist"))
        #expect(report.outcome == .fail)
    }

    @Test("EXT-24 a framework inside an extension")
    func ext24() async throws {
        let app = try Self.widget { $0.nest(.framework("Inner", identifier: "com.example.Inner"), in: "Frameworks") }
        try await Self.expect(app, ["warning framework-in-extension"])
        // The nested framework is verified as code too.
        let broken = try FaultCase(
            .pageFlipped, at: "PlugIns/Widget.appex/Frameworks/Inner.framework", rebuilding: .all
        ).build(from: app)
        try await Self.expect(broken, ["warning framework-in-extension", "error page-altered"])
    }

    @Test("EXT-25 all extensions stripped by the packaging step")
    func ext25() async throws {
        var app = try Self.withoutWidget()
        try await Self.expect(app, ["warning live-activity-widget-missing"])
        try await Self.expect(
            app, ["error required-widget-missing", "warning live-activity-widget-missing"], requiring: [.widget])
        app.info["NSSupportsLiveActivities"] = nil
        try await Self.expect(app, [])
    }

    @Test("EXT-28 two file providers in one app")
    func ext28() async throws {
        var app = Demo.standard
        for name in ["One", "Two"] {
            var provider = BundleBuilder.appex(name, identifier: "com.example.demo.\(name)")
            provider.info["NSExtension"] = [
                "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui", "NSExtensionPrincipalClass": "Provider",
            ]
            app.nest(provider, in: "PlugIns")
            if name == "One" { try await Self.expect(app, []) }
        }
        try await Self.expect(app, ["warning file-provider-twice"])
    }
}
