import MachOReader

extension Finding.ID {
    static let codeDirectoryMalformed = Self("code-directory-malformed")
    static let codeDirectoryVersion = Self("code-directory-version")
    static let codeDirectoryHashSize = Self("code-directory-hash-size")
    static let codeDirectoryHashType = Self("code-directory-hash-type")
    static let codeDirectoryDuplicate = Self("code-directory-duplicate")
    static let slotNotWrapped = Self("slot-not-wrapped")
    static let duplicateBlob = Self("duplicate-blob")
    static let overlappingBlobs = Self("overlapping-blobs")
    static let blobGap = Self("blob-gap")
    static let alternateReachesFurther = Self("alternate-reaches-further")
    static let alternateUnreachable = Self("alternate-unreachable")
}

extension Check {
    /// The CodeDirectories themselves (spec 1.7, 1.8) and the index they stand in.
    static let codeDirectory = Check(
        .codeDirectory,
        covers: Set(
            ([.codeDirectory, .cmsSignature] + (0..<Slot.alternateCount).map { Slot(rawValue: 0x1000 + $0) })
                .map { Feature.slot($0.rawValue) })
    ) { evaluation, _ in
        evaluation.slices.flatMap { slice -> [Finding] in
            guard let signature = slice.signature else { return [] }
            return directoryFindings(signature, slice, evaluation.code)
                + indexFindings(signature, slice, evaluation.code)
        }
    }

    private static func directoryFindings(
        _ signature: SignatureFacts, _ slice: SliceEvaluation, _ code: CodeObject
    ) -> [Finding] {
        var findings: [Finding] = []
        switch signature.directoryFault {
        case .malformed(let slot, let fault):
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            findings.append(
                Finding(
                    .codeDirectoryMalformed, about, "The \(slot.name) of \(about.path) is broken: \(fault).",
                    .init(offset: slice.slice.offset &+ fault.offset)))
        case .integrity(let slot, let broken):
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            let id: Finding.ID = broken.rule == .version ? .codeDirectoryVersion : .codeDirectoryMalformed
            findings.append(
                Finding(
                    id, about, "The \(slot.name) of \(about.path) contradicts itself: \(broken.fault).",
                    .init(offset: slice.slice.offset &+ broken.fault.offset)))
        case .duplicateHashType(let slot, let type):
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            findings.append(
                Finding(
                    .codeDirectoryDuplicate, about, "\(about.path) has two CodeDirectories of hash type \(type.name)."))
        case .noViableHashType(let types):
            let about = Finding.Subject.slice(slice, of: code, slot: .codeDirectory)
            let names = types.map(\.name).joined(separator: ", ")
            findings.append(
                Finding(
                    .codeDirectoryHashType, about,
                    "\(about.path) is hashed only with \(names), which nothing implements."))
        case nil: break
        }
        for facts in signature.directories {
            guard let fault = facts.directory.value?.hashSizeFault()?.fault else { continue }
            let about = Finding.Subject.slice(slice, of: code, slot: facts.slot)
            findings.append(
                Finding(
                    .codeDirectoryHashSize, about,
                    "The \(facts.slot.name) of \(about.path) has hashes of \(fault.value ?? 0) bytes where its type has "
                        + "\(fault.limit ?? 0).",
                    .init(offset: slice.slice.offset &+ fault.offset)))
        }
        return findings
    }

