import MachOReader

extension Finding.ID {
    static let unsigned = Self("unsigned")
    static let signatureMalformed = Self("signature-malformed")
    static let machOMalformed = Self("macho-malformed")
    static let universalMalformed = Self("universal-header-malformed")
    static let universal64 = Self("universal-64-bit")
    static let linkerSignedBundle = Self("linker-signed-bundle")
    static let noAdhocFlag = Self("no-adhoc-flag")
    static let certificateSigned = Self("certificate-signed")
    static let certificateSignedLibrary = Self("certificate-signed-library")
    static let adhocTeam = Self("team-in-adhoc-signature")
    static let cmsUndecodable = Self("cms-undecodable")
    static let cmsInvalid = Self("cms-invalid")
    static let cmsOfOtherCode = Self("cms-of-other-code")
    static let uncheckedCMS = Self("unchecked-cms")
}

extension Check {
    /// Whether there is a signature, and whose.
    static let signature = Check(.signature) { evaluation, facts in
        let code = evaluation.code
        let path = code.executable ?? code.path
        var findings: [Finding] = []
        // Of an executable that could not be read nothing is known; that is said where the file is.
        if let real = facts.index.resolve(path), facts[real]?.fault != nil { return [] }
        switch evaluation.machO?.container {
        case .malformed(let fault):
            findings.append(
                Finding(
                    .universalMalformed, .init(path: path, code: code.path),
                    "The universal header of \(path) is broken: \(fault).",
                    .init(offset: fault.offset)))
        case .universal64:
            findings.append(
                Finding(
                    .universal64, .init(path: path, code: code.path),
                    "\(path) is a universal file with 64-bit table, which Apple's verifier does not take for Mach-O."))
        case nil where evaluation.slices.isEmpty && code.executable != nil:
            findings.append(
                Finding(
                    .unsigned, .init(path: path, code: code.path),
                    "\(path) is not Mach-O and has no signature files: the \(code.kind.noun) is not signed."))
        default: break
        }
        for slice in evaluation.slices { findings.append(contentsOf: signature(slice, of: code)) }
        return findings
    }

    private static func signature(_ slice: SliceEvaluation, of code: CodeObject) -> [Finding] {
        let about = Finding.Subject.slice(slice, of: code)
        let place = about.slice.map { "\(about.path) (\($0))" } ?? about.path.lossyText
        if let fault = slice.slice.image.fault, slice.signature?.superBlob != nil || slice.signature == nil {
            return [
                Finding(
                    .machOMalformed, about, "\(place) is a broken Mach-O image: \(fault).",
                    .init(offset: slice.slice.offset &+ fault.offset))
            ]
        }
        if case .malformed(let fault) = slice.slice.signature {
            return [
                Finding(
                    .signatureMalformed, about, "The signature of \(place) cannot be read: \(fault).",
                    .init(offset: slice.slice.offset &+ fault.offset))
            ]
        }
        switch slice.kind {
        // A CodeDirectory that cannot be read is told as such.
        case .unsigned where slice.signature?.directories.isEmpty == false: return []
        case .unsigned:
            let reason = slice.signature == nil ? "has no signature" : "has a signature without a CodeDirectory"
            return [Finding(.unsigned, about, "\(place) \(reason): the \(code.kind.noun) is not signed.")]
        case .adhoc where slice.ruling?.teamIdentifier != nil:
            return [
                Finding(
                    .adhocTeam, about, "\(place) is signed ad hoc and names a team all the same.",
                    .init(actual: slice.ruling?.teamIdentifier?.lossyText))
            ]
        case .linkerSigned where code.kind.isBundle:
            return [
                Finding(
                    .linkerSignedBundle, about,
                    "\(place) carries only what the linker signed: nobody signed the \(code.kind.noun).")
            ]
        case .noFlag:
            return [
                Finding(
                    .noAdhocFlag, about,
                    "\(place) has neither the ad-hoc flag nor a certificate's signature.",
                    .init(expected: "flag 0x2 (adhoc)", actual: slice.ruling?.directory.value?.flags.description))
            ]
        case .certificate:
            let isProduct = code.kind == .app || code.kind == .appex
            return [
                Finding(
                    isProduct ? .certificateSigned : .certificateSignedLibrary, about,
                    "\(place) is signed with a certificate, not ad hoc.")
            ] + message(slice, of: code, about, place)
        case .adhoc, .linkerSigned: return []
        }
    }

    /// The certificate's signature against the CodeDirectories beside it.
    private static func message(
        _ slice: SliceEvaluation, of code: CodeObject, _ about: Finding.Subject, _ place: String
    ) -> [Finding] {
        guard let message = slice.signature?.message else { return [] }
        switch message.fault {
        case .undecodable:
            return [Finding(.cmsUndecodable, about, "The CMS message in the signature of \(place) cannot be decoded.")]
        case .unverified(let reason):
            return [
                Finding(
                    .cmsInvalid, about,
                    "The CMS signature of \(place) does not fit the CodeDirectory: \(reason).")
            ]
        case nil: break
        }
        return message.bindings.sorted { $0.key < $1.key }.compactMap { slot, binding in
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            switch binding {
            case .signed: return nil
            case .differs:
                return Finding(
                    .cmsOfOtherCode, about,
                    "The CMS signature of \(place) was made over another \(slot.name) than the one that is there.")
            case .unmentioned:
                return Finding(
                    .uncheckedCMS, about, "The CMS signature of \(place) says nothing about the \(slot.name).")
            }
        }
    }
}

