extension Finding.ID {
    static let executableKeyMissing = Self("executable-key-missing")
    static let packageTypeWrong = Self("package-type-wrong")
    static let extensionPointMissing = Self("extension-point-missing")
    static let extensionPrincipalMissing = Self("extension-principal-missing")
    static let extensionMisplaced = Self("extension-misplaced")
    static let extensionInOtherFolder = Self("extension-in-other-folder")
    static let frameworkInExtension = Self("framework-in-extension")
    static let fileProviderTwice = Self("file-provider-twice")
    static let deviceFamilyDisjoint = Self("device-family-disjoint")
    static let bundleExecutableMissing = Self("data-bundle-executable-missing")
}

extension Check {
    /// What makes an appex an extension that the system loads.
    static let extensionPoint = Check(.extensionPoint) { subject in
        let structure = AppStructure(evaluations: subject.evaluations)
        var findings = subject.evaluations.flatMap { executableKey($0) }
        for evaluation in structure.extensions where evaluation.code.infoPlist?.dictionary != nil {
            findings += packageType(evaluation.code) + point(evaluation.code)
            findings += place(evaluation.code, structure.host(of: evaluation)?.code)
            findings += families(evaluation.code, structure.host(of: evaluation)?.code)
            findings += frameworks(evaluation.code, subject.facts)
        }
        return findings + fileProviders(structure) + dataBundles(subject.facts)
    }

    private static func about(_ code: CodeObject) -> Finding.Subject {
        Finding.Subject(path: code.infoPlist?.path ?? code.path, code: code.path)
    }

    /// The name is never guessed from the folder: no installer does.
    private static func executableKey(_ evaluation: CodeEvaluation) -> [Finding] {
        let code = evaluation.code
        guard code.kind == .app || code.kind == .appex, code.infoPlist?.dictionary != nil,
            code.info("CFBundleExecutable")?.bytes.isEmpty ?? true
        else { return [] }
        return [
            Finding(.executableKeyMissing, about(code), "The Info.plist of \(code.path) has no CFBundleExecutable.")
        ]
    }

    private static func packageType(_ code: CodeObject) -> [Finding] {
        let type = code.info("CFBundlePackageType")
        guard type != "XPC!" else { return [] }
        let words = type.map { "is “\($0)”" } ?? "is missing"
        return [
            Finding(
                .packageTypeWrong, about(code),
                "CFBundlePackageType of the extension \(code.path) \(words), not “XPC!”.",
                .init(expected: "XPC!", actual: type?.lossyText))
        ]
    }

    private static func point(_ code: CodeObject) -> [Finding] {
        guard let point = code.extensionPoint, !point.bytes.isEmpty else {
            return [
                Finding(.extensionPointMissing, about(code), "The extension \(code.path) declares no extension point.")
            ]
        }
        guard let dictionary = code.infoPlist?.dictionary?["NSExtension"], needsPrincipal.contains(point),
            dictionary["NSExtensionPrincipalClass"]?.string == nil,
            dictionary["NSExtensionMainStoryboard"]?.string == nil
        else { return [] }
        return [
            Finding(
                .extensionPrincipalMissing, about(code),
                "The extension \(code.path) (\(point)) has neither NSExtensionPrincipalClass nor NSExtensionMainStoryboard."
            )
        ]
    }

    /// Extension points whose extensions are entered by a class or a storyboard. WidgetKit's and ExtensionKit's are
    /// entered by `@main`; for a point that is not listed nothing is claimed.
    private static let needsPrincipal: Set<ByteString> = [
        "com.apple.share-services", "com.apple.ui-services", "com.apple.services", "com.apple.keyboard-service",
        "com.apple.usernotifications.service", "com.apple.usernotifications.content-extension",
        "com.apple.intents-service", "com.apple.intents-ui-service", "com.apple.photo-editing",
        "com.apple.fileprovider-nonui", "com.apple.fileprovider-actionsui", "com.apple.broadcast-services-upload",
        "com.apple.broadcast-services-setupui", "com.apple.Safari.content-blocker", "com.apple.Safari.web-extension",
        "com.apple.networkextension.packet-tunnel", "com.apple.networkextension.app-proxy",
        "com.apple.networkextension.filter-data", "com.apple.networkextension.filter-control",
        "com.apple.callkit.call-directory", "com.apple.identitylookup.message-filter", "com.apple.spotlight.index",
        "com.apple.authentication-services-credential-provider-ui", "com.apple.quicklook.preview",
        "com.apple.quicklook.thumbnail", "com.apple.widget-extension", "com.apple.message-payload-provider",
    ]

    /// Extensions are loaded from `PlugIns`, ExtensionKit's from `Extensions`; from nowhere else.
    private static func place(_ code: CodeObject, _ host: CodeObject?) -> [Finding] {
        guard let host, let base = host.layout?.supportDirectory else { return [] }
        let about = Finding.Subject(path: code.path, code: code.path)
        let isExtensionKit =
            code.infoPlist?.dictionary?["EXAppExtensionAttributes"] != nil
            && code.infoPlist?.dictionary?["NSExtension"] == nil
        switch code.path.parent {
        case base.appending("PlugIns"):
            guard isExtensionKit else { return [] }
            return [
                Finding(
                    .extensionInOtherFolder, about,
                    "\(code.path) is an ExtensionKit extension, which is loaded from Extensions, not from PlugIns.")
            ]
        case base.appending("Extensions"):
            guard code.infoPlist?.dictionary?["EXAppExtensionAttributes"] == nil else { return [] }
            return [
                Finding(
                    .extensionInOtherFolder, about,
                    "\(code.path) is a classic extension, which is loaded from PlugIns, not from Extensions.")
            ]
        default:
            return [
                Finding(
                    .extensionMisplaced, about,
                    "\(code.path) lies neither in PlugIns nor in Extensions of \(host.path): it is never loaded.")
            ]
        }
    }

