import MachOReader

extension Finding.ID {
    static let infoPlistAbsent = Self("info-plist-absent")
    static let infoPlistMalformed = Self("info-plist-malformed")
    static let infoPlistSymlink = Self("info-plist-symlink")
    static let executableMissing = Self("executable-missing")
    static let executableSymlink = Self("executable-symlink")
    static let signatureFolderStray = Self("signature-folder-stray")
    static let bundleRootStray = Self("bundle-root-stray")
    static let frameworkRootInvalid = Self("framework-root-invalid")
    static let bundleFormatAmbiguous = Self("bundle-format-ambiguous")
    static let resourcesFolderAtRoot = Self("resources-folder-at-root")
}

extension Check {
    /// The parts that make a folder a bundle.
    static let bundle = Check(.bundle) { evaluation, facts in
        let code = evaluation.code
        guard let layout = code.layout else { return [] }
        var findings: [Finding] = []
        func add(_ id: Finding.ID, _ path: BundlePath, _ message: String) {
            findings.append(Finding(id, .init(path: path, code: code.path), message))
        }
        if facts.index[layout.infoPlist]?.kind == .symbolicLink {
            add(.infoPlistSymlink, layout.infoPlist, "\(layout.infoPlist) is a symbolic link.")
        }
        switch code.infoPlist?.contents {
        case nil:
            let twin = facts.index.children(of: layout.infoPlist.parent ?? .root).first {
                $0.path.lastComponent.map { $0 | 0x20 } == Array("info.plist".utf8) && $0.path != layout.infoPlist
            }
            let hint = twin.map { " (there is “\(BundlePath(bytes: Array($0.path.lastComponent)))”)" } ?? ""
            add(.infoPlistAbsent, layout.infoPlist, "The \(code.kind.noun) \(code.path) has no Info.plist\(hint).")
        case .failure(.notAPropertyList(.malformed(let reason))):
            add(.infoPlistMalformed, layout.infoPlist, "\(layout.infoPlist) is no property list: \(reason).")
        case .failure(.notADictionary):
            add(.infoPlistMalformed, layout.infoPlist, "\(layout.infoPlist) is no dictionary.")
        case .failure(.notAPropertyList(.limit(let exceeded))):
            findings.append(
                Finding.unread(layout.infoPlist, .limit(exceeded), code: code.path))
        case .failure(.unreadable), .success: break
        }
        if let folder = BundleStructure.resourcesFolder(code, facts.index) {
            add(
                .resourcesFolderAtRoot, folder,
                "\(folder) makes the \(code.kind.noun) \(code.path) an old-style bundle on a Mac; it is judged as the flat "
                    + "bundle that it is on a device.")
        }
        for fault in BundleStructure.faults(of: evaluation, facts: facts) {
            if let (id, message) = fault.description(in: code) { add(id, fault.path, message) }
        }
        if let executable = code.executable {
            if facts.index[executable]?.kind == .symbolicLink {
                add(.executableSymlink, executable, "The main executable \(executable) is a symbolic link.")
            }
        } else if evaluation.slices.isEmpty {
            let name = BundlePath(bytes: code.executableName)
            add(.executableMissing, code.path, "The \(code.kind.noun) \(code.path) has no executable “\(name)”.")
        }
        return findings
    }
}

extension BundleStructure.Fault {
    /// The finding and its sentence; nil for what is said of the file itself.
    fileprivate func description(in code: CodeObject) -> (Finding.ID, String)? {
        switch kind {
        case .notRegular: return nil
        case .signatureFolderStray, .signatureFolderNotAFile:
            return (.signatureFolderStray, "\(path) does not belong into _CodeSignature: no seal covers it.")
        case .rootStray:
            return (
                .bundleRootStray,
                "\(path) lies beside Contents, where no seal reaches: nothing but Contents belongs there."
            )
        case .ambiguous:
            return (
                .bundleFormatAmbiguous,
                "\(path) is not the one in the framework's current version: some readers take one, some the other."
            )
        case .frameworkRoot(let fault):
            let reason =
                switch fault {
                case .stray: "\(path) does not belong into the root of the framework \(code.path)"
                case .noVersions: "The framework \(code.path) has no version in \(path)"
                case .currentNotALink: "\(path) is not the symbolic link that it has to be"
                case .currentTarget: "\(path) does not lead to a version by its plain name"
                case .link: "\(path) does not lead to its namesake in the current version"
                }
            return (.frameworkRootInvalid, reason + ".")
        }
    }
}

