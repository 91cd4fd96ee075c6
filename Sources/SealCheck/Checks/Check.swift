import MachOReader

/// A family of checks: a pure function from what was evaluated to findings.
struct Check: Sendable {
    let family: Family
    /// What this family looks at. What the facts hold and no family covers becomes `unknown-structure`.
    let covers: Set<Feature>
    let run: @Sendable (Subject) -> [Finding]

    /// What a check is given.
    struct Subject: Sendable {
        let facts: Facts
        let evaluations: [CodeEvaluation]
        let coverage: [Coverage]
        /// What the caller requires to be there.
        let required: [RequiredThing]
    }

    init(_ family: Family, covers: Set<Feature> = [], _ run: @escaping @Sendable (Subject) -> [Finding]) {
        self.family = family
        self.covers = covers
        self.run = run
    }

    /// A family that looks at each code object by itself.
    init(_ family: Family, covers: Set<Feature> = [], each: @escaping @Sendable (CodeEvaluation, Facts) -> [Finding]) {
        self.init(family, covers: covers) { subject in subject.evaluations.flatMap { each($0, subject.facts) } }
    }

    static let all: [Check] = [
        .archive, .reading, .bundle, .signature, .codeDirectory, .pages, .layout, .specialSlots, .resourceSeal,
        .nestedCode, .recordedDigests, .identifiers, .extensionPoint, .versions, .liveActivity, .liveActivityTypes,
        .platforms,
        .loaderRules, .packaging, .kernelRules,
    ]

    /// Every finding of every family, sorted.
    static func findings(_ subject: Subject) -> [Finding] {
        let found = all.flatMap { $0.run(subject) } + unknownStructures(subject)
        return Array(Set(found)).sorted()
    }
}

/// Something that a signature, image or seal can hold.
enum Feature: Hashable, Sendable {
    case slot(UInt32)
    case loadCommand(UInt32)
    case sealKey(ByteString)
}
