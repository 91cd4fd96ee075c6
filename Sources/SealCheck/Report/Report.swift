import MachOReader

/// Everything that a verification has to say, judged. Renderers print it and decide nothing.
public struct Report: Sendable {
    public enum Outcome: String, Hashable, Sendable {
        /// As wanted.
        case pass
        /// The answer is no.
        case fail
        /// It could not be decided.
        case unchecked
    }

    /// The path as it was given.
    public var inputPath: String
    /// `ipa`, `zip`, `bundle`, `file`, `xcarchive`; nil when the input could not be opened.
    public var inputKind: String?
    /// The bundle or file that was judged, in the input; nil when none was.
    public var root: BundlePath?
    /// Remarks on how the input was taken.
    public var notes: [String]
    public var profile: Profile
    /// What was asked to make the run fail.
    public var failOn: FailureThreshold = .error
    public var outcome: Outcome
    /// Why nothing was judged, when nothing was.
    public var problem: Problem?
    /// Whether everything is sealed, policy aside; nil when that could not be decided.
    public var isSealed: Bool?
    public var codesign: CodesignVerdict?
    public var findings: [Judged]
    public var causes: [Cause]
    public var coverage: [Covered]
    public var evaluations: [CodeEvaluation]
    public var counters: Counters
    /// Files at or below the root.
    public var fileCount: Int
    /// What the build cannot show of the things that were required, and how to find out; empty unless all is as wanted.
    public var advice: [String] = []
    /// The day on which expiring entries of the policy were judged; nil when none expires.
    public var policyDay: Policy.Day?

    /// A finding with its weight.
    public struct Judged: Hashable, Sendable {
        public var finding: Finding
        public var severity: Severity
        public var apple: AppleError?
        public var fingerprint: String
        /// The cause that explains it.
        public var cause: String?
        /// The entry of the policy that allows it. The finding stays, and does not fail the run.
        public var allowed: Allowance?
    }

    /// Why a finding is allowed.
    public struct Allowance: Hashable, Sendable {
        public var reason: String
        /// Position of the entry in the policy, from 0.
        public var entry: Int
    }

    /// The coverage of one nested object and whether it stands on its own.
    public struct Covered: Hashable, Sendable {
        public var coverage: Coverage
        public var code: BundlePath
        public var sealedBy: BundlePath
        /// Whether the object, taken as a root by itself, has no error.
        public var isValidAlone: Bool
    }

    /// Why an input was not judged.
    public struct Problem: Error, Hashable, Sendable {
        /// A stable kebab-case name.
        public var id: String
        public var message: String
        public var offset: UInt64?

        public init(id: String, message: String, offset: UInt64? = nil) {
            self.id = id
            self.message = message
            self.offset = offset
        }
    }

    /// The process's exit code for this input alone (0, 1 or 3).
    public var exitCode: Int32 {
        switch outcome {
        case .pass: 0
        case .fail: 1
        case .unchecked: 3
        }
    }

    /// Findings of a severity, those that the policy allows aside.
    public func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity && $0.allowed == nil } }

    /// Whether this finding by itself makes the run fail.
    public func fails(_ judged: Judged) -> Bool {
        guard judged.allowed == nil, !judged.finding.id.isUnchecked else { return false }
        return switch failOn {
        case .error: judged.severity == .error
        case .warning: judged.severity >= .warning
        case .never: false
        }
    }

    /// Findings that the policy allows.
    public var allowedCount: Int { findings.count { $0.allowed != nil } }

    /// A report on an input that could not be judged.
    public init(unchecked problem: Problem, inputPath: String, inputKind: String? = nil, profile: Profile) {
        self.inputPath = inputPath
        self.inputKind = inputKind
        notes = []
        self.profile = profile
        outcome = .unchecked
        self.problem = problem
        (isSealed, codesign) = (nil, nil)
        (findings, causes, coverage, evaluations) = ([], [], [], [])
        counters = Counters()
        fileCount = 0
    }
}