extension Catalogue {
    static let signature: [CatalogueRow] = [
        CatalogueRow(
            .unsigned, .signature, apple: .unsigned, "Code is not signed.",
            why: "Devices refuse to map unsigned code. In a flat (iOS) app the seal around it may still be right, and "
                + "Apple's deep verification then says that all is well.",
            fix: "Sign it, then everything around it, from the inside out."),
        CatalogueRow(
            .signatureMalformed, .signature, apple: .signatureInvalid, "A signature's format is broken.",
            why: "No system can read it, so the code counts as invalid.",
            fix: "Sign again; if that gives the same, the signer or a later tool writes a wrong SuperBlob."),
        CatalogueRow(
            .machOMalformed, .signature, apple: .notExecutable, "A Mach-O image is broken.",
            why: "Its load commands cannot be walked, so neither loader nor verifier gets to the code.",
            fix: "Build the file anew; look at the tool that touched it last."),
        CatalogueRow(
            .universalMalformed, .signature, apple: .notExecutable, "The header of a universal file is broken.",
            why: "No slice can be found in it.",
            fix: "Make the file again with lipo, and sign after that."),
        CatalogueRow(
            .universal64, .signature, apple: .unsigned, "A universal file has a 64-bit table.",
            why: "Apple's verifier does not know the format: to it the file is not Mach-O, hence unsigned.",
            fix: "Make the file with the ordinary 32-bit table (lipo without -fat64)."),
        CatalogueRow(
            .linkerSignedBundle, .signature, apple: .resourcesNotFound, "A bundle carries only the linker's signature.",
            why:
                "The linker signs the lone executable. It seals neither Info.plist nor resources, so the bundle as such "
                + "is not signed.",
            fix: "Sign the bundle after it is complete: sealcheck, codesign or another signer, inside out."),
        CatalogueRow(
            .noAdhocFlag, .signature, severity: .error, integrity: .warning, apple: .unsigned,
            "A signature has neither the ad-hoc flag nor a certificate.",
            why: "Apple's verifier reads it as unsigned. Old versions of ldid wrote such signatures.",
            fix: "Sign with a tool that sets the ad-hoc flag (0x2)."),
        CatalogueRow(
            .adhocTeam, .signature, severity: .note, "An ad-hoc signature names a team.",
            why: "Nobody verifies it: without a certificate it is only a word in the CodeDirectory.",
            fix: "Nothing has to be done. Signers leave it out."),
        CatalogueRow(
            .cmsUndecodable, .signature, apple: .unknownFormat, "The message of a certificate's signature is broken.",
            why: "Without it nobody vouches for the code, and it is not ad hoc either.",
            fix: "Sign again; or set the ad-hoc flag (0x2) if no certificate is meant."),
        CatalogueRow(
            .cmsInvalid, .signature, apple: .signatureFailed, "A certificate's signature does not fit the code.",
            why: "The CodeDirectory was replaced after it was signed, so every hash in it is somebody else's.",
            fix:
                "Sign again; a signer that edits a CodeDirectory has to make the CMS message anew, or drop it and set the "
                + "ad-hoc flag."),
        CatalogueRow(
            .cmsOfOtherCode, .signature, apple: .signatureFailed,
            "A certificate's signature lists another CodeDirectory.",
            why:
                "One of the CodeDirectories was replaced after signing: the hashes that count are not the signed ones.",
            fix: "Sign again, all CodeDirectories in one go."),
        CatalogueRow(
            .uncheckedCMS, .signature, severity: .error, "A certificate's signature does not mention a CodeDirectory.",
            why:
                "The message signs the first CodeDirectory and lists the others; one that is not listed is signed by nobody.",
            fix: "Sign again with a signer that lists every CodeDirectory in the message."),
        CatalogueRow(
            .certificateSigned, .signature, severity: .error, integrity: .note,
            "An app or extension is signed with a certificate.",
            why: "Ad-hoc signing was asked for; this is somebody's identity, left from before or not replaced.",
            fix: "Sign it ad hoc, or check with --profile integrity if the certificate is meant."),
        CatalogueRow(
            .certificateSignedLibrary, .signature, severity: .warning, integrity: .note,
            "A nested library or test bundle is signed with a certificate.",
            why:
                "It kept its maker's signature inside an ad-hoc signed app. That may be meant, and it may be a step that "
                + "was missed.",
            fix: "Sign it ad hoc with the rest, or check with --profile integrity if the certificate is meant."),
    ]
}
