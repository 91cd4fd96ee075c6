import MachOReader

extension Finding.ID {
    static let recordedDigestDiffers = Self("recorded-digest-differs")
    static let recordedFileMissing = Self("recorded-file-missing")
}

extension Check {
    /// Digests that a seal records and no verdict consults: version 1 beside version 2, and SHA-1 where no CodeDirectory
    /// uses it. Only asked for by people who test signers (`--all-digests`).
    static let recordedDigests = Check(.recordedDigests) { evaluation, facts in
        guard facts.hasAllDigests, let layout = evaluation.code.layout, let seal = evaluation.seal.comparison?.seal
        else {
            return []
        }
        var findings: [Finding] = []
        let consulted = Set(
            (evaluation.primarySlice?.signature?.directories ?? []).compactMap { $0.directory.value?.hashType })
        let parts: [(files: [BundlePath: SealedItem], version: Int, consulted: Set<HashType>)] = [
            (seal.filesV1, 1, []), (seal.files, seal.version, consulted),
        ]
        for (files, version, skipped) in parts {
            for (path, item) in files.sorted(by: { $0.key < $1.key }) {
                guard case .file(let recorded) = item.content else { continue }
                let place = layout.supportDirectory.appending(path)
                let about = Finding.Subject(path: place, code: evaluation.code.path)
                guard let entry = facts.index[place], entry.kind == .file, let file = facts[place], file.fault == nil
                else {
                    if version == 1, seal.version == 2, !item.isOptional, facts.index[place] == nil {
                        findings.append(
                            Finding(
                                .recordedFileMissing, about,
                                "\(place) is in the version 1 part of the seal of \(evaluation.code.path), but not there."
                            ))
                    }
                    continue
                }
                for (type, digest) in recorded.sorted(by: { $0.key.rawValue < $1.key.rawValue })
                where !skipped.contains(type) {
                    guard let actual = file.digests[type], actual.bytes != digest else { continue }
                    findings.append(
                        Finding(
                            .recordedDigestDiffers, about,
                            "\(place) differs from the \(type.name) digest that version \(version) of the seal of "
                                + "\(evaluation.code.path) records; no verdict consults it.",
                            .init(expected: Digest(digest).hexadecimal, actual: actual.hexadecimal)))
                }
            }
        }
        return findings
    }
}

extension Catalogue {
    static let recordedDigests: [CatalogueRow] = [
        CatalogueRow(
            .recordedDigestDiffers, .recordedDigests, severity: .warning,
            "A digest in a seal is wrong, but no verdict consults it.",
            why: "Current systems look at other digests; an old one, or another tool, may look at this.",
            fix: "Let the signer write all digests at one time, after the last change."),
        CatalogueRow(
            .recordedFileMissing, .recordedDigests, severity: .warning,
            "The version 1 part of a seal lists a file that is not there.",
            why: "Current systems look at version 2; an old one, or another tool, may look at this.",
            fix: "Let the signer write both parts at one time, after the last change."),
    ]
}
