/// Bundles of the usual kinds, each right as it stands: an Info.plist with the keys that belong to the kind, and an
/// executable with an ad-hoc signature.
extension BundleBuilder {
    /// An iOS app named `<name>.app`.
    public static func app(_ name: String, identifier: String) -> BundleBuilder {
        var app = bundle(name, "app", type: "APPL", identifier: identifier)
        app.info["LSRequiresIPhoneOS"] = true
        app.info["UIDeviceFamily"] = [1, 2]
        app.executable = CodeFile(.executable(seed: seed(of: identifier)))
        return app
    }

    /// An app extension named `<name>.appex` for an extension point.
    public static func appex(
        _ name: String, identifier: String, point: String = "com.apple.widgetkit-extension"
    ) -> BundleBuilder {
        var appex = bundle(name, "appex", type: "XPC!", identifier: identifier)
        appex.info["NSExtension"] = ["NSExtensionPointIdentifier": .string(point)]
        appex.info["UIDeviceFamily"] = [1, 2]
        appex.executable = CodeFile(.executable(seed: seed(of: identifier)))
        return appex
    }

    /// A flat framework named `<name>.framework`.
    public static func framework(_ name: String, identifier: String) -> BundleBuilder {
        var framework = bundle(name, "framework", type: "FMWK", identifier: identifier)
        framework.executable = CodeFile(.dylib("@rpath/\(name).framework/\(name)", seed: seed(of: identifier)))
        return framework
    }

    /// A test bundle named `<name>.xctest`.
    public static func xctest(_ name: String, identifier: String) -> BundleBuilder {
        var tests = bundle(name, "xctest", type: "BNDL", identifier: identifier)
        tests.executable = CodeFile(.loadable(seed: seed(of: identifier)))
        return tests
    }

    /// A bundle named `<name>.<ending>` without code.
    public static func bundle(_ name: String, _ ending: String, type: String, identifier: String) -> BundleBuilder {
        BundleBuilder(
            "\(name).\(ending)",
            info: [
                "CFBundleDevelopmentRegion": "en",
                "CFBundleExecutable": .string(name),
                "CFBundleIdentifier": .string(identifier),
                "CFBundleInfoDictionaryVersion": "6.0",
                "CFBundleName": .string(name),
                "CFBundlePackageType": .string(type),
                "CFBundleShortVersionString": "1.2",
                "CFBundleSupportedPlatforms": ["iPhoneOS"],
                "CFBundleVersion": "34",
                "MinimumOSVersion": "16.1",
            ])
    }

    /// Makes this bundle and all its code one for macOS with a `Contents` folder, or the given layout.
    public mutating func becomeMac(layout: BundleLayout = .deep) {
        self.layout = layout
        for key in ["LSRequiresIPhoneOS", "UIDeviceFamily", "MinimumOSVersion"] { info[key] = nil }
        info["CFBundleSupportedPlatforms"] = ["MacOSX"]
        info["LSMinimumSystemVersion"] = "13.0"
        executable?.eachSlice { $0.target = .macOS }
    }

    /// A number for the code bytes of the bundle with that identifier (FNV-1a).
    private static func seed(of identifier: String) -> UInt64 {
        identifier.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension CodeFile {
    /// A lone library that other code loads as `@rpath/<name>`.
    public static func dylib(_ name: String, seed: UInt64 = 5) -> CodeFile {
        CodeFile(.dylib("@rpath/\(name)", seed: seed))
    }
}
