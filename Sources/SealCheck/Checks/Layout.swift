import MachOReader

extension Finding.ID {
    static let codeLimitShort = Self("code-limit-short")
    static let linkeditNotAtEnd = Self("linkedit-not-at-end")
    static let universalGap = Self("universal-gap")
    static let universalArchitectureDiffers = Self("universal-architecture-differs")
    static let universalDuplicateSlice = Self("universal-duplicate-slice")
    static let universalTypesDiffer = Self("universal-types-differ")
    static let universalTeamsDiffer = Self("universal-teams-differ")
    static let duplicateSignatureCommand = Self("duplicate-signature-command")
}

extension Check {
    /// Whether the signature reaches everything in the file (spec 2.2, 2.5): bytes that no signature covers can be
    /// anything.
    static let layout = Check(.layout, covers: loadCommands) { evaluation, _ in
        var findings = evaluation.slices.flatMap { extent($0, evaluation.code) }
        if let machO = evaluation.machO { findings.append(contentsOf: universal(machO, evaluation)) }
        return findings
    }

    /// Every command that has a name: its bytes are covered by page 0 like all others.
    private static let loadCommands = Set(LoadCommandKind.named.map { Feature.loadCommand($0.rawValue) })

    private static func extent(_ slice: SliceEvaluation, _ code: CodeObject) -> [Finding] {
        guard let image = slice.slice.image.value, slice.slice.signature != .none else { return [] }
        let about = Finding.Subject.slice(slice, of: code)
        var findings: [Finding] = []
        if image.codeSignatures.count > 1 {
            findings.append(
                Finding(
                    .duplicateSignatureCommand, about,
                    "\(about.path) has \(image.codeSignatures.count) LC_CODE_SIGNATURE commands; verifiers take the first."
                ))
        }
        if let directory = slice.ruling?.directory.value {
            let extent = image.signingExtent(sliceSize: slice.slice.size)
            if directory.codeLimit != extent {
                findings.append(
                    Finding(
                        .codeLimitShort, about,
                        "The signature of \(about.path) covers \(directory.codeLimit) bytes where the code has \(extent).",
                        .init(expected: "\(extent)", actual: "\(directory.codeLimit)")))
            }
        }
        if image.claimedEnd.offset != slice.slice.size {
            let claim =
                switch image.claimedEnd {
                case .linkedit(let end): "its __LINKEDIT ends at \(end)"
                case .stringTable(let end): "its string table ends at \(end)"
                case .none: "it has neither __LINKEDIT nor a symbol table"
                case .malformed(let fault): "\(fault)"
                }
            findings.append(
                Finding(
                    .linkeditNotAtEnd, about,
                    "\(about.path)\(about.slice.map { " (\($0))" } ?? "") has \(slice.slice.size) bytes, but \(claim).",
                    .init(expected: "\(slice.slice.size)", actual: image.claimedEnd.offset.map { "\($0)" })))
        }
        return findings
    }

    private static func universal(_ machO: MachOFacts, _ evaluation: CodeEvaluation) -> [Finding] {
        guard case .universal(let file) = machO.container else { return [] }
        let about = Finding.Subject(
            path: evaluation.code.executable ?? evaluation.code.path, code: evaluation.code.path)
        var findings: [Finding] = []
        for (suspicion, _) in UniversalLayout.suspicions(machO) {
            switch suspicion {
            case .content(let offset):
                findings.append(
                    Finding(
                        .universalGap, about, "\(about.path) has bytes between its slices that no signature covers.",
                        .init(offset: offset)))
            case .gap(let index):
                let slice = file.slices[index]
                findings.append(
                    Finding(
                        .universalGap, about,
                        "The \(slice.architecture.name) slice of \(about.path) does not lie where its alignment puts it.",
                        .init(offset: slice.offset)))
            case .trailing(let offset, let count):
                findings.append(
                    Finding(
                        .universalGap, about,
                        "\(about.path) has \(count) bytes after its last slice that no signature covers.",
                        .init(offset: offset)))
            case .truncated(let end):
                findings.append(
                    Finding(
                        .universalGap, about,
                        "\(about.path) ends at \(machO.fileSize), before its last slice does (\(end)).",
                        .init(expected: "\(end)", actual: "\(machO.fileSize)")))
            }
        }
        for slice in machO.slices {
            guard let image = slice.image.value?.architecture else { continue }
            if image.type == slice.architecture.type, image.plainSubtype == slice.architecture.plainSubtype { continue }
            findings.append(
                Finding(
                    .universalArchitectureDiffers, about,
                    "\(about.path) lists a slice as \(slice.architecture.name), but it is \(image.name).",
                    .init(expected: slice.architecture.name, actual: image.name, offset: slice.offset)))
        }
        findings += disagreements(evaluation, about)
        var seen: Set<Architecture> = []
        for slice in file.slices where !seen.insert(slice.architecture).inserted {
            findings.append(
                Finding(
                    .universalDuplicateSlice, about,
                    "\(about.path) has two slices for \(slice.architecture.name); Apple's verifier looks at one only."))
        }
        return findings
    }
}

