import MachOReader

extension CodesignJudge {
    /// Strict: nothing unsealed in the bundle, and the executable covered to its end (spec 6.1 point 4).
    func strict(_ code: CodeEvaluation, _ options: CodesignOptions) throws(Stop) {
        try structure(code, options)
        guard let slice = code.primarySlice, let image = slice.slice.image.value else { return }
        if slice.ruling?.directory.value?.codeLimit != image.signingExtent(sliceSize: slice.slice.size) {
            throw fail(.signatureInvalid)
        }
        if let machO = code.machO, !UniversalLayout.suspicions(machO).isEmpty { throw fail(.badMainExecutable) }
        // Each is opened in ascending order, and has to be of the same type as those before it.
        let ordered = code.slices.sorted { Architecture.signedOrder($0.slice.architecture, $1.slice.architecture) }
        let type = ordered.first?.slice.image.value?.header.fileType
        for slice in ordered {
            if let image = slice.slice.image.value, image.header.fileType != type { throw fail(.notExecutable) }
            // A slice to which the table gives no size is not tested.
            if slice.slice.size == 0 { continue }
            if slice.slice.image.value?.claimedEnd.offset != slice.slice.size { throw fail(.badMainExecutable) }
        }
    }

    /// What was noted while the bundle was opened, and the folder of the signature (spec 4.3, 4.5).
    private func structure(_ code: CodeEvaluation, _ options: CodesignOptions) throws(Stop) {
        var noted: [AppleError] = []
        for fault in BundleStructure.faults(of: code, facts: facts) {
            switch fault.kind {
            case .signatureFolderNotAFile where !options.quickCheck: throw fail(.unsealedAppRoot)
            case .signatureFolderNotAFile: continue
            case .signatureFolderStray where options.quickCheck: continue
            default: noted.append(fault.kind.appleError)
            }
        }
        // A set in ascending order of numbers, of which the first is told.
        if let first = noted.min(by: { $0.code < $1.code }) { throw fail(first) }
    }
}
