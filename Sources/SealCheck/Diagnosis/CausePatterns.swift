import MachOReader

extension CausePattern {
    /// From the most telling to the least.
    static let all: [CausePattern] = [
        linkerSignedOnly, executableSignedAlone, infoPlistEdited, outerSealedFirst, nestedResigned, nestedAdded,
        nestedRemoved, codeChanged,
    ]

    /// Only the linker ever signed this bundle.
    static let linkerSignedOnly = CausePattern(
        id: "linker-signed-only",
        fix: "Sign the bundle after it is complete, then everything around it, from the inside out."
    ) { scene in
        guard scene.own(.linkerSignedBundle) else { return nil }
        let code = scene.code.code
        return (
            "Only the linker ever signed the \(code.kind.noun) \(code.path): its executable is signed as a lone file, and "
                + "nothing seals the bundle.",
            { finding in
                finding.subject.code == code.path
                    && [.linkerSignedBundle, .sealNotBound, .infoPlistNotBound].contains(finding.id)
            }
        )
    }

    /// The executable of a bundle was signed as if it were a lone file.
    static let executableSignedAlone = CausePattern(
        id: "executable-signed-alone",
        fix: "Give the bundle, not the executable in it, to the signer; then sign everything around it."
    ) { scene in
        guard scene.own(.sealNotBound), scene.own(.infoPlistNotBound), !scene.own(.linkerSignedBundle),
            scene.code.code.infoPlist != nil
        else { return nil }
        let code = scene.code.code
        return (
            "The executable of the \(code.kind.noun) \(code.path) was signed as a lone file: neither Info.plist nor seal "
                + "is covered.",
            { $0.subject.code == code.path && [.sealNotBound, .infoPlistNotBound].contains($0.id) }
        )
    }

    /// Info.plist was edited, and nothing else of that bundle.
    static let infoPlistEdited = CausePattern(
        id: "info-plist-edited-after-signing",
        fix: "Make the change before signing; or sign this bundle again, and then everything around it."
    ) { scene in
        guard scene.own(.infoPlistAltered), let plist = scene.code.code.layout?.infoPlist else { return nil }
        let code = scene.code.code
        return (
            "The Info.plist of the \(code.kind.noun) \(code.path) was edited after it was signed.",
            { finding in
                finding.subject.path == plist && [.infoPlistAltered, .resourceAltered].contains(finding.id)
            }
        )
    }

    /// The seal around nested code was made before the code was signed.
    static let outerSealedFirst = CausePattern(
        id: "outer-sealed-before-nested",
        fix: "Sign from the inside out: nested code first, the app last. Seal the outer bundle again now."
    ) { scene in
        guard scene.around(.nestedCodeSignedLate) else { return nil }
        let code = scene.code.code
        return (
            "What is around the \(code.kind.noun) \(code.path) was sealed before it was signed.",
            { finding in
                scene.isAround(finding)
                    && [.nestedCodeSignedLate, .resourceAltered, .resourceAdded].contains(finding.id)
            }
        )
    }

    /// Nested code was signed again, and nothing around it.
    static let nestedResigned = CausePattern(
        id: "nested-resigned-after-outer",
        fix: "Seal everything around it again, from the inside out, the app last."
    ) { scene in
        guard scene.around(.nestedCodeResigned) || scene.around(.nestedRequirementFailed) else { return nil }
        let code = scene.code.code
        let seal = code.layout?.seal
        return (
            "The \(code.kind.noun) \(code.path) was signed again after what is around it was sealed.",
            { finding in
                guard scene.isAround(finding) else { return false }
                if [.nestedCodeResigned, .nestedRequirementFailed].contains(finding.id) { return true }
                return finding.id == .resourceAltered
                    && (finding.subject.path == code.executable || finding.subject.path == seal)
            }
        )
    }

    static let nestedAdded = CausePattern(
        id: "nested-added-after-outer",
        fix: "Remove it, or seal everything around it again, from the inside out."
    ) { scene in
        guard scene.around(.nestedCodeAdded) else { return nil }
        let code = scene.code.code
        return (
            "The \(code.kind.noun) \(code.path) was added after what is around it was sealed.",
            { scene.isAround($0) && [.nestedCodeAdded, .resourceAdded].contains($0.id) }
        )
    }

    static let nestedRemoved = CausePattern(
        id: "nested-removed-after-outer",
        fix: "Put it back; or, if it is meant to be gone, seal everything around it again."
    ) { scene in
        let gone = scene.findings.of(scene.code.code.path).filter { $0.id == .nestedCodeRemoved }.map(\.subject.path)
        guard !gone.isEmpty else { return nil }
        let names = gone.map(\.lossyText).joined(separator: ", ")
        let folders = Set(gone)
        return (
            "Code was removed from \(scene.code.code.path) after it was sealed: \(names).",
            { finding in
                [.nestedCodeRemoved, .resourceMissing].contains(finding.id)
                    && finding.subject.path.isAtOrBelow(anyOf: folders)
            }
        )
    }

    /// The code itself was changed; the records of it around follow from that.
    static let codeChanged = CausePattern(
        id: "code-changed-after-signing",
        fix: "Undo the change; or sign this code again, and then everything around it."
    ) { scene in
        guard scene.own(.pageAltered, .codeLimitBeyondEnd) else { return nil }
        let code = scene.code.code
        return (
            "The executable of the \(code.kind.noun) \(code.path) was changed after it was signed.",
            { finding in
                let own = finding.subject.code == code.path && [.pageAltered, .codeLimitBeyondEnd].contains(finding.id)
                return own
                    || (scene.isAround(finding) && finding.id == .resourceAltered
                        && finding.subject.path == code.executable)
            }
        )
    }
}