    private static func families(_ code: CodeObject, _ host: CodeObject?) -> [Finding] {
        func families(_ code: CodeObject?) -> Set<Int64> {
            Set(
                (code?.infoPlist?.dictionary?["UIDeviceFamily"]?.array ?? []).compactMap {
                    if case .integer(let value) = $0 { value } else { nil }
                })
        }
        let (own, hosts) = (families(code), families(host))
        guard !own.isEmpty, !hosts.isEmpty, own.isDisjoint(with: hosts) else { return [] }
        return [
            Finding(
                .deviceFamilyDisjoint, about(code), "UIDeviceFamily of \(code.path) shares nothing with its host's.",
                .init(expected: "\(hosts.sorted())", actual: "\(own.sorted())"))
        ]
    }

    /// The store refuses even an empty folder.
    private static func frameworks(_ code: CodeObject, _ facts: Facts) -> [Finding] {
        guard code.layout?.kind == .flat else { return [] }
        let folder = code.path.appending("Frameworks")
        guard facts.index.isDirectory(folder) else { return [] }
        return [
            Finding(
                .frameworkInExtension, .init(path: folder, code: code.path),
                "The extension \(code.path) has a Frameworks folder.")
        ]
    }

    private static func fileProviders(_ structure: AppStructure) -> [Finding] {
        let providers = structure.extensions.filter { $0.code.extensionPoint == "com.apple.fileprovider-nonui" }
        guard providers.count > 1, let second = providers.dropFirst().first else { return [] }
        let paths = providers.map(\.code.path.lossyText).joined(separator: ", ")
        return [
            Finding(.fileProviderTwice, about(second.code), "There are \(providers.count) file providers: \(paths).")
        ]
    }

    /// A resource bundle that names an executable it does not have: harmless but for the store.
    private static func dataBundles(_ facts: Facts) -> [Finding] {
        facts.dataBundles.map { bundle in
            Finding(
                .bundleExecutableMissing, .init(path: bundle, code: nil),
                "The resource bundle \(bundle) names an executable that it does not have.")
        }
    }
}

extension Catalogue {
    private static let setAndSign = "Set it in the extension's Info.plist, then sign from the inside out."

    static let extensionPoint: [CatalogueRow] = [
        CatalogueRow(
            .executableKeyMissing, .extensionPoint, "An app or extension does not say what its executable is called.",
            why: "No installer guesses the name.", fix: "Set CFBundleExecutable, then sign from the inside out."),
        CatalogueRow(
            .packageTypeWrong, .extensionPoint, "An extension's package type is not “XPC!”.",
            why: "The installer refuses the value; without it the extension is not registered.", fix: setAndSign),
        CatalogueRow(
            .extensionPointMissing, .extensionPoint, "An extension declares no extension point.",
            why: "Nothing says what it extends, so nothing ever loads it. The app runs, and the widget never appears.",
            fix:
                "Set NSExtension › NSExtensionPointIdentifier (com.apple.widgetkit-extension for a widget), then sign from the "
                + "inside out."),
        CatalogueRow(
            .extensionPrincipalMissing, .extensionPoint, "An extension has neither principal class nor storyboard.",
            why: "The installer refuses an extension of this kind that has neither.", fix: setAndSign),
        CatalogueRow(
            .extensionMisplaced, .extensionPoint, severity: .warning, "An extension lies where none is loaded from.",
            why: "The system looks into PlugIns and Extensions only.",
            fix: "Move it to PlugIns (or Extensions for ExtensionKit), then sign what is around it again."),
        CatalogueRow(
            .extensionInOtherFolder, .extensionPoint, severity: .warning,
            "An extension lies in the folder of the other kind.",
            why: "Classic extensions are loaded from PlugIns, ExtensionKit's from Extensions.",
            fix: "Move it, then sign what is around it again."),
        CatalogueRow(
            .frameworkInExtension, .extensionPoint, severity: .warning, "An extension has a Frameworks folder.",
            why: "It installs, but the store refuses even an empty one.",
            fix: "Put the framework into the app's Frameworks folder, and let the extension find it there."),
        CatalogueRow(
            .fileProviderTwice, .extensionPoint, severity: .warning, "An app has two file providers.",
            why: "The installer has been known to allow one.", fix: "Keep one of them."),
        CatalogueRow(
            .deviceFamilyDisjoint, .extensionPoint, severity: .warning,
            "An extension is for other devices than its app.",
            why: "The installer refuses it on every device that the app is for.", fix: setAndSign),
        CatalogueRow(
            .bundleExecutableMissing, .extensionPoint, severity: .warning,
            "A resource bundle names an executable that it does not have.",
            why: "It installs and works, but the store refuses it.",
            fix: "Remove CFBundleExecutable from the bundle's Info.plist, then sign what is around it again."),
    ]
}
