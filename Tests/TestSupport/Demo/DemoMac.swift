/// A macOS app.
extension Demo {
    /// A deep bundle with a versioned framework, a loose library, a helper tool and an extension. Its seal holds all of
    /// them as nested code.
    public static var mac: BundleBuilder {
        var app = BundleBuilder(
            "Demo.app", layout: .deep,
            info: macInfo("Demo", type: "APPL", identifier: "com.example.demo"))
        app.executable = macCode(.executable(seed: 11))
        app.files = FileTree([
            "PkgInfo": .text("APPL????"),
            "Resources/Assets.car": .file(CodeBytes.make(2000, seed: 97)),
            "Resources/Base.lproj/Main.strings": .text("\"title\" = \"Demo\";\n"),
            "Resources/en.lproj/Localizable.strings": .text("\"hello\" = \"Hello\";\n"),
            "Resources/data/settings.json": .text("{\"volume\": 11}\n"),
            "Resources/data/latest.json": .link("settings.json"),
        ])
        app.nest(macFramework, in: "Frameworks")
        app.nest(macCode(.dylib("@rpath/libTools.dylib", seed: 14)), at: "Frameworks/libTools.dylib")
        var helper = macCode(.executable(seed: 15))
        helper.identifier = "com.example.demo.helper"
        app.nest(helper, at: "Helpers/helper")
        app.nest(macWidget, in: "PlugIns")
        return app
    }

    /// A framework with a version folder, and links to it at its top.
    public static var macFramework: BundleBuilder {
        var kit = BundleBuilder(
            "Kit.framework", layout: .versioned("A"),
            info: macInfo("Kit", type: "FMWK", identifier: "com.example.Kit"))
        kit.executable = macCode(.dylib("@rpath/Kit.framework/Versions/A/Kit", seed: 13))
        kit.files = FileTree(["Resources/kit.json": .text("{}\n")])
        return kit
    }

    /// A WidgetKit extension for macOS, a deep bundle itself.
    public static var macWidget: BundleBuilder {
        var widget = BundleBuilder(
            "Widget.appex", layout: .deep,
            info: macInfo("Widget", type: "XPC!", identifier: "com.example.demo.widget"))
        widget.info["NSExtension"] = ["NSExtensionPointIdentifier": "com.apple.widgetkit-extension"]
        widget.executable = macCode(.executable(seed: 12))
        widget.eachSignature { $0.entitlements = ["com.apple.security.app-sandbox": true] }
        widget.files = FileTree(["Resources/en.lproj/Localizable.strings": .text("\"widget\" = \"Widget\";\n")])
        return widget
    }

    private static func macCode(_ image: MachOBuilder) -> CodeFile {
        var image = image
        image.target = .macOS
        return CodeFile(image)
    }

    private static func macInfo(_ name: String, type: String, identifier: String) -> Plist {
        [
            "CFBundleDevelopmentRegion": "en",
            "CFBundleExecutable": .string(name),
            "CFBundleIdentifier": .string(identifier),
            "CFBundleInfoDictionaryVersion": "6.0",
            "CFBundleName": .string(name),
            "CFBundlePackageType": .string(type),
            "CFBundleShortVersionString": "1.2",
            "CFBundleSupportedPlatforms": ["MacOSX"],
            "CFBundleVersion": "34",
            "LSMinimumSystemVersion": "13.0",
        ]
    }
}
