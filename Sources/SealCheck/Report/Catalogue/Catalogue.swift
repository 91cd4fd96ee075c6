/// The one table of everything that sealcheck can find: `explain` prints it, severities are read from it.
///
/// Its rows stand in one file a family, mirrored by `Checks/`.
public enum Catalogue {
    public static let rows: [CatalogueRow] = [
        archive, reading, bundle, signature, codeDirectory, pages, layout, specialSlots, entitlementForms, resourceSeal,
        nestedCode,
        recordedDigests, identifiers, extensionPoint, versions, liveActivity, liveActivityTypes, platforms, loaderRules,
        packaging, kernelRules, required, policy, structure,
    ].flatMap(\.self).sorted { $0.id < $1.id }

    private static let byID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// The row of a finding.
    public static func row(_ id: Finding.ID) -> CatalogueRow? { byID[id] }

    /// The severity of a finding before any policy.
    public static func severity(_ id: Finding.ID, profile: Profile) -> Severity {
        // A finding without a row is a fault of this program; it must not pass for less than it may be.
        row(id)?.severity(profile) ?? .error
    }
}

/// What there is to know about one kind of finding.
public struct CatalogueRow: Hashable, Sendable {
    public var id: Finding.ID
    public var family: Family
    public var adhoc: Severity
    public var integrity: Severity
    /// What Apple's verifier calls it, where it looks at it at all.
    public var apple: AppleError?
    /// What is wrong, in one sentence.
    public var summary: String
    /// Why it matters.
    public var why: String
    /// What to do about it.
    public var fix: String

    init(
        _ id: Finding.ID, _ family: Family, severity adhoc: Severity = .error, integrity: Severity? = nil,
        apple: AppleError? = nil, _ summary: String, why: String, fix: String
    ) {
        self.id = id
        self.family = family
        self.adhoc = adhoc
        self.integrity = integrity ?? adhoc
        self.apple = apple
        self.summary = summary
        self.why = why
        self.fix = fix
    }

    public func severity(_ profile: Profile) -> Severity {
        switch profile {
        case .adhoc: adhoc
        case .integrity: integrity
        // Apple's tool knows errors only; what it does not look at is none of its business.
        case .codesign: apple == nil ? .note : .error
        }
    }
}

/// A group of checks; the file names of `Checks/` and `Report/Catalogue/`.
public enum Family: String, Hashable, Sendable, CaseIterable {
    case archive
    case reading
    case bundle
    case signature
    case codeDirectory = "code-directory"
    case pages
    case layout
    case specialSlots = "special-slots"
    case resourceSeal = "resource-seal"
    case nestedCode = "nested-code"
    case recordedDigests = "recorded-digests"
    case identifiers
    case extensionPoint = "extension-point"
    case versions
    case liveActivity = "live-activity"
    case liveActivityTypes = "live-activity-types"
    case platforms
    case loaderRules = "loader-rules"
    case packaging
    case kernelRules = "kernel-rules"
    case required
    case policy
    case structure
}

/// How much a finding weighs.
public enum Severity: String, Hashable, Sendable, Comparable {
    /// Worth knowing.
    case note
    /// Something is off or uncovered.
    case warning
    /// The seal is broken, or a rule that devices are known to enforce refuses it.
    case error

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// What an input is held against.
public enum Profile: String, Hashable, Sendable, CaseIterable {
    /// Every code object is signed ad hoc and sealed, inside out.
    case adhoc
    /// The same, but a certificate's signature is accepted too.
    case integrity
    /// Exactly what `codesign --verify --deep --strict` decides, and nothing else.
    case codesign
}
