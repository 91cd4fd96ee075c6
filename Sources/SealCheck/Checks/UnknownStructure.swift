import MachOReader

extension Finding.ID {
    static let unknownStructure = Self("unknown-structure")
}

extension Check {
    /// What stands in the input and no family covers. Nothing passes by being unknown.
    static func unknownStructures(_ subject: Subject) -> [Finding] {
        let covered = all.reduce(into: Set<Feature>()) { $0.formUnion($1.covers) }
        return subject.evaluations.flatMap { evaluation in
            var findings: [Finding] = []
            for slice in evaluation.slices {
                let about = Finding.Subject.slice(slice, of: evaluation.code)
                let slots = Set(slice.signature?.superBlob?.entries.map(\.slot) ?? [])
                for slot in slots.sorted() where !covered.contains(.slot(slot.rawValue)) {
                    findings.append(
                        Finding(
                            .unknownStructure, about,
                            "The signature of \(about.path) has a blob in \(slot.name), which nothing here knows."))
                }
                let commands = Set(slice.slice.image.value?.commands.map(\.kind) ?? [])
                for command in commands.sorted(by: { $0.rawValue < $1.rawValue })
                where !covered.contains(.loadCommand(command.rawValue)) {
                    findings.append(
                        Finding(
                            .unknownStructure, about,
                            "\(about.path) has a \(command.name), which nothing here knows."))
                }
            }
            for key in evaluation.seal.comparison?.seal.unknownKeys ?? [] where !covered.contains(.sealKey(key)) {
                let path = evaluation.code.layout?.seal ?? evaluation.code.path
                findings.append(
                    Finding(
                        .unknownStructure, .init(path: path, code: evaluation.code.path),
                        "The seal \(path) has a key “\(key)”, which no verifier reads."))
            }
            return findings
        }
    }
}

extension Catalogue {
    static let structure: [CatalogueRow] = [
        CatalogueRow(
            .unknownStructure, .structure, severity: .note, "The input holds a structure that no check knows.",
            why: "Apple's verifier ignores it; so nothing vouches for it, and nothing here can say what it does.",
            fix: "Find out which tool wrote it. If it is legitimate, it deserves a check of its own.")
    ]
}