extension Catalogue {
    static let bundle: [CatalogueRow] = [
        CatalogueRow(
            .signatureFolderStray, .bundle, apple: .unsealedAppRoot, "Something foreign lies in _CodeSignature.",
            why:
                "The folder is exempt from the seal, so strict verification lets only the signature's own files be there.",
            fix: "Remove it; put nothing into _CodeSignature by hand."),
        CatalogueRow(
            .bundleRootStray, .bundle, apple: .unsealedAppRoot, "Something lies beside Contents.",
            why:
                "The seal covers what is in Contents. Strict verification refuses anything beside it, since nobody would "
                + "notice a change of it.",
            fix: "Move it into Contents/Resources, and sign after that; or remove it."),
        CatalogueRow(
            .frameworkRootInvalid, .bundle, apple: .unsealedFrameworkRoot,
            "The root of a versioned framework is not as it has to be.",
            why: "Only Versions and links into its current version may be there: what else lies there no seal covers. "
                + "Archivers that follow links leave copies in place of the links.",
            fix:
                "Restore the links (Versions/Current to the version, the others through it), and pack with a tool that "
                + "keeps links (zip -y, ditto)."),
        CatalogueRow(
            .bundleFormatAmbiguous, .bundle, apple: .ambiguousBundleFormat,
            "A framework's root and its current version name different files.",
            why:
                "The signature covers the version. A loader that goes by the root gets another file, which nothing covers.",
            fix: "Replace what lies at the root by links through Versions/Current."),
        CatalogueRow(
            .resourcesFolderAtRoot, .bundle, severity: .warning, "A flat bundle has a folder “Resources” at its root.",
            why:
                "A Mac takes such a bundle for one of the old style, looks for its Info.plist in Resources, and often says "
                + "that the bundle format is unrecognized; a phone does not mind.",
            fix: "Give the folder another name, and sign after that."),
        CatalogueRow(
            .infoPlistAbsent, .bundle, "A bundle has no Info.plist.",
            why: "The installer refuses an app, extension or framework whose Info.plist it cannot load, even where the "
                + "seal around it is right.",
            fix: "Remove the folder, or build it anew with its Info.plist (spelled exactly so)."),
        CatalogueRow(
            .infoPlistMalformed, .bundle, apple: .badDictionaryFormat, "An Info.plist is no property list dictionary.",
            why: "No system can load the bundle.",
            fix: "Write it again as an XML or binary property list, and sign after that."),
        CatalogueRow(
            .infoPlistSymlink, .bundle, apple: .regularFile, "An Info.plist is a symbolic link.",
            why:
                "Strict verification wants a regular file: what a link leads to can change without the signature noticing.",
            fix: "Put the file itself in its place, and sign after that."),
        CatalogueRow(
            .executableMissing, .bundle, apple: .unsigned, "A bundle's main executable is not there.",
            why:
                "Nothing can be launched or loaded, and nothing carries a signature, although every seal around it may "
                + "be right.",
            fix: "Build the bundle anew, and check CFBundleExecutable in its Info.plist."),
        CatalogueRow(
            .executableSymlink, .bundle, apple: .regularFile, "A bundle's main executable is a symbolic link.",
            why:
                "Strict verification wants a regular file: what a link leads to can change without the signature noticing.",
            fix: "Put the file itself in its place, and sign after that."),
    ]
}
