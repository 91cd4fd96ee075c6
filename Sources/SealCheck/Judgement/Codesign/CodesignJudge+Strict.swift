import MachOReader

extension CodesignJudge {
    /// Strict: nothing unsealed in the bundle, and the executable covered to its end (spec 4.5, 2.5).
    func strict(_ code: CodeEvaluation, _ options: CodesignOptions) throws(Stop) {
        if let layout = code.code.layout {
            if !options.quickCheck, !BundleHygiene.strays(in: layout, of: code, facts: facts).isEmpty {
                throw fail(.unsealedAppRoot)
            }
            for path in [layout.infoPlist, code.code.executable].compactMap(\.self)
            where facts.index[path]?.kind == .symbolicLink {
                throw fail(.regularFile)
            }
        }
        guard let slice = code.primarySlice, let image = slice.slice.image.value else { return }
        if slice.ruling?.directory.value?.codeLimit != image.signingExtent(sliceSize: slice.slice.size) {
            throw fail(.signatureInvalid)
        }
        if let machO = code.machO, !UniversalLayout.suspicions(machO).isEmpty { throw fail(.badMainExecutable) }
        for slice in code.slices where slice.slice.image.value?.claimedEnd.offset != slice.slice.size {
            throw fail(.badMainExecutable)
        }
    }
}
