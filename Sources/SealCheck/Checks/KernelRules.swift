import MachOReader

extension Finding.ID {
    static let kernelPageSize = Self("kernel-page-size")
    static let kernelDirectoryShort = Self("kernel-code-directory-short")
    static let kernelLinkage = Self("kernel-linkage")
    static let kernelDuplicateBlob = Self("kernel-duplicate-blob")
    static let kernelConstraintMagic = Self("kernel-constraint-magic")
    static let kernelSignatureCommand = Self("kernel-signature-command")
}

extension Check {
    /// What the kernel refuses and Apple's static verifier lets pass (spec 1.8, read from ubc_subr.c).
    static let kernelRules = Check(.kernelRules) { evaluation, _ in
        evaluation.slices.flatMap { slice -> [Finding] in
            guard let signature = slice.signature, signature.ruling != nil else { return [] }
            let about = Finding.Subject.slice(slice, of: evaluation.code)
            return directories(signature, slice, evaluation.code) + blobs(signature, about) + command(slice, about)
        }
    }

    /// The smallest CodeDirectory that the kernel takes, whatever its version.
    private static let shortestDirectory = 112
    /// Pages of 4 KiB, and those of arm64.
    private static let pageShifts: Set<UInt8> = [12, 14]

    private static func directories(
        _ signature: SignatureFacts, _ slice: SliceEvaluation, _ code: CodeObject
    ) -> [Finding] {
        // Code that is no image is mapped by nobody.
        guard slice.isImage else { return [] }
        return signature.directories.flatMap { facts -> [Finding] in
            guard let directory = facts.directory.value else { return [] }
            let about = Finding.Subject.slice(slice, of: code, slot: facts.slot)
            var findings: [Finding] = []
            if !pageShifts.contains(directory.pageShift) {
                findings.append(
                    Finding(
                        .kernelPageSize, about,
                        "The \(facts.slot.name) of \(about.path) has pages of a size that the kernel does not take.",
                        .init(expected: "12 or 14", actual: "\(directory.pageShift)")))
            }
            if directory.blob.count < shortestDirectory {
                findings.append(
                    Finding(
                        .kernelDirectoryShort, about,
                        "The \(facts.slot.name) of \(about.path) has \(directory.blob.count) bytes, fewer than the kernel wants.",
                        .init(expected: "at least \(shortestDirectory)", actual: "\(directory.blob.count)")))
            }
            let linkage = directory.linkage
            if linkage.hashType != 0, UInt64(linkage.offset) + UInt64(linkage.size) > UInt64(directory.blob.count) {
                findings.append(
                    Finding(
                        .kernelLinkage, about,
                        "The linkage data of the \(facts.slot.name) of \(about.path) lies outside of it."))
            }
            return findings
        }
    }

    private static func blobs(_ signature: SignatureFacts, _ about: Finding.Subject) -> [Finding] {
        guard let superBlob = signature.superBlob else { return [] }
        let constraints = [
            Slot.launchConstraintSelf, .launchConstraintParent, .launchConstraintResponsible, .libraryConstraint,
        ]
        let single = [Slot.entitlements, .entitlementsDER] + constraints
        let twice = superBlob.duplicateSlots.filter(single.contains).map { slot in
            Finding(
                .kernelDuplicateBlob, about.with(slot),
                "The signature of \(about.path) has two parts “\(slot.name)”, which the kernel refuses.")
        }
        return twice
            + constraints.compactMap { slot in
                guard
                    let magic = signature.components[slot].flatMap({
                        try? $0.integer(at: 0, as: UInt32.self, in: "blob")
                    }),
                    magic != BlobMagic.launchConstraint.rawValue
                else { return nil }
                return Finding(
                    .kernelConstraintMagic, about.with(slot),
                    "The \(slot.name) of \(about.path) has the magic 0x\(String(magic, radix: 16)), which the kernel refuses."
                )
            }
    }

    private static func command(_ slice: SliceEvaluation, _ about: Finding.Subject) -> [Finding] {
        guard let image = slice.slice.image.value, let data = image.codeSignature?.value,
            let command = image.commands.first(where: { $0.kind == .codeSignature })
        else { return [] }
        let isOutside = UInt64(data.offset) + UInt64(data.size) > slice.slice.size
        guard command.bytes.count != 16 || isOutside else { return [] }
        let reason = isOutside ? "reaches beyond the end of the code" : "is of another size than 16"
        return [
            Finding(
                .kernelSignatureCommand, about, "The LC_CODE_SIGNATURE of \(about.path) \(reason).",
                .init(offset: command.bytes.origin))
        ]
    }
}

extension Finding.Subject {
    fileprivate func with(_ slot: Slot) -> Finding.Subject {
        var subject = self
        subject.slot = slot.isSpecial ? -Int(slot.rawValue) : Int(slot.rawValue)
        return subject
    }
}

extension Catalogue {
    static let kernelRules: [CatalogueRow] = [
        CatalogueRow(
            .kernelPageSize, .kernelRules, severity: .warning, "A CodeDirectory has pages of an odd size.",
            why:
                "The kernel takes pages of 4 KiB and, on arm64, of 16 KiB; one hash over everything is for files that are "
                + "no images.",
            fix: "Sign with pages of 4 or 16 KiB."),
        CatalogueRow(
            .kernelDirectoryShort, .kernelRules, severity: .warning, "A CodeDirectory is too short for the kernel.",
            why: "Apple's verifier is content with less, the kernel is not.", fix: "Sign with a current signer."),
        CatalogueRow(
            .kernelLinkage, .kernelRules, severity: .warning, "The linkage data of a CodeDirectory lies outside of it.",
            why: "Apple's verifier does not know the field; the kernel refuses the signature.", fix: "Sign again."),
        CatalogueRow(
            .kernelDuplicateBlob, .kernelRules, severity: .warning,
            "A signature has entitlements or a constraint twice.",
            why: "Apple's verifier takes the first; the kernel refuses the signature.", fix: "Sign again."),
        CatalogueRow(
            .kernelConstraintMagic, .kernelRules, severity: .warning, "A constraint blob has the wrong magic.",
            why: "Apple's verifier does not look at it; the kernel refuses the signature.",
            fix: "Sign with a signer that writes constraints as 0xfade8181."),
        CatalogueRow(
            .kernelSignatureCommand, .kernelRules, severity: .warning,
            "The command that points to the signature is odd.",
            why: "The kernel wants it to be 16 bytes long and to point inside the code.",
            fix: "Sign with a signer that writes the command anew."),
    ]
}
