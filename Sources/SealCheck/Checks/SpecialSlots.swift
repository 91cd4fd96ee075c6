import MachOReader

extension Finding.ID {
    static let infoPlistAltered = Self("info-plist-altered")
    static let infoPlistMissing = Self("info-plist-missing")
    static let infoPlistNotBound = Self("info-plist-not-bound")
    static let requirementsAltered = Self("requirements-altered")
    static let requirementsMissing = Self("requirements-missing")
    static let requirementsMalformed = Self("requirements-malformed")
    static let designatedRequirementUnmet = Self("designated-requirement-unmet")
    static let topDirectoryAltered = Self("top-directory-altered")
    static let topDirectoryMissing = Self("top-directory-missing")
    static let topDirectoryDiffers = Self("top-directory-differs")
    static let signaturePartsMixed = Self("signature-parts-mixed")
    static let entitlementsAltered = Self("entitlements-altered")
    static let entitlementsMissing = Self("entitlements-missing")
    static let entitlementsDERAltered = Self("entitlements-der-altered")
    static let entitlementsDERMissing = Self("entitlements-der-missing")
    static let representationAltered = Self("representation-data-altered")
    static let representationMissing = Self("representation-data-missing")
    static let constraintAltered = Self("constraint-altered")
    static let constraintMissing = Self("constraint-missing")
    static let blobNotCovered = Self("blob-not-covered")
    static let sealOnLoneFile = Self("seal-on-lone-file")
    static let sliceSealDiffers = Self("slice-seal-differs")
    static let alternateSlotDiffers = Self("alternate-slot-differs")
    static let directoriesDisagree = Self("code-directories-disagree")
}

extension Check {
    /// The special slots: what the CodeDirectory says of everything that is not code (spec 1.14). Slot 3 of the primary
    /// slice belongs to the resource seal.
    static let specialSlots = Check(
        .specialSlots, covers: Set((1...Slot.highestSpecial).map { Feature.slot($0) })
    ) { evaluation, _ in
        ownRequirement(evaluation)
            + evaluation.slices.indices.flatMap { position in
                evaluation.slices[position].slots.compactMap { slot in
                    finding(slot, in: position, of: evaluation)
                } + parts(evaluation.slices[position], evaluation.code)
                    + others(evaluation.slices[position], evaluation.code)
                    + entitlementForms(evaluation.slices[position], evaluation.code)
            }
    }

    /// Whether the code is what its own requirement says, which is what others will hold it against.
    private static func ownRequirement(_ evaluation: CodeEvaluation) -> [Finding] {
        guard let slice = evaluation.primarySlice, slice.outcome(.requirements) == .equal else { return [] }
        let about = Finding.Subject.slice(slice, of: evaluation.code, slot: .requirements)
        switch evaluation.designatedRequirement {
        case .malformed(let fault):
            return [
                Finding(
                    .requirementsMalformed, about, "The requirements of \(about.path) cannot be read: \(fault).")
            ]
        case .explicit(let requirement) where evaluation.satisfiesDesignatedRequirement == false:
            return [
                Finding(
                    .designatedRequirementUnmet, about,
                    "\(about.path) does not satisfy its own designated requirement.", .init(expected: requirement.text))
            ]
        default: return []
        }
    }

    /// Parts that come from two places, and the list of all parts (spec 4.4, 1.14).
    private static func parts(_ slice: SliceEvaluation, _ code: CodeObject) -> [Finding] {
        var findings = slice.foreignSlots.map { slot in
            let about = Finding.Subject.slice(slice, of: code, slot: slot)
            return Finding(
                .signaturePartsMixed, about,
                "The \(slot.name) of \(about.path) lies in _CodeSignature, while the signature is in the file itself.")
        }
        // A part that is missing is told by its name.
        let isMissing = slice.slots.contains { if case .missing = $0.outcome { true } else { false } }
        if !isMissing, let (recorded, expected) = TopDirectory.difference(slice) {
            let about = Finding.Subject.slice(slice, of: code, slot: .topDirectory)
            func text(_ slots: [UInt32]) -> String {
                slots.map { "0x" + String($0, radix: 16) }.joined(separator: " ")
            }
            findings.append(
                Finding(
                    .topDirectoryDiffers, about,
                    "The top directory of \(about.path) lists other parts than the signature has.",
                    .init(expected: text(expected), actual: text(recorded))))
        }
        return findings
    }

