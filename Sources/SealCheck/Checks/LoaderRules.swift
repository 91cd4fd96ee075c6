import MachOReader

extension Finding.ID {
    static let signatureMisaligned = Self("signature-misaligned")
    static let codeDirectoryOld = Self("code-directory-old")
    static let digestWeak = Self("digest-weak")
    static let sliceMisaligned = Self("slice-misaligned")
    static let loadCommandMisaligned = Self("load-command-misaligned")
    static let linkeditMemorySmall = Self("linkedit-memory-small")
    static let linkeditMemoryUneven = Self("linkedit-memory-uneven")
}

extension Check {
    /// What loaders of current systems ask of code beyond what the static verifier does.
    static let loaderRules = Check(.loaderRules) { evaluation, _ in
        evaluation.slices.flatMap { slice -> [Finding] in
            guard let image = slice.slice.image.value else { return [] }
            let about = Finding.Subject.slice(slice, of: evaluation.code)
            return commands(image, about) + linkedit(image, about) + signature(image, slice, about)
        } + alignment(evaluation)
    }

    private static func commands(_ image: MachOImage, _ about: Finding.Subject) -> [Finding] {
        let unit = image.header.is64Bit ? 8 : 4
        guard let odd = image.commands.first(where: { $0.bytes.count % unit != 0 }) else { return [] }
        return [
            Finding(
                .loadCommandMisaligned, about,
                "The size of \(odd.label) of \(about.path) is \(odd.bytes.count), which is no multiple of \(unit).",
                .init(offset: odd.bytes.origin))
        ]
    }

    private static func linkedit(_ image: MachOImage, _ about: Finding.Subject) -> [Finding] {
        guard let segment = image.segment(named: "__LINKEDIT") else { return [] }
        let evidence = Finding.Evidence(expected: "at least \(segment.fileSize)", actual: "\(segment.vmSize)")
        if segment.vmSize < segment.fileSize {
            return [
                Finding(
                    .linkeditMemorySmall, about,
                    "__LINKEDIT of \(about.path) has \(segment.fileSize) bytes in the file, but \(segment.vmSize) in memory.",
                    evidence)
            ]
        }
        guard segment.vmSize % 4096 != 0 else { return [] }
        return [
            Finding(
                .linkeditMemoryUneven, about, "__LINKEDIT of \(about.path) does not fill whole pages in memory.",
                evidence)
        ]
    }

    private static func signature(
        _ image: MachOImage, _ slice: SliceEvaluation, _ about: Finding.Subject
    ) -> [Finding] {
        var findings: [Finding] = []
        if let data = image.codeSignature?.value, data.offset % 16 != 0 {
            findings.append(
                Finding(
                    .signatureMisaligned, about,
                    "The signature of \(about.path) begins at an offset that is no multiple of 16.",
                    .init(offset: UInt64(data.offset))))
        }
        let directories = (slice.signature?.directories ?? []).compactMap(\.directory.value)
        guard !directories.isEmpty, slice.ruling != nil else { return findings }
        if directories.allSatisfy({ $0.hashType == .sha1 }) {
            findings.append(
                Finding(
                    .digestWeak, about, "\(about.path) is signed with SHA-1 only.",
                    .init(expected: "sha256", actual: "sha1")))
        }
        if let version = slice.ruling?.directory.value?.version, version < 0x20400 {
            findings.append(
                Finding(
                    .codeDirectoryOld, about,
                    "The CodeDirectory of \(about.path) has version 0x\(String(version, radix: 16)), without the fields of 0x20400.",
                    .init(expected: "0x20400", actual: "0x" + String(version, radix: 16))))
        }
        return findings
    }

    /// The kernel maps slices for arm64 in pages of 16 KiB.
    private static func alignment(_ evaluation: CodeEvaluation) -> [Finding] {
        guard case .universal(let file) = evaluation.machO?.container else { return [] }
        return file.slices.filter { $0.architecture.type == Architecture.arm64Type && $0.offset % 0x4000 != 0 }.map {
            Finding(
                .sliceMisaligned,
                .init(
                    path: evaluation.code.executable ?? evaluation.code.path, code: evaluation.code.path,
                    slice: $0.architecture.name),
                "The \($0.architecture.name) slice of \(evaluation.code.executable ?? evaluation.code.path) is not aligned to 16 KiB.",
                .init(offset: $0.offset))
        }
    }
}

extension Catalogue {
    static let loaderRules: [CatalogueRow] = [
        CatalogueRow(
            .signatureMisaligned, .loaderRules, severity: .warning, "A signature does not begin at a multiple of 16.",
            why: "Systems since iOS 14 kill such code when it is loaded.",
            fix: "Sign with a signer that aligns to 16 bytes."),
        CatalogueRow(
            .codeDirectoryOld, .loaderRules, severity: .warning, "A CodeDirectory is of a version before 0x20400.",
            why: "iOS 15 and later refuse apps signed in the old form.", fix: "Sign with a current signer."),
        CatalogueRow(
            .digestWeak, .loaderRules, "Code is signed with SHA-1 only.",
            why: "Current systems refuse it.", fix: "Sign with SHA-256, or with both."),
        CatalogueRow(
            .sliceMisaligned, .loaderRules, severity: .warning, "An arm64 slice is not aligned to 16 KiB.",
            why: "The kernel maps arm64 code in pages of 16 KiB and may refuse the file.",
            fix: "Make the universal file with lipo, which aligns arm64 slices to 2^14."),
        CatalogueRow(
            .loadCommandMisaligned, .loaderRules, severity: .warning, "A load command's size is not aligned.",
            why: "The loader refuses the image. An injector wrote the command, as a rule.",
            fix: "Insert load commands with a tool that pads them to 8 bytes, then sign again."),
        CatalogueRow(
            .linkeditMemorySmall, .loaderRules, "__LINKEDIT is smaller in memory than in the file.",
            why: "The loader refuses the image, or the signature is not mapped.",
            fix: "Sign with a signer that enlarges the segment in memory together with the file."),
        CatalogueRow(
            .linkeditMemoryUneven, .loaderRules, severity: .warning, "__LINKEDIT does not fill whole pages in memory.",
            why: "Loaders round it up; some tools do not.",
            fix: "Sign with a signer that rounds the segment's memory size."),
    ]
}
