import MachOReader

extension Finding.ID {
    static let extensionVersionDiffers = Self("extension-version-differs")
    static let extensionMinimumAboveApp = Self("extension-minimum-above-app")
    static let extensionMinimumLate = Self("extension-minimum-late")
    static let minimumOSDiffers = Self("minimum-os-differs")
}

extension Check {
    /// Versions and minimum systems of extensions against their app's, and of code against its Info.plist.
    static let versions = Check(.versions) { subject in
        let structure = AppStructure(evaluations: subject.evaluations)
        return structure.extensions.flatMap { evaluation -> [Finding] in
            guard let host = structure.host(of: evaluation), evaluation.code.infoPlist?.dictionary != nil else {
                return []
            }
            return version(evaluation.code, host.code) + minimum(evaluation.code, host.code, structure)
        } + subject.evaluations.flatMap { built($0) }
    }

    private static func about(_ code: CodeObject) -> Finding.Subject {
        Finding.Subject(path: code.infoPlist?.path ?? code.path, code: code.path)
    }

    private static func version(_ code: CodeObject, _ host: CodeObject) -> [Finding] {
        func text(_ code: CodeObject) -> String? {
            let (short, build) = (code.info("CFBundleShortVersionString"), code.info("CFBundleVersion"))
            return short == nil && build == nil ? nil : "\(short?.lossyText ?? "none") (\(build?.lossyText ?? "none"))"
        }
        guard let own = text(code), let hosts = text(host), own != hosts else { return [] }
        return [
            Finding(
                .extensionVersionDiffers, about(code),
                "The extension \(code.path) has version \(own), its app \(hosts).",
                .init(expected: hosts, actual: own))
        ]
    }

    /// Live Activities begin with iOS 16.1, their push tokens and islands for all with 16.2.
    private static let liveActivities = PackedVersion(16, 2)

    private static func minimum(_ code: CodeObject, _ host: CodeObject, _ structure: AppStructure) -> [Finding] {
        guard let own = code.minimumOS, let hosts = host.minimumOS, own > hosts else { return [] }
        let evidence = Finding.Evidence(expected: "at most \(hosts)", actual: own.description)
        let isWidget = code.extensionPoint == "com.apple.widgetkit-extension"
        guard isWidget, own > liveActivities else {
            return [
                Finding(
                    .extensionMinimumAboveApp, about(code),
                    "The extension \(code.path) needs \(own), its app only \(hosts): older systems have the app without it.",
                    evidence)
            ]
        }
        let first = max(hosts, liveActivities)
        let consequence =
            host.supportsLiveActivities
            ? "from \(first) to below \(own) the app's Live Activities have nothing to draw them"
            : "below \(own) the app has no widget"
        return [
            Finding(
                .extensionMinimumLate, about(code),
                "The widget \(code.path) needs \(own), its app only \(hosts): \(consequence).",
                evidence)
        ]
    }

    /// The loader goes by the load command, the installer by Info.plist.
    private static func built(_ evaluation: CodeEvaluation) -> [Finding] {
        guard let listed = evaluation.code.minimumOS, [.app, .appex].contains(evaluation.code.kind) else { return [] }
        return evaluation.slices.compactMap { slice in
            guard let build = slice.slice.image.value?.buildVersion, build.minimumOS > listed,
                [.iOS, .tvOS, .watchOS, .visionOS].contains(build.platform)
            else { return nil }
            return Finding(
                .minimumOSDiffers, .slice(slice, of: evaluation.code),
                "\(evaluation.code.path) says that it runs on \(listed), but was built for \(build.minimumOS) and later.",
                .init(expected: "at most \(listed)", actual: build.minimumOS.description))
        }
    }
}

extension Catalogue {
    static let versions: [CatalogueRow] = [
        CatalogueRow(
            .extensionVersionDiffers, .versions, severity: .warning, "An extension's version is not its app's.",
            why: "It installs, but the store warns; and it is the mark of an extension left from another build.",
            fix: "Build app and extension together, with one version."),
        CatalogueRow(
            .extensionMinimumAboveApp, .versions, severity: .note, "An extension needs a newer system than its app.",
            why: "That is normal for widgets and Live Activities; older systems simply do not have the extension.",
            fix: "Nothing, if it is meant."),
        CatalogueRow(
            .extensionMinimumLate, .versions, severity: .warning, "A widget needs a newer system than it should.",
            why: "Between the app's minimum and the widget's, devices run the app and show nothing.",
            fix: "Lower the widget's deployment target to 16.1 or 16.2, then build and sign again."),
        CatalogueRow(
            .minimumOSDiffers, .versions, severity: .warning, "Code needs a newer system than its Info.plist says.",
            why: "On the systems between, it installs and cannot be launched. A signer patched Info.plist, as a rule.",
            fix: "Set MinimumOSVersion to what the code was built for, then sign from the inside out."),
    ]
}
