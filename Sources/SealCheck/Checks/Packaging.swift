extension Finding.ID {
    static let executableModeLost = Self("executable-mode-lost")
    static let archiveModesMissing = Self("archive-modes-missing")
    static let archiveMacOSXFolder = Self("archive-macosx-folder")
    static let archiveForeignEntry = Self("archive-foreign-entry")
    static let archivePayloadStray = Self("archive-payload-stray")
    static let nameTwins = Self("name-twins")
}

extension Check {
    /// What the step that packed the app did to it: modes, residue, names.
    static let packaging = Check(.packaging) { subject in
        let facts = subject.facts
        var findings = subject.evaluations.compactMap { mode($0, facts) }
        if facts.isArchive { findings += modes(facts) + beside(facts) }
        return findings + twins(facts)
    }

    /// The loader wants the executable bit; archivers that know no Unix modes lose it.
    private static func mode(_ evaluation: CodeEvaluation, _ facts: Facts) -> Finding? {
        guard [.app, .appex, .xpc].contains(evaluation.code.kind), let executable = evaluation.code.executable,
            let real = facts.index.resolve(executable), let mode = facts[real]?.mode, mode & 0o111 == 0
        else { return nil }
        return Finding(
            .executableModeLost, .init(path: executable, code: evaluation.code.path),
            "The main executable \(executable) is not executable (mode \(String(mode, radix: 8))).",
            .init(expected: "755", actual: String(mode, radix: 8)))
    }

    private static func modes(_ facts: Facts) -> [Finding] {
        let files = facts.index.positions(below: facts.root).filter { facts.index.entries[$0].kind == .file }
        let bare = files.filter { (facts.index.entries[$0].mode ?? 0) == 0 }
        guard !files.isEmpty, bare.count == files.count else { return [] }
        return [
            Finding(
                .archiveModesMissing, .init(path: facts.root, code: nil),
                "The archive records no Unix modes for \(facts.root).")
        ]
    }

    /// Top-level names that packing tools and the store put beside `Payload`.
    private static let known: Set<[UInt8]> = Set(
        [
            "Payload", "SwiftSupport", "Symbols", "BCSymbolMaps", "WatchKitSupport", "WatchKitSupport2", "META-INF",
            "MessagesApplicationExtensionSupport", "MessagesApplicationSupport", "iTunesMetadata.plist",
            "iTunesArtwork",
            "iTunesArtwork@2x", "AppStoreInfo.plist", ".DS_Store",
        ].map { Array($0.utf8) })

    private static func beside(_ facts: Facts) -> [Finding] {
        guard facts.root.components.first?.elementsEqual("Payload".utf8) ?? false else { return [] }
        return facts.index.children(of: .root).compactMap { entry in
            let name = Array(entry.path.lastComponent)
            if name.elementsEqual("__MACOSX".utf8) {
                return Finding(
                    .archiveMacOSXFolder, .init(path: entry.path),
                    "The archive has a __MACOSX folder, which Finder's Compress makes.")
            }
            if known.contains(name) { return nil }
            return Finding(
                .archiveForeignEntry, .init(path: entry.path), "The archive has “\(entry.path)” beside Payload.")
        }
            + facts.index.children(of: "Payload").compactMap { entry in
                entry.path == facts.root
                    ? nil
                    : Finding(
                        .archivePayloadStray, .init(path: entry.path), "“\(entry.path)” lies in Payload beside the app."
                    )
            }
    }

    /// Names that a case-insensitive or normalising file system takes for one.
    private static func twins(_ facts: Facts) -> [Finding] {
        var seen: [String: BundlePath] = [:]
        var findings: [Finding] = []
        for position in facts.index.positions(below: facts.root) {
            let path = facts.index.entries[position].path
            // Swift's strings are equal when they are canonically, so the dictionary folds NFC and NFD as well.
            guard let text = path.text else { continue }
            if let twin = seen.updateValue(path, forKey: text.lowercased()), twin != path {
                findings.append(
                    Finding(
                        .nameTwins, .init(path: path),
                        "“\(path)” and “\(twin)” are one name on a Mac's or a phone's disk.",
                        .init(expected: twin.lossyText, actual: path.lossyText)))
            }
        }
        return findings
    }
}

extension Catalogue {
    static let packaging: [CatalogueRow] = [
        CatalogueRow(
            .executableModeLost, .packaging, "A main executable has lost its executable bit.",
            why:
                "The installer refuses the app, or it does not launch. Upload steps and Windows archivers drop Unix modes.",
            fix: "Restore the mode (chmod 755) and pack with a tool that keeps modes; the signature stays valid."),
        CatalogueRow(
            .archiveModesMissing, .packaging, severity: .warning, "The archive records no Unix modes.",
            why: "Every reader makes up its own; executables may not be executable.",
            fix: "Pack with a tool that keeps modes (zip on Linux or a Mac)."),
        CatalogueRow(
            .archiveMacOSXFolder, .packaging, severity: .warning, "The archive holds Finder's residue.",
            why: "It is harmless beside Payload, and the mark of an archive that was made by hand.",
            fix: "Pack with zip -qry, or ditto with --norsrc."),
        CatalogueRow(
            .archiveForeignEntry, .packaging, severity: .warning, "Something foreign lies beside Payload.",
            why: "It installs, but the store refuses paths that it does not know.", fix: "Leave it out of the archive."),
        CatalogueRow(
            .archivePayloadStray, .packaging, severity: .note, "Something lies in Payload beside the app.",
            why: "Careless tools take the first entry of Payload for the app.", fix: "Leave it out of the archive."),
        CatalogueRow(
            .nameTwins, .packaging, severity: .warning, "Two names differ in case or Unicode form only.",
            why: "On a Mac's or a phone's disk one replaces the other.", fix: "Rename one of them, then sign again."),
    ]
}