    private static func indexFindings(
        _ signature: SignatureFacts, _ slice: SliceEvaluation, _ code: CodeObject
    ) -> [Finding] {
        var findings: [Finding] = []
        for (slot, fault) in signature.wrapperFaults.sorted(by: { $0.key < $1.key }) {
            // Nobody fetches the message of ad-hoc code (spec 3).
            if slot == .cmsSignature, slice.kind == .adhoc || slice.kind == .linkerSigned { continue }
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            findings.append(
                Finding(.slotNotWrapped, about, "The \(slot.name) of \(about.path) is not in its wrapper: \(fault)."))
        }
        guard let superBlob = signature.superBlob else { return findings }
        for slot in superBlob.duplicateSlots {
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            findings.append(
                Finding(.duplicateBlob, about, "The signature of \(about.path) lists \(slot.name) more than once."))
        }
        for (first, second) in superBlob.overlaps.prefix(4) {
            let about = Finding.Subject.slice(slice, of: code)
            findings.append(
                Finding(
                    .overlappingBlobs, about,
                    "In the signature of \(about.path), \(superBlob.entries[first].slot.name) and "
                        + "\(superBlob.entries[second].slot.name) share bytes."))
        }
        // A part that was taken out of the index leaves its bytes; that it is missing is told by its name.
        let isMissing = slice.slots.contains { if case .missing = $0.outcome { true } else { false } }
        if !isMissing, let gap = superBlob.gaps.first {
            let about = Finding.Subject.slice(slice, of: code)
            findings.append(
                Finding(
                    .blobGap, about,
                    "The signature of \(about.path) has \(gap.count) bytes between its parts that belong to none.",
                    .init(offset: superBlob.bytes.origin &+ gap.lowerBound)))
        }
        let limit = signature.ruling?.directory.value?.codeLimit
        for facts in signature.directories where facts.slot != signature.ruling?.slot {
            guard let limit, let other = facts.directory.value, other.hashType.isViable, other.codeLimit > limit else {
                continue
            }
            let about = Finding.Subject.slice(slice, of: code, slot: facts.slot)
            findings.append(
                Finding(
                    .alternateReachesFurther, about,
                    "The \(facts.slot.name) of \(about.path) covers \(other.codeLimit) bytes, the one that rules \(limit): the "
                        + "rest was not compared.", .init(expected: "\(limit)", actual: "\(other.codeLimit)")))
        }
        let reached = Set(signature.directories.map(\.slot))
        for slot in signature.components.keys.sorted() where slot.isAlternate && !reached.contains(slot) {
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            findings.append(
                Finding(
                    .alternateUnreachable, about,
                    "The \(slot.name) of \(about.path) lies behind a gap: Apple's verifier never looks at it, the kernel "
                        + "does."))
        }
        return findings
    }
}

extension Catalogue {
    static let codeDirectory: [CatalogueRow] = [
        CatalogueRow(
            .codeDirectoryMalformed, .codeDirectory, apple: .signatureFailed, "A CodeDirectory is broken.",
            why: "Its fields contradict each other or point outside of it, so its hashes mean nothing.",
            fix: "Sign again; if that gives the same, the signer writes a wrong CodeDirectory."),
        CatalogueRow(
            .codeDirectoryVersion, .codeDirectory, apple: .signatureUnsupported,
            "A CodeDirectory is of a version that no verifier knows.",
            why: "Verifiers accept versions 0x20001 to 0x2F000 only.",
            fix: "Sign with a current signer."),
        CatalogueRow(
            .codeDirectoryHashSize, .codeDirectory, apple: .signatureFailed,
            "A CodeDirectory's hash size is not that of its hash type.",
            why: "Comparing would be nonsense, and the kernel refuses the signature.",
            fix: "Sign with a signer that writes 20, 32 or 48 bytes as the type asks for."),
        CatalogueRow(
            .codeDirectoryHashType, .codeDirectory, apple: .unsupportedDigestAlgorithm,
            "No CodeDirectory has a supported hash type.",
            why: "Nothing can compare its hashes.",
            fix: "Sign with SHA-256."),
        CatalogueRow(
            .codeDirectoryDuplicate, .codeDirectory, apple: .signatureInvalid,
            "Two CodeDirectories have one hash type.",
            why: "Nobody could say which of them rules.",
            fix: "Sign again with one CodeDirectory for each digest."),
        CatalogueRow(
            .slotNotWrapped, .codeDirectory, apple: .signatureInvalid, "A signature part lacks its wrapper.",
            why: "Verifiers look for the wrapper and give up without it.",
            fix: "Sign again."),
        CatalogueRow(
            .duplicateBlob, .codeDirectory, severity: .warning, "A signature lists a part twice.",
            why:
                "Apple's verifier takes the first and never looks at the other; the kernel refuses doubles of most parts.",
            fix: "Sign again."),
        CatalogueRow(
            .overlappingBlobs, .codeDirectory, severity: .warning, "Parts of a signature share bytes.",
            why: "No signer writes such a signature; somebody edited it.",
            fix: "Sign again."),
        CatalogueRow(
            .blobGap, .codeDirectory, severity: .warning, "A signature has bytes between its parts.",
            why: "They belong to no part, and nothing covers them.", fix: "Sign again."),
        CatalogueRow(
            .alternateReachesFurther, .codeDirectory, severity: .warning,
            "An alternate CodeDirectory covers more code than the one that rules.",
            why: "Apple's verifier compares pages as far as the ruling one reaches, and no further.",
            fix: "Sign again, all CodeDirectories in one go."),
        CatalogueRow(
            .alternateUnreachable, .codeDirectory, severity: .warning, "An alternate CodeDirectory lies behind a gap.",
            why:
                "Apple's verifier stops at the first missing alternate, the kernel does not: the two judge by different "
                + "CodeDirectories.",
            fix: "Sign again, with alternates in consecutive slots."),
    ]
}