extension Check {
    /// In what the slices of a file have to be alike (spec 2.3, 2.5).
    private static func disagreements(_ evaluation: CodeEvaluation, _ about: Finding.Subject) -> [Finding] {
        var findings: [Finding] = []
        let types = Set(evaluation.slices.compactMap { $0.slice.image.value?.header.fileType })
        if types.count > 1 {
            findings.append(
                Finding(
                    .universalTypesDiffer, about, "The slices of \(about.path) are of different file types."))
        }
        let teams = Set(evaluation.slices.compactMap(\.ruling).map(\.teamIdentifier))
        if teams.count > 1 {
            let names = teams.map { $0?.lossyText ?? "none" }.sorted().joined(separator: ", ")
            findings.append(
                Finding(
                    .universalTeamsDiffer, about, "The slices of \(about.path) name different teams.",
                    .init(actual: names)))
        }
        return findings
    }
}

extension Catalogue {
    static let layout: [CatalogueRow] = [
        CatalogueRow(
            .codeLimitShort, .layout, apple: .signatureInvalid, "A signature does not cover all of the code.",
            why: "The bytes past its limit can be anything, and every hash is still right.",
            fix: "Sign again; the limit must be the offset of the signature."),
        CatalogueRow(
            .linkeditNotAtEnd, .layout, apple: .badMainExecutable, "A Mach-O file does not end where its commands say.",
            why:
                "Bytes were appended after signing, or the signer did not extend __LINKEDIT: strict verification refuses "
                + "both.",
            fix: "Remove what was appended; or sign with a signer that lets __LINKEDIT end with the file."),
        CatalogueRow(
            .universalGap, .layout, apple: .badMainExecutable, "A universal file holds bytes that belong to no slice.",
            why: "No signature covers them.",
            fix: "Make the file again with lipo."),
        CatalogueRow(
            .universalArchitectureDiffers, .layout,
            "A universal file lists a slice as another architecture than it is.",
            why: "The loader picks a slice by the table and then refuses it.",
            fix: "Make the file again with lipo."),
        CatalogueRow(
            .universalDuplicateSlice, .layout, severity: .warning,
            "A universal file has two slices for one architecture.",
            why: "Apple's verifier looks at the first only; which of them runs is another question.",
            fix: "Make the file again with lipo, one slice an architecture."),
        CatalogueRow(
            .universalTypesDiffer, .layout, severity: .warning, apple: .notExecutable,
            "The slices of a universal file are of different types.",
            why: "Strict verification opens all slices as one thing, and gives up.",
            fix: "Make the file again with lipo, from builds of one target."),
        CatalogueRow(
            .universalTeamsDiffer, .layout, apple: .signatureInvalid,
            "The slices of a universal file name different teams.",
            why: "Apple's verifier wants every slice to be signed by the team of the first, or all by none.",
            fix: "Sign the universal file as a whole, not its slices one by one."),
        CatalogueRow(
            .duplicateSignatureCommand, .layout, severity: .warning, "An image has two signature commands.",
            why: "Apple's verifier takes the first; another reader may take the other.",
            fix: "Sign with a signer that replaces the command instead of adding one."),
    ]
}
