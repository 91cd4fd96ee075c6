import MachOReader

extension Finding.ID {
    static let pageAltered = Self("page-altered")
    static let codeLimitBeyondEnd = Self("code-limit-beyond-end")
    static let uncheckedPages = Self("unchecked-pages")
}

extension Check {
    /// The code itself, page by page, against every CodeDirectory of every slice (spec 1.7 point 5, 1.10).
    static let pages = Check(.pages) { evaluation, _ in
        evaluation.slices.flatMap { slice -> [Finding] in
            guard let signature = slice.signature, signature.ruling != nil else { return [] }
            return signature.directories.compactMap { pages($0, slice, evaluation.code) }
        }
    }

    private static func pages(
        _ facts: CodeDirectoryFacts, _ slice: SliceEvaluation, _ code: CodeObject
    ) -> Finding? {
        guard let directory = facts.directory.value, directory.hashType.isViable else { return nil }
        let about = Finding.Subject.slice(slice, of: code, slot: facts.slot)
        guard let pages = facts.pages else {
            return Finding(
                .uncheckedPages, about, "The pages of \(about.path) were not compared with its \(facts.slot.name).")
        }
        guard let first = pages.mismatches.first else { return nil }
        let offset = slice.slice.offset &+ UInt64(first.page) &* (pages.pageSize ?? 0)
        let evidence = Finding.Evidence(
            expected: first.expected?.hexadecimal, actual: first.actual?.hexadecimal, offset: offset,
            pages: pages.mismatches.map(\.page))
        let limit = slice.ruling?.directory.value?.codeLimit ?? 0
        if first.actual == nil {
            return Finding(
                .codeLimitBeyondEnd, about,
                "The signature of \(about.path) covers \(limit) bytes, but the file ends before.", evidence)
        }
        let which =
            pages.count == 1
            ? "The code"
            : pages.mismatchCount == 1 ? "Page \(first.page)" : "\(pages.mismatchCount) of \(pages.count) pages"
        let verb = pages.mismatchCount == 1 ? "differs" : "differ"
        return Finding(
            .pageAltered, about,
            "\(which) of \(about.path)\(about.slice.map { " (\($0))" } ?? "") \(verb) from the \(facts.slot.name) "
                + "(\(directory.hashType.name)): the code was changed after it was signed.",
            evidence)
    }
}

extension Catalogue {
    static let pages: [CatalogueRow] = [
        CatalogueRow(
            .pageAltered, .pages, apple: .signatureFailed, "Code differs from what was signed.",
            why: "The kernel kills a process when it maps a page whose hash is wrong.",
            fix: "Sign again after the last change to the file, then everything around it."),
        CatalogueRow(
            .codeLimitBeyondEnd, .pages, apple: .signatureFailed, "A signature covers more than the file has.",
            why: "The file was cut short after it was signed, or the signer wrote a wrong limit.",
            fix: "Restore the file, or sign again."),
        CatalogueRow(
            .uncheckedPages, .pages, "Pages were not compared.",
            why: "Nothing vouches for code that nobody compared.",
            fix: "Report this: it is a gap in sealcheck."),
    ]
}
