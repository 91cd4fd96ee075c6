import MachOReader

extension Finding.ID {
    static let entitlementsDiffer = Self("entitlements-differ")
    static let entitlementsDERAbsent = Self("entitlements-der-absent")
    static let entitlementsXMLAbsent = Self("entitlements-xml-absent")
    static let entitlementsUnreadable = Self("entitlements-unreadable")
    static let entitlementsNotXML = Self("entitlements-not-xml")
    static let entitlementsDERUnusual = Self("entitlements-der-unusual")
    static let kernelEntitlementsMagic = Self("kernel-entitlements-magic")
}

extension Check {
    /// The two forms of entitlements as texts: Apple's verifier compares their hashes only (spec 8.1).
    static func entitlementForms(_ slice: SliceEvaluation, _ code: CodeObject) -> [Finding] {
        guard let signature = slice.signature else { return [] }
        // Of a form that is not the signed one it is said already that it was changed or removed.
        for slot in [Slot.entitlements, .entitlementsDER] {
            switch slice.outcome(slot) {
            case .different, .missing, .unchecked: return []
            case .equal, .absent, .unbound, .outOfRange: continue
            }
        }
        let entitlements = signature.entitlements
        let hasXML = signature.components[.entitlements] != nil
        let hasDER = signature.components[.entitlementsDER] != nil
        let about = Finding.Subject.slice(slice, of: code)
        let place = "\(about.path)\(about.slice.map { " (\($0))" } ?? "")"
        var findings = [(Slot.entitlements, entitlements.xmlFault), (.entitlementsDER, entitlements.derFault)]
            .compactMap { slot, fault in
                fault.map { entitlementFault($0, slot, .slice(slice, of: code, slot: slot), place) }
            }
        if hasXML, !hasDER {
            findings.append(
                Finding(
                    .entitlementsDERAbsent, about, "\(place) has its entitlements as XML only, without the DER form."))
        }
        if hasDER, !hasXML {
            findings.append(
                Finding(
                    .entitlementsXMLAbsent, about, "\(place) has its entitlements as DER only, without the XML form."))
        }
        if entitlements.xml != nil, entitlements.xmlFormat == .binary {
            findings.append(
                Finding(.entitlementsNotXML, about, "The entitlements of \(place) are a binary property list, not XML.")
            )
        }
        let keys = entitlements.differingKeys
        if !keys.isEmpty {
            let listed = keys.prefix(10).map { "“\($0)”" }.joined(separator: ", ")
            findings.append(
                Finding(
                    .entitlementsDiffer, about,
                    "XML and DER entitlements of \(place) differ in \(keys.count) of their keys: \(listed)"
                        + (keys.count > 10 ? ", and more." : ".")))
        }
        let oddities = [
            (EntitlementsOddity.unsortedKeys, "its keys are not sorted"), (.duplicateKeys, "it names a key twice"),
            (.oldForm, "it has the old form without version"),
        ].filter { entitlements.derOddities.contains($0.0) }.map(\.1)
        if !oddities.isEmpty {
            findings.append(
                Finding(
                    .entitlementsDERUnusual, about,
                    "The DER entitlements of \(place) are unusual: \(oddities.joined(separator: ", "))."))
        }
        return findings
    }

    private static func entitlementFault(
        _ fault: EntitlementsFault, _ slot: Slot, _ about: Finding.Subject, _ place: String
    ) -> Finding {
        if case .badMagic(let magic) = fault {
            return Finding(
                .kernelEntitlementsMagic, about,
                "The \(slot.name) of \(place) has the magic 0x\(String(magic, radix: 16)), which the kernel refuses.")
        }
        return Finding(.entitlementsUnreadable, about, "The \(slot.name) of \(place) cannot be read.")
    }
}

extension Catalogue {
    static let entitlementForms: [CatalogueRow] = [
        CatalogueRow(
            .entitlementsDiffer, .specialSlots, severity: .warning, "XML and DER entitlements differ.",
            why: "Tools show the XML; current systems go by the DER.",
            fix: "Sign again with a signer that makes the DER from the XML."),
        CatalogueRow(
            .entitlementsDERAbsent, .specialSlots, severity: .warning, "Entitlements have no DER form.",
            why:
                "iOS 15 and later read the DER form; without it the entitlements count for nothing or the app is refused.",
            fix: "Sign again with a signer that writes both forms."),
        CatalogueRow(
            .entitlementsXMLAbsent, .specialSlots, severity: .warning, "Entitlements have no XML form.",
            why: "Apple's signer always writes both; older systems and most tools read the XML.",
            fix: "Sign again with a signer that writes both forms."),
        CatalogueRow(
            .entitlementsUnreadable, .specialSlots, severity: .warning, "Entitlements cannot be read.",
            why: "Apple's verifier compares their hash only; whoever asks for an entitlement gets an error.",
            fix: "Correct the entitlements file and sign again."),
        CatalogueRow(
            .entitlementsNotXML, .specialSlots, "Entitlements are a binary property list.",
            why: "The kernel's parser takes XML only and kills the code at launch.",
            fix: "Convert the entitlements file to XML and sign again."),
        CatalogueRow(
            .entitlementsDERUnusual, .specialSlots, severity: .warning, "DER entitlements have an unusual form.",
            why: "Apple's signer sorts the keys and names each once; whether its reader insists is not published.",
            fix: "Sign again with a current signer."),
        CatalogueRow(
            .kernelEntitlementsMagic, .specialSlots, severity: .warning, "An entitlement blob has the wrong magic.",
            why: "Apple's verifier does not look at it; the kernel refuses the signature.",
            fix: "Sign again with a signer that writes the right blobs."),
    ]
}
