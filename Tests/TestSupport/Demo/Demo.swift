/// The bundles that the tests start from.
public enum Demo {
    /// A flat iOS app with a WidgetKit extension, a framework in a framework, a loose library, and one of every kind of
    /// resource. Every seal is right.
    ///
    ///     Demo.app/                 com.example.demo
    ///       Frameworks/
    ///         Kit.framework/        com.example.Kit
    ///           Frameworks/
    ///             Core.framework/   com.example.Core
    ///         libTools.dylib
    ///       PlugIns/
    ///         Widget.appex/         com.example.demo.widget, with entitlements
    public static var standard: BundleBuilder {
        var app = BundleBuilder.app("Demo", identifier: "com.example.demo")
        app.info["NSSupportsLiveActivities"] = true
        app.executable?.eachSlice { slice in
            slice.dylibs += ["@rpath/Kit.framework/Kit", "@rpath/libTools.dylib"]
            slice.rpaths = ["@executable_path/Frameworks"]
        }
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
        app.nest(kit, in: "Frameworks")
        app.nest(.dylib("libTools.dylib"), at: "Frameworks/libTools.dylib")
        app.nest(widget, in: "PlugIns")
        return app
    }

    /// The WidgetKit extension of ``standard``.
    public static var widget: BundleBuilder {
        var widget = BundleBuilder.appex("Widget", identifier: "com.example.demo.widget")
        widget.executable?.eachSlice {
            $0.dylibs.append("/System/Library/Frameworks/WidgetKit.framework/WidgetKit")
        }
        widget.eachSignature { signature in
            signature.entitlements = [
                "application-identifier": "com.example.demo.widget",
                "com.apple.security.application-groups": ["group.com.example.demo"],
            ]
        }
        widget.files = FileTree([
            "Assets.car": .file(CodeBytes.make(500, seed: 98)),
            "en.lproj/Localizable.strings": .text("\"widget\" = \"Widget\";\n"),
        ])
        return widget
    }

    /// A flat framework with another one in it.
    public static var kit: BundleBuilder {
        var kit = BundleBuilder.framework("Kit", identifier: "com.example.Kit")
        kit.files = FileTree(["kit.json": .text("{}\n")])
        kit.nest(.framework("Core", identifier: "com.example.Core"), in: "Frameworks")
        return kit
    }

    /// A watch app with an extension with a framework, to be nested in `Watch` of ``standard``: four levels of code.
    public static var watch: BundleBuilder {
        var appex = BundleBuilder.appex("Face", identifier: "com.example.demo.watch.face")
        appex.nest(.framework("Dial", identifier: "com.example.Dial"), in: "Frameworks")
        var watch = BundleBuilder.app("Watch", identifier: "com.example.demo.watch")
        watch.info["WKApplication"] = true
        watch.info["WKCompanionAppBundleIdentifier"] = "com.example.demo"
        watch.nest(appex, in: "PlugIns")
        watch.eachBundle { bundle in
            bundle.info["CFBundleSupportedPlatforms"] = ["WatchOS"]
            bundle.info["MinimumOSVersion"] = "9.0"
            if bundle.info["UIDeviceFamily"] != nil { bundle.info["UIDeviceFamily"] = [4] }
        }
        watch.eachCode { $0.eachSlice { $0.target = .watchOS } }
        return watch
    }

    /// A signed image of less than 2 KiB, for tests that go through it byte by byte.
    public static var smallImage: MachOBuilder {
        var image = MachOBuilder()
        image.textSize = 1024
        image.headerRoom = 0
        return image
    }
}