    /// CodeDirectories that do not rule: each reader picks its own, so they ought to say the same.
    private static func others(_ slice: SliceEvaluation, _ code: CodeObject) -> [Finding] {
        guard let ruling = slice.ruling, let rules = ruling.directory.value else { return [] }
        var findings: [Finding] = []
        for facts in slice.signature?.directories ?? [] where facts.slot != ruling.slot {
            guard let other = facts.directory.value else { continue }
            let about = Finding.Subject.slice(slice, of: code, slot: facts.slot)
            if facts.identifier != ruling.identifier || other.flags != rules.flags
                || facts.teamIdentifier != ruling.teamIdentifier
            {
                findings.append(
                    Finding(
                        .directoriesDisagree, about,
                        "The \(facts.slot.name) of \(about.path) has another identifier, other flags or another team than the "
                            + "one that rules."))
            }
            let wrong = (slice.otherSlots[facts.slot] ?? []).filter { comparison in
                guard slice.outcome(comparison.slot) == .equal else { return false }
                return ![.equal, .absent, .unbound, .outOfRange].contains(comparison.outcome)
            }
            if !wrong.isEmpty {
                let names = wrong.map(\.slot.name).joined(separator: ", ")
                findings.append(
                    Finding(
                        .alternateSlotDiffers, about,
                        "The \(facts.slot.name) of \(about.path) (\(other.hashType.name)) records other contents than there are "
                            + "for: \(names)."))
            }
        }
        return findings
    }

    private static func finding(
        _ comparison: SlotComparison, in position: Int, of evaluation: CodeEvaluation
    ) -> Finding? {
        let (slot, slice, code) = (comparison.slot, evaluation.slices[position], evaluation.code)
        var about = Finding.Subject.slice(slice, of: code, slot: slot)
        let place = "\(about.path)\(about.slice.map { " (\($0))" } ?? "")"
        if slot == .resourceSeal, code.layout != nil {
            // Where the seal does not fit the primary slice, that is said of the bundle, once.
            guard position != evaluation.primary, evaluation.primarySlice?.outcome(.resourceSeal) == .equal else {
                return nil
            }
            return sealOfAnotherSlice(comparison, about, place)
        }
        if slot == .infoPlist, let layout = code.layout { about.path = layout.infoPlist }
        switch comparison.outcome {
        case .equal where slot == .resourceSeal:
            return Finding(.sealOnLoneFile, about, "\(place) carries a resource seal of its own, but is a lone file.")
        case .equal, .absent: return nil
        // Reported where the file is, as a file that could not be read.
        case .unchecked: return nil
        case .different(let expected, let actual):
            let message =
                slot == .infoPlist && code.layout != nil
                ? "\(about.path) differs from what the signature of \(place) recorded."
                : "The \(slot.name) of \(place) differs from what its CodeDirectory recorded."
            return Finding(
                ids(slot).altered, about, message, .init(expected: expected.hexadecimal, actual: actual.hexadecimal))
        case .missing(let expected):
            return Finding(
                ids(slot).missing, about,
                "The signature of \(place) recorded \(slot == .infoPlist ? "an" : "a") \(slot.name), which is not there.",
                .init(expected: expected.hexadecimal))
        case .unbound, .outOfRange:
            if slot == .infoPlist {
                return Finding(
                    .infoPlistNotBound, about,
                    "The signature of \(place) does not cover its Info.plist: it can be anything.")
            }
            return Finding(
                .blobNotCovered, about, "The \(slot.name) of \(place) is not covered by its CodeDirectory.")
        }
    }

    /// Apple's verifier never compares the seal with other slices than the primary; every slice that runs should agree
    /// all the same (spec 2.3).
    private static func sealOfAnotherSlice(
        _ comparison: SlotComparison, _ about: Finding.Subject, _ place: String
    ) -> Finding? {
        switch comparison.outcome {
        case .different(let expected, let actual):
            return Finding(
                .sliceSealDiffers, about, "The slice \(place) was signed with another resource seal.",
                .init(expected: expected.hexadecimal, actual: actual.hexadecimal))
        case .missing(let expected):
            return Finding(
                .sliceSealDiffers, about, "The slice \(place) was signed with a resource seal, which is not there.",
                .init(expected: expected.hexadecimal))
        case .unbound, .outOfRange:
            return Finding(.sliceSealDiffers, about, "The slice \(place) was signed without the resource seal.")
        case .equal, .absent, .unchecked: return nil
        }
    }

    private static func ids(_ slot: Slot) -> (altered: Finding.ID, missing: Finding.ID) {
        switch slot {
        case .infoPlist: (.infoPlistAltered, .infoPlistMissing)
        case .resourceSeal: (.sealAltered, .sealMissing)
        case .requirements: (.requirementsAltered, .requirementsMissing)
        case .topDirectory: (.topDirectoryAltered, .topDirectoryMissing)
        case .entitlements: (.entitlementsAltered, .entitlementsMissing)
        case .entitlementsDER: (.entitlementsDERAltered, .entitlementsDERMissing)
        case .representation: (.representationAltered, .representationMissing)
        default: (.constraintAltered, .constraintMissing)
        }
    }
}

