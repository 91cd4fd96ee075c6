/// The one thing behind several findings, and the one thing to do about it.
public struct Cause: Hashable, Sendable {
    /// A stable kebab-case name.
    public var id: String
    /// The code object that it is about.
    public var code: BundlePath
    /// What happened, in one sentence.
    public var message: String
    /// What to do.
    public var fix: String
    /// Positions of the findings that it explains, ascending.
    public var findings: [Int]
}

/// A pattern in the findings that betrays what happened.
struct CausePattern: Sendable {
    let id: String
    let fix: String
    /// Matches the pattern for one code object: the message, and the findings that it explains; nil when it does not
    /// hold. A pattern never guesses: it wants positive evidence for what it says.
    let match: @Sendable (Scene) -> (message: String, explains: (Finding) -> Bool)?

    /// One code object in its surroundings.
    struct Scene {
        let code: CodeEvaluation
        let findings: [Finding]
        let subject: Check.Subject

        /// Findings about the object's own signature or seal.
        func own(_ ids: Finding.ID...) -> Bool {
            findings.contains { ids.contains($0.id) && $0.subject.code == code.code.path }
        }

        /// Whether seals around the object have this finding about it or about the given path.
        func around(_ id: Finding.ID, _ path: BundlePath? = nil) -> Bool {
            findings.contains {
                $0.id == id && $0.subject.path == (path ?? code.code.path) && $0.subject.code != code.code.path
            }
        }

        /// Whether a finding is one that seals around the object have about a file at or below it.
        func isAround(_ finding: Finding) -> Bool {
            guard let owner = finding.subject.code, owner != code.code.path else { return false }
            return code.code.path.isAtOrBelow(owner) && finding.subject.path.isAtOrBelow(code.code.path)
        }
    }
}

/// Finds the causes behind findings. Each finding belongs to one cause at most; the patterns are tried from the most
/// telling to the least, and inner objects before outer ones.
enum Diagnosis {
    static func causes(_ findings: [Finding], _ subject: Check.Subject) -> [Cause] {
        var taken: Set<Int> = []
        var causes: [Cause] = []
        for pattern in CausePattern.all {
            for code in subject.evaluations.reversed() {
                let scene = CausePattern.Scene(code: code, findings: findings, subject: subject)
                guard let (message, explains) = pattern.match(scene) else { continue }
                let explained = findings.indices.filter { !taken.contains($0) && explains(findings[$0]) }
                guard !explained.isEmpty else { continue }
                taken.formUnion(explained)
                causes.append(
                    Cause(id: pattern.id, code: code.code.path, message: message, fix: pattern.fix, findings: explained)
                )
            }
        }
        return causes
    }
}
