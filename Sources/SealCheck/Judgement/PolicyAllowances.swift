extension Finding.ID {
    static let policyEntryUnused = Self("policy-entry-unused")
    static let policyEntryExpired = Self("policy-entry-expired")
    static let policyReasonEmpty = Self("policy-reason-empty")
}

/// Which findings a policy allows, and what there is to say about the policy itself.
struct PolicyAllowances {
    private let policy: Policy
    private let day: Policy.Day?
    private let top: BundlePath
    private let root: BundlePath
    private let used: Set<Int>

    init(_ policy: Policy, on day: Policy.Day?, findings: [Finding], root: BundlePath) {
        self.policy = policy
        self.day = day
        self.root = root
        top = root.parent ?? .root
        var used: Set<Int> = []
        for finding in findings {
            let path = finding.subject.path.relative(to: root.parent ?? .root) ?? finding.subject.path
            for (number, entry) in policy.allow.enumerated() where entry.matches(finding.id, path: path) {
                used.insert(number)
            }
        }
        self.used = used
    }

    /// The first entry in force that allows a finding.
    func allowance(of finding: Finding) -> Report.Allowance? {
        let path = finding.subject.path.relative(to: top) ?? finding.subject.path
        let number = policy.allow.indices.first { !isExpired($0) && policy.allow[$0].matches(finding.id, path: path) }
        return number.map { Report.Allowance(reason: policy.allow[$0].reason, entry: $0) }
    }

    private func isExpired(_ number: Int) -> Bool {
        guard let expires = policy.allow[number].expires, let day else { return false }
        return expires < day
    }

    /// Entries that allowed nothing, entries whose time is up, entries that give no reason.
    var findings: [Finding] {
        policy.allow.indices.flatMap { number -> [Finding] in
            let entry = policy.allow[number]
            let name = "Entry \(number) of the policy (\(entry.finding)\(entry.path.map { ", \($0)" } ?? ""))"
            func finding(_ id: Finding.ID, _ message: String) -> Finding {
                Finding(id, .init(path: root), message, .init(expected: entry.reason))
            }
            var findings: [Finding] = []
            if isExpired(number) {
                findings.append(
                    finding(.policyEntryExpired, "\(name) expired on \(entry.expires.map(\.description) ?? "")."))
            }
            if !used.contains(number) {
                findings.append(finding(.policyEntryUnused, "\(name) matched nothing."))
            }
            if entry.reason.utf8.allSatisfy({ $0 == 0x20 }) {
                findings.append(finding(.policyReasonEmpty, "\(name) gives no reason."))
            }
            return findings
        }
    }
}

extension Catalogue {
    static let policy: [CatalogueRow] = [
        CatalogueRow(
            .policyEntryUnused, .policy, severity: .warning, "An entry of the policy allowed nothing.",
            why:
                "What it allowed is mended, or the entry never fitted; left in, it will allow the next fault of the kind.",
            fix: "Remove the entry."),
        CatalogueRow(
            .policyEntryExpired, .policy, severity: .warning, "An entry of the policy has expired.",
            why: "It was meant to count until a day that is past, and allows nothing any more.",
            fix: "Mend what it allowed, or give it a new day with a new reason."),
        CatalogueRow(
            .policyReasonEmpty, .policy, severity: .warning, "An entry of the policy gives no reason.",
            why: "Nobody will know whether it may be removed.", fix: "Write down why the finding is allowed."),
    ]
}
