/// A macOS app.
extension Demo {
    /// A deep bundle with a versioned framework, a loose library, a helper tool and an extension. Its seal holds all of
    /// them as nested code.
    ///
    ///     Demo.app/Contents/
    ///       Frameworks/
    ///         Kit.framework/        Versions/A, and links to it
    ///         libTools.dylib
    ///       Helpers/helper
    ///       MacOS/Demo
    ///       PlugIns/
    ///         Widget.appex/         a deep bundle too, with entitlements
    public static var mac: BundleBuilder {
        var app = BundleBuilder.app("Demo", identifier: "com.example.demo")
        app.becomeMac()
        app.files = FileTree([
            "PkgInfo": .text("APPL????"),
            "Resources/Assets.car": .file(CodeBytes.make(2000, seed: 97)),
            "Resources/Base.lproj/Main.strings": .text("\"title\" = \"Demo\";\n"),
            "Resources/en.lproj/Localizable.strings": .text("\"hello\" = \"Hello\";\n"),
            "Resources/data/settings.json": .text("{\"volume\": 11}\n"),
            "Resources/data/latest.json": .link("settings.json"),
        ])
        var helper = CodeFile(.executable(seed: 15))
        helper.identifier = "com.example.demo.helper"
        app.nest(macFramework, in: "Frameworks")
        app.nest(macTarget(.dylib("libTools.dylib")), at: "Frameworks/libTools.dylib")
        app.nest(macTarget(helper), at: "Helpers/helper")
        app.nest(macWidget, in: "PlugIns")
        return app
    }

    /// A framework with a version folder, and links to it at its top.
    public static var macFramework: BundleBuilder {
        var kit = BundleBuilder.framework("Kit", identifier: "com.example.Kit")
        kit.becomeMac(layout: .versioned("A"))
        kit.executable?.eachSlice { $0.installName = "@rpath/Kit.framework/Versions/A/Kit" }
        kit.files = FileTree(["Resources/kit.json": .text("{}\n")])
        return kit
    }

    /// A WidgetKit extension for macOS, a deep bundle itself.
    public static var macWidget: BundleBuilder {
        var widget = BundleBuilder.appex("Widget", identifier: "com.example.demo.widget")
        widget.becomeMac()
        widget.eachSignature { $0.entitlements = ["com.apple.security.app-sandbox": true] }
        widget.files = FileTree(["Resources/en.lproj/Localizable.strings": .text("\"widget\" = \"Widget\";\n")])
        return widget
    }

    private static func macTarget(_ code: CodeFile) -> CodeFile {
        var code = code
        code.eachSlice { $0.target = .macOS }
        return code
    }
}
