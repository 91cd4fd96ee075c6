import MachOReader

/// Apps, extensions and their relations, as the installer and the extension system see them.
struct AppStructure: Sendable {
    let evaluations: [CodeEvaluation]

    /// The object that was judged, when it is an app.
    var app: CodeEvaluation? { evaluations.first.flatMap { $0.code.kind == .app ? $0 : nil } }

    var extensions: [CodeEvaluation] { evaluations.filter { $0.code.kind == .appex } }

    /// Apps inside the app: watch apps, App Clips.
    var nestedApps: [CodeEvaluation] { evaluations.filter { $0.code.kind == .app && $0.code.parent != nil } }

    /// WidgetKit extensions.
    var widgets: [CodeEvaluation] { extensions.filter { $0.code.extensionPoint == "com.apple.widgetkit-extension" } }

    /// The innermost app around an object.
    func host(of code: CodeEvaluation) -> CodeEvaluation? {
        var number = code.code.parent
        while let current = number {
            if evaluations[current].code.kind == .app { return evaluations[current] }
            number = evaluations[current].code.parent
        }
        return nil
    }
}

extension CodeObject {
    /// `NSExtension.NSExtensionPointIdentifier`, or ExtensionKit's `EXAppExtensionAttributes.EXExtensionPointIdentifier`.
    var extensionPoint: ByteString? {
        let list = infoPlist?.dictionary
        return list?["NSExtension"]?["NSExtensionPointIdentifier"]?.string
            ?? list?["EXAppExtensionAttributes"]?["EXExtensionPointIdentifier"]?.string
    }

    /// `NSSupportsLiveActivities`, when it is the boolean true.
    var supportsLiveActivities: Bool { infoPlist?.dictionary?["NSSupportsLiveActivities"]?.boolean == true }

    /// `MinimumOSVersion`, or a Mac's `LSMinimumSystemVersion`, as a version.
    var minimumOS: PackedVersion? {
        (info("MinimumOSVersion") ?? info("LSMinimumSystemVersion")).flatMap { PackedVersion($0.lossyText) }
    }
}

extension PackedVersion {
    /// `16.2` or `16.2.1`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
        guard (1...3).contains(parts.count), let major = parts[0], major <= 0xffff else { return nil }
        let minor = parts.count > 1 ? parts[1] : 0
        let patch = parts.count > 2 ? parts[2] : 0
        guard let minor, let patch, minor <= 0xff, patch <= 0xff else { return nil }
        self.init(major, minor, patch)
    }
}
