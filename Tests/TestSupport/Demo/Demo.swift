/// The bundles that the tests start from.
public enum Demo {
    /// A flat iOS app with a WidgetKit extension, a framework in a framework, a loose library, and one of every kind of
    /// resource. Every seal is right.
    public static var standard: BundleBuilder {
        var app = BundleBuilder(
            "Demo.app",
            info: [
                "CFBundleDevelopmentRegion": "en",
                "CFBundleExecutable": "Demo",
                "CFBundleIdentifier": "com.example.demo",
                "CFBundleInfoDictionaryVersion": "6.0",
                "CFBundleName": "Demo",
                "CFBundlePackageType": "APPL",
                "CFBundleShortVersionString": "1.2",
                "CFBundleSupportedPlatforms": ["iPhoneOS"],
                "CFBundleVersion": "34",
                "LSRequiresIPhoneOS": true,
                "MinimumOSVersion": "16.1",
                "NSSupportsLiveActivities": true,
                "UIDeviceFamily": [1, 2],
            ])
        app.executable = CodeFile(.executable(seed: 1))
        app.executable?.slices[0].dylibs += ["@rpath/Kit.framework/Kit", "@rpath/libTools.dylib"]
        app.executable?.slices[0].rpaths = ["@executable_path/Frameworks"]
        app.files = FileTree([
            "PkgInfo": .text("APPL????"),
            "Base.lproj/Main.strings": .text("\"title\" = \"Demo\";\n"),
            "en.lproj/Localizable.strings": .text("\"hello\" = \"Hello\";\n"),
            "fr.lproj/Localizable.strings": .text("\"hello\" = \"Bonjour\";\n"),
            "Assets.car": .file(CodeBytes.make(3000, seed: 99)),
            "data/settings.json": .text("{\"volume\": 11}\n"),
            "data/latest.json": .link("settings.json"),
            "grüße-図.txt": .text("Grüße\n"),
        ])
        app.nested = [
            ("Frameworks/Kit.framework", .bundle(kit)),
            ("Frameworks/libTools.dylib", .code(CodeFile(.dylib("@rpath/libTools.dylib", seed: 5)))),
            ("PlugIns/Widget.appex", .bundle(widget)),
        ]
        return app
    }

    /// The WidgetKit extension of ``standard``.
    public static var widget: BundleBuilder {
        var widget = BundleBuilder(
            "Widget.appex",
            info: [
                "CFBundleDevelopmentRegion": "en",
                "CFBundleExecutable": "Widget",
                "CFBundleIdentifier": "com.example.demo.widget",
                "CFBundleInfoDictionaryVersion": "6.0",
                "CFBundleName": "Widget",
                "CFBundlePackageType": "XPC!",
                "CFBundleShortVersionString": "1.2",
                "CFBundleSupportedPlatforms": ["iPhoneOS"],
                "CFBundleVersion": "34",
                "MinimumOSVersion": "16.1",
                "NSExtension": ["NSExtensionPointIdentifier": "com.apple.widgetkit-extension"],
                "UIDeviceFamily": [1, 2],
            ])
        widget.executable = CodeFile(.executable(seed: 2))
        widget.executable?.slices[0].dylibs += ["/System/Library/Frameworks/WidgetKit.framework/WidgetKit"]
        widget.executable?.eachSignature { $0.entitlements = widgetEntitlements }
        widget.files = FileTree([
            "Assets.car": .file(CodeBytes.make(500, seed: 98)),
            "en.lproj/Localizable.strings": .text("\"widget\" = \"Widget\";\n"),
        ])
        return widget
    }

    static let widgetEntitlements: Plist = [
        "application-identifier": "com.example.demo.widget",
        "com.apple.security.application-groups": ["group.com.example.demo"],
    ]

    /// A flat framework with another one in it.
    public static var kit: BundleBuilder {
        var kit = framework("Kit", identifier: "com.example.Kit", seed: 3)
        kit.files = FileTree(["kit.json": .text("{}\n")])
        kit.nested = [
            ("Frameworks/Core.framework", .bundle(framework("Core", identifier: "com.example.Core", seed: 4)))
        ]
        return kit
    }

    /// A flat framework with nothing but its executable.
    public static func framework(_ name: String, identifier: String, seed: UInt64) -> BundleBuilder {
        var framework = BundleBuilder(
            "\(name).framework",
            info: [
                "CFBundleExecutable": .string(name),
                "CFBundleIdentifier": .string(identifier),
                "CFBundleInfoDictionaryVersion": "6.0",
                "CFBundleName": .string(name),
                "CFBundlePackageType": "FMWK",
                "CFBundleShortVersionString": "1.0",
                "CFBundleVersion": "1",
                "MinimumOSVersion": "16.1",
            ])
        framework.executable = CodeFile(.dylib("@rpath/\(name).framework/\(name)", seed: seed))
        return framework
    }
}
