/// Verifies inputs: the library's front door.
///
/// ```swift
/// let report = try await Verifier().verify("App.ipa")
/// print(report.outcome, report.findings.map(\.finding.id))
/// ```
public struct Verifier: Sendable {
    public var profile: Profile
    public var failOn: FailureThreshold
    public var limits: Limits
    /// Threads to use; by default as many as there are cores.
    public var jobs: Int
    /// Whether a main executable inside a bundle is judged as the lone file.
    public var fileOnly: Bool

    public init(
        profile: Profile = .adhoc, failOn: FailureThreshold = .error, limits: Limits = .standard,
        jobs: Int = Verifier.cores, fileOnly: Bool = false
    ) {
        self.profile = profile
        self.failOn = failOn
        self.limits = limits
        self.jobs = jobs
        self.fileOnly = fileOnly
    }
}
