#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
    /// Whether a main executable inside a bundle is judged as the lone file that it is.
    public var fileOnly: Bool
    /// Whether every digest that a seal records is checked, consulted by the verdict or not.
    public var allDigests: Bool
    /// What the codesign verdict is asked to look at.
    public var codesign: CodesignOptions = .deepStrict
    /// What the project wants beyond the profile.
    public var policy = Policy()
    /// The day on which expiring entries of the policy are judged; today where nothing is said and some entry expires.
    public var asOf: Policy.Day?
    /// What has to be in the app, beside being sealed.
    public var required: [RequiredThing] {
        get { policy.required }
        set { policy.required = newValue }
    }

    public init(
        profile: Profile = .adhoc, failOn: FailureThreshold = .error, limits: Limits = .standard,
        jobs: Int = Verifier.cores, fileOnly: Bool = false, allDigests: Bool = false
    ) {
        self.profile = profile
        self.failOn = failOn
        self.limits = limits
        self.jobs = jobs
        self.fileOnly = fileOnly
        self.allDigests = allDigests
    }

    /// The clock is read only where some entry expires.
    private var policyDay: Policy.Day? {
        policy.allow.contains { $0.expires != nil } ? asOf ?? .today : asOf
    }

    /// Processors that are online.
    public static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Reads and judges what a path names: an IPA or zip, a bundle folder, an xcarchive, or a Mach-O file.
    ///
    /// - Parameter path: bytes of a path.
    /// - Returns: a report in any case. What could not be opened has the outcome ``Report/Outcome/unchecked`` and a
    ///   ``Report/problem``.
    /// - Throws: `CancellationError`.
    public func verify(path: [UInt8]) async throws -> Report {
        let name = BundlePath(bytes: path).lossyText
        let limits = limits
        let input: Input
        do {
            input = try Input.open(path, fileOnly: fileOnly, limits: limits) { bytes in
                (try? PropertyList(parsing: bytes, limits: limits))?["CFBundleExecutable"]?.string?.bytes
            }
        } catch {
            let message = [error.message, error.hint].compactMap(\.self).joined(separator: " ")
            var report = Report(
                unchecked: .init(id: error.id, message: message), inputPath: name, inputKind: nil, profile: profile)
            report.codesign = error.appleError.map { CodesignVerdict(failure: .init($0)) }
            return report
        }
        return try await verify(
            input.tree, root: input.root, inputPath: name, inputKind: input.kind.rawValue,
            notes: input.notes.map(\.message))
    }

    /// Reads and judges what a path names.
    ///
    /// - Throws: `CancellationError`.
    public func verify(_ path: String) async throws -> Report { try await verify(path: Array(path.utf8)) }

    /// Reads and judges a tree.
    ///
    /// - Parameters:
    ///   - root: the bundle or file to judge, in the tree.
    ///   - inputPath: what to call the input in the report.
    /// - Throws: `CancellationError`.
    public func verify(
        _ tree: any BundleTree, root: BundlePath, inputPath: String, inputKind: String, notes: [String] = []
    ) async throws -> Report {
        let gatherer: Gatherer
        do {
            gatherer = try Gatherer(tree: tree, root: root, limits: limits, jobs: jobs, allDigests: allDigests)
        } catch {
            return Report(
                unchecked: .init(id: "unreadable", message: "\(inputPath) cannot be read any more: \(error)."),
                inputPath: inputPath, inputKind: inputKind, profile: profile)
        }
        let facts = try await gatherer.gather()
        return Judgement(
            profile: profile, failOn: failOn, limits: limits, codesign: codesign, policy: policy, day: policyDay
        )
        .report(on: facts, inputPath: inputPath, inputKind: inputKind, notes: notes)
    }
}
