import SealCheck

extension Report {
    /// The identifiers of all findings, sorted, as often as each occurs: what a test compares, whole.
    var ids: [String] { findings.map(\.finding.id.rawValue).sorted() }

    /// `identifier path`, path without the bundle's own name, sorted.
    var keys: [String] {
        findings.map { "\($0.finding.id) \($0.finding.subject.path)" }.sorted()
    }

    /// Name of Apple's error, `valid`, `invalid` where the error is open, or `unknown`.
    var codesignName: String {
        guard let codesign else { return "unknown" }
        if let failure = codesign.failure { return failure.error.name.replacing("errSecCS", with: "") }
        return codesign.isValid.map { $0 ? "valid" : "invalid" } ?? "unknown"
    }
}
