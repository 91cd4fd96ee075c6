import MachOReader

extension Finding.ID {
    static let infoPlistAbsent = Self("info-plist-absent")
    static let infoPlistMalformed = Self("info-plist-malformed")
    static let infoPlistSymlink = Self("info-plist-symlink")
    static let executableMissing = Self("executable-missing")
    static let executableSymlink = Self("executable-symlink")
    static let signatureFolderStray = Self("signature-folder-stray")
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
        for stray in BundleHygiene.strays(in: layout, of: evaluation, facts: facts) {
            add(
                .signatureFolderStray, stray,
                "\(stray) does not belong into _CodeSignature: no seal covers it.")
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

extension Catalogue {
    static let bundle: [CatalogueRow] = [
        CatalogueRow(
            .signatureFolderStray, .bundle, apple: .unsealedAppRoot, "Something foreign lies in _CodeSignature.",
            why:
                "The folder is exempt from the seal, so strict verification lets only the signature's own files be there.",
            fix: "Remove it; put nothing into _CodeSignature by hand."),
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
