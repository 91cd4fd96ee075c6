extension Finding.ID {
    static let identifierMissing = Self("identifier-missing")
    static let identifierNotPrefixed = Self("identifier-not-prefixed")
    static let identifierDuplicate = Self("identifier-duplicate")
    static let identifierDiffersFromSignature = Self("identifier-differs-from-signature")
    static let companionIdentifierDiffers = Self("companion-identifier-differs")
    static let watchAppIdentifierDiffers = Self("watch-app-identifier-differs")
    static let buildVariable = Self("build-variable-unexpanded")
}

extension Check {
    /// Bundle identifiers, as the installer compares them.
    static let identifiers = Check(.identifiers) { subject in
        let structure = AppStructure(evaluations: subject.evaluations)
        return subject.evaluations.flatMap { evaluation -> [Finding] in
            guard evaluation.code.layout != nil, evaluation.code.infoPlist?.dictionary != nil else { return [] }
            return prefix(evaluation, structure) + signature(evaluation) + watch(evaluation, structure)
                + variables(evaluation.code)
        } + duplicates(structure)
    }

    private static func about(_ code: CodeObject) -> Finding.Subject {
        Finding.Subject(path: code.infoPlist?.path ?? code.path, code: code.path)
    }

    /// iOS loads an extension only when its identifier is its host's, a dot, and more; a bare common beginning will not
    /// do, and nothing says so on the device.
    private static func prefix(_ evaluation: CodeEvaluation, _ structure: AppStructure) -> [Finding] {
        let code = evaluation.code
        guard code.kind == .app || code.kind == .appex else { return [] }
        guard let identifier = code.bundleIdentifier, !identifier.bytes.isEmpty else {
            return [
                Finding(
                    .identifierMissing, about(code), "The \(code.kind.noun) \(code.path) has no CFBundleIdentifier.")
            ]
        }
        guard let host = structure.host(of: evaluation), let wanted = host.code.bundleIdentifier, identifier != wanted
        else { return [] }
        // Helper apps of a Mac app are started by it and called what they like.
        if code.kind == .app, host.code.layout?.kind == .deep { return [] }
        let prefix = wanted.bytes + [UInt8(ascii: ".")]
        if identifier.bytes.starts(with: prefix), identifier.bytes.count > prefix.count { return [] }
        return [
            Finding(
                .identifierNotPrefixed, about(code),
                "The \(code.kind.noun) \(code.path) is called “\(identifier)”, which is not its host's “\(wanted)”, a dot, and "
                    + "more.",
                .init(expected: "\(wanted).…", actual: identifier.lossyText))
        ]
    }

    private static func duplicates(_ structure: AppStructure) -> [Finding] {
        var first: [ByteString: CodeObject] = [:]
        var findings: [Finding] = []
        for evaluation in structure.evaluations where [.app, .appex].contains(evaluation.code.kind) {
            guard let identifier = evaluation.code.bundleIdentifier else { continue }
            if let other = first[identifier] {
                findings.append(
                    Finding(
                        .identifierDuplicate, about(evaluation.code),
                        "\(evaluation.code.path) has the identifier “\(identifier)” of \(other.path)."))
            } else {
                first[identifier] = evaluation.code
            }
        }
        return findings
    }

    /// The installer compares what the signature says with what Info.plist says. A lone library is named by its file.
    private static func signature(_ evaluation: CodeEvaluation) -> [Finding] {
        let code = evaluation.code
        guard [.app, .appex, .framework].contains(code.kind), let identifier = code.bundleIdentifier else { return [] }
        return evaluation.slices.compactMap { slice in
            // Only the linker signed: it knows file names only, and that nobody else signed is said already.
            guard slice.kind != .linkerSigned, let signed = slice.ruling?.identifier, signed != identifier else {
                return nil
            }
            return Finding(
                .identifierDiffersFromSignature, .slice(slice, of: code),
                "The signature calls the \(code.kind.noun) \(code.path) “\(signed)”, its Info.plist “\(identifier)”.",
                .init(expected: identifier.lossyText, actual: signed.lossyText))
        }
    }

