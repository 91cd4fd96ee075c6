import MachOReader

/// What strict verification asks of the places of a bundle that no seal covers (spec 4.5).
enum BundleHygiene {
    /// Entries of `_CodeSignature` that do not belong there, in order of path bytes: folders, links, and every file but
    /// the seal, the signature parts in use, and an empty `CodeSignature`.
    static func strays(in layout: BundleLayout, of code: CodeEvaluation, facts: Facts) -> [BundlePath] {
        // A bundle without any signature is told so once.
        guard code.signatureKind != .unsigned else { return [] }
        let folder = layout.codeSignatureDirectory
        var allowed: Set<BundlePath> = []
        if facts.seals[code.number] != nil { allowed.insert(layout.seal) }
        if facts.detachedSignatures[code.number] != nil {
            for (_, name) in Slot.componentFiles { allowed.insert(folder.appending(name)) }
        }
        return facts.index.children(of: folder).filter { entry in
            guard entry.kind == .file else { return true }
            if entry.path == folder.appending("CodeSignature"), facts[entry.path]?.size == 0 { return false }
            return !allowed.contains(entry.path)
        }.map(\.path)
    }
}
