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
        let findings: FindingIndex

        /// Whether there are findings about the object's own signature or seal.
        func own(_ ids: Finding.ID...) -> Bool {
            findings.of(code.code.path).contains { ids.contains($0.id) }
        }

        /// Whether seals around the object have this finding about it.
        func around(_ id: Finding.ID) -> Bool {
            findings.about(code.code.path).contains { $0.id == id && $0.subject.code != code.code.path }
        }

        /// Whether a finding is one that seals around the object have about a file at or below it.
        func isAround(_ finding: Finding) -> Bool {
            guard let owner = finding.subject.code, owner != code.code.path else { return false }
            return code.code.path.isAtOrBelow(owner) && finding.subject.path.isAtOrBelow(code.code.path)
        }
    }
}

/// Findings by the code object that they belong to, and by the path that they are about: an app may have ten thousand of
/// each, and every pattern is tried on every object.
struct FindingIndex {
    let all: [Finding]
    private var byCode: [BundlePath: [Int]] = [:]
    private var byPath: [BundlePath: [Int]] = [:]
    /// Positions in order of the findings' paths.
    private let ordered: [Int]

    init(_ findings: [Finding]) {
        all = findings
        for (position, finding) in findings.enumerated() {
            if let code = finding.subject.code { byCode[code, default: []].append(position) }
            byPath[finding.subject.path, default: []].append(position)
        }
        ordered = findings.indices.sorted { (findings[$0].subject.path, $0) < (findings[$1].subject.path, $1) }
    }

    /// Findings that belong to the code object at `path`.
    func of(_ path: BundlePath) -> [Finding] { (byCode[path] ?? []).map { all[$0] } }

    /// Findings about exactly this path.
    func about(_ path: BundlePath) -> [Finding] { (byPath[path] ?? []).map { all[$0] } }

    /// Positions of the findings that belong to the code object at `path` or are about something at or below it,
    /// ascending: all that a pattern can explain.
    func near(_ path: BundlePath) -> [Int] {
        var found = Set(byCode[path] ?? []).union(byPath[path] ?? [])
        // Everything below `a` begins with `a/`, and `0` is the byte after `/`.
        let slash = UInt8(ascii: "/")
        found.formUnion(ordered[lowerBound(path.bytes + [slash])..<lowerBound(path.bytes + [slash + 1])])
        return found.sorted()
    }

    private func lowerBound(_ key: [UInt8]) -> Int {
        var (low, high) = (0, ordered.count)
        while low < high {
            let middle = (low + high) / 2
            if all[ordered[middle]].subject.path.bytes.lexicographicallyPrecedes(key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

/// Finds the causes behind findings. Each finding belongs to one cause at most; the patterns are tried from the most
/// telling to the least, and inner objects before outer ones.
enum Diagnosis {
    static func causes(_ findings: [Finding], _ subject: Check.Subject) -> [Cause] {
        let index = FindingIndex(findings)
        var taken: Set<Int> = []
        var causes: [Cause] = []
        for pattern in CausePattern.all {
            for code in subject.evaluations.reversed() {
                let scene = CausePattern.Scene(code: code, findings: index)
                guard let (message, explains) = pattern.match(scene) else { continue }
                let explained = index.near(code.code.path).filter { !taken.contains($0) && explains(findings[$0]) }
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