    private static func watch(_ evaluation: CodeEvaluation, _ structure: AppStructure) -> [Finding] {
        let code = evaluation.code
        guard let host = structure.host(of: evaluation), let wanted = host.code.bundleIdentifier else { return [] }
        var findings: [Finding] = []
        if let companion = code.info("WKCompanionAppBundleIdentifier"), companion != wanted {
            findings.append(
                Finding(
                    .companionIdentifierDiffers, about(code),
                    "\(code.path) names “\(companion)” as its companion app, but lies in “\(wanted)”.",
                    .init(expected: wanted.lossyText, actual: companion.lossyText)))
        }
        let attributes = code.infoPlist?.dictionary?["NSExtension"]?["NSExtensionAttributes"]
        if let watchApp = attributes?["WKAppBundleIdentifier"]?.string, watchApp != wanted {
            findings.append(
                Finding(
                    .watchAppIdentifierDiffers, about(code),
                    "\(code.path) names “\(watchApp)” as its watch app, but lies in “\(wanted)”.",
                    .init(expected: wanted.lossyText, actual: watchApp.lossyText)))
        }
        return findings
    }

    private static let requiredKeys: [ByteString] = [
        "CFBundleIdentifier", "CFBundleExecutable", "CFBundlePackageType", "CFBundleName", "CFBundleVersion",
        "CFBundleShortVersionString",
    ]

    /// `$(PRODUCT_BUNDLE_IDENTIFIER)` in a shipped Info.plist: it was copied instead of processed.
    private static func variables(_ code: CodeObject) -> [Finding] {
        requiredKeys.compactMap { key in
            guard let value = code.info(key)?.lossyText, value.contains("$(") || value.contains("${") else {
                return nil
            }
            return Finding(
                .buildVariable, about(code), "\(key) of \(code.path) still holds the build variable “\(value)”.",
                .init(actual: value))
        }
    }
}

extension Catalogue {
    static let identifiers: [CatalogueRow] = [
        CatalogueRow(
            .identifierMissing, .identifiers, "An app or extension has no bundle identifier.",
            why: "The installer refuses it.", fix: "Set CFBundleIdentifier, and sign after that."),
        CatalogueRow(
            .identifierNotPrefixed, .identifiers, "An extension's identifier does not continue its host's.",
            why:
                "iOS loads an extension only when its identifier is its host's, a dot, and more. The installer refuses it, or "
                + "the extension is simply never seen.",
            fix: "Rewrite the identifier so that it begins with the host's and a dot, then sign from the inside out."),
        CatalogueRow(
            .identifierDuplicate, .identifiers, "Two bundles have one identifier.",
            why: "The installer refuses an app with two bundles of one name.",
            fix: "Give each extension an identifier of its own, then sign from the inside out."),
        CatalogueRow(
            .identifierDiffersFromSignature, .identifiers, "The signature and Info.plist name a bundle differently.",
            why: "The installer compares the two and refuses the app.",
            fix: "Sign again after the identifier was changed; the signer must take it from Info.plist."),
        CatalogueRow(
            .companionIdentifierDiffers, .identifiers, "A watch app names another companion than the app around it.",
            why:
                "The installer refuses it: WKCompanionAppBundleIdentifier must be the identifier of the containing app.",
            fix:
                "Rewrite WKCompanionAppBundleIdentifier together with the app's identifier, then sign from the inside out."
        ),
        CatalogueRow(
            .watchAppIdentifierDiffers, .identifiers,
            "A watch extension names another watch app than the one around it.",
            why: "The installer refuses it: WKAppBundleIdentifier must be the identifier of the containing watch app.",
            fix:
                "Rewrite WKAppBundleIdentifier together with the watch app's identifier, then sign from the inside out."
        ),
        CatalogueRow(
            .buildVariable, .identifiers, "An Info.plist holds a build variable that was not replaced.",
            why: "The file was copied instead of processed: nothing is called by that name.",
            fix: "Let the build process the Info.plist, then sign from the inside out."),
    ]
}