extension Catalogue {
    static let specialSlots: [CatalogueRow] =
        [
            CatalogueRow(
                .infoPlistAltered, .specialSlots, apple: .infoPlistFailed, "An Info.plist was changed after signing.",
                why: "The signature binds Info.plist byte for byte, even where only its format changed.",
                fix: "Sign the bundle again after the last change, then everything around it."),
            CatalogueRow(
                .infoPlistMissing, .specialSlots, apple: .infoPlistFailed, "The Info.plist that was signed is missing.",
                why: "The signature binds it.",
                fix: "Put it back, or sign the bundle again."),
            CatalogueRow(
                .infoPlistNotBound, .specialSlots, severity: .warning, "A signature does not cover Info.plist.",
                why: "Identifier, extension point and executable name can be changed without the signature noticing. "
                    + "Apple's verifier calls that “not bound” and passes it.",
                fix: "Sign the bundle, not the lone executable."),
            CatalogueRow(
                .topDirectoryDiffers, .specialSlots, apple: .signatureFailed,
                "The list of a signature's parts does not fit the signature.",
                why: "A signature with such a list may have exactly the parts that it names: one was added or removed.",
                fix: "Sign again; current signers write no such list."),
            CatalogueRow(
                .signaturePartsMixed, .specialSlots, apple: .signatureFailed,
                "A signature lies partly in the file, partly in _CodeSignature.",
                why: "Apple's verifier takes all parts from one place and refuses a signature that has them in both.",
                fix: "Remove the stray file from _CodeSignature, or sign again."),
            CatalogueRow(
                .requirementsMalformed, .specialSlots, severity: .warning,
                "The requirements in a signature cannot be read.",
                why: "The signature is valid, but whoever asks for the code's designated requirement gets an error.",
                fix: "Sign again with a signer that writes a sound requirement set."),
            CatalogueRow(
                .designatedRequirementUnmet, .specialSlots, severity: .warning,
                "Code does not satisfy its own designated requirement.",
                why:
                    "The signature is valid, but whatever knows the code by its requirement (keychain, privacy settings, "
                    + "`codesign --verify --verbose`) does not recognise it. Ad-hoc code has no certificates to name.",
                fix: "Sign again without keeping the old requirements."),
            CatalogueRow(
                .blobNotCovered, .specialSlots, severity: .warning,
                "A part of a signature is not covered by its CodeDirectory.",
                why: "Apple's verifier ignores it; the kernel refuses uncovered entitlements and constraints.",
                fix: "Sign again with a signer that hashes every part that it writes."),
            CatalogueRow(
                .sealOnLoneFile, .specialSlots, apple: .resourcesNotFound, "A lone file carries a resource seal.",
                why: "A seal covers the files of a bundle; there is none here, and verifiers refuse the file.",
                fix: "Sign the file again as what it is."),
            CatalogueRow(
                .sliceSealDiffers, .specialSlots, "A slice was signed with another resource seal.",
                why:
                    "Apple's verifier compares the seal with one slice only. On a machine that runs the other, the resources "
                    + "are not those that were signed.",
                fix: "Sign the whole universal file at once."),
            CatalogueRow(
                .alternateSlotDiffers, .specialSlots, severity: .warning,
                "A CodeDirectory that does not rule records other contents.",
                why:
                    "Apple's current verifier compares one CodeDirectory only; an older system compares another and refuses.",
                fix: "Sign again with a signer that updates every CodeDirectory."),
            CatalogueRow(
                .directoriesDisagree, .specialSlots, severity: .warning, "The CodeDirectories of a signature disagree.",
                why: "Each system reads the one that it prefers: the code has two names, or two sets of flags.",
                fix: "Sign again."),
        ]
        + pair(
            .requirementsAltered, .requirementsMissing, "requirement set",
            "Other code tests this one by its requirements.")
        + pair(
            .topDirectoryAltered, .topDirectoryMissing, "top directory", "It lists which parts a signature has.")
        + pair(
            .entitlementsAltered, .entitlementsMissing, "entitlements (XML)",
            "Entitlements decide what code may do; the kernel refuses code whose entitlements do not match.")
        + pair(
            .entitlementsDERAltered, .entitlementsDERMissing, "entitlements (DER)",
            "Current systems read this form of the entitlements; the kernel refuses code where it does not match.")
        + pair(
            .representationAltered, .representationMissing, "disk-representation data",
            "The signature was made with it.")
        + pair(
            .constraintAltered, .constraintMissing, "launch or library constraint",
            "Constraints decide who may launch or load the code; the kernel refuses code where they do not match.")

    private static func pair(
        _ altered: Finding.ID, _ missing: Finding.ID, _ what: String, _ why: String
    ) -> [CatalogueRow] {
        [
            CatalogueRow(
                altered, .specialSlots, apple: .signatureFailed, "The \(what) of a signature was changed.", why: why,
                fix: "Sign again; edit entitlements and requirements through the signer, never in place."),
            CatalogueRow(
                missing, .specialSlots, apple: .signatureFailed, "The \(what) of a signature is missing.", why: why,
                fix: "Sign again; a tool removed it after signing."),
        ]
    }
}
