import SealCheck
import TestSupport
import Testing

/// The numbered conditions that Apple's verifier decides, one test each: what codesign would say of real bytes, and what is
/// found beside it. Tests are named `condition NNN: …`; the table in `docs/parity.md` is made from their names.
@Suite("ParityConditions") struct ParityConditions {
    /// `codesign --verify --deep --no-strict`
    static let notStrict = CodesignOptions(strict: false)

    /// Judges a bundle and compares codesign's verdict and the whole set of findings.
    ///
    /// - Parameters:
    ///   - verdict: `valid`, `unknown` (where nothing published settles it), `invalid` (where only the error is open), or the name of Apple's error without `errSecCS`.
    ///   - architecture: what codesign would name behind "In architecture".
    ///   - subcomponent: path of the nested code that failed, below the bundle.
    ///   - findings: `severity identifier` of every finding, each once. Nil where the test is about the verdict under other
    ///     options only.
    ///   - options: what codesign is asked to look at.
    @discardableResult
    static func expect(
        _ bundle: SealedBundle, _ verdict: String, architecture: String? = nil, subcomponent: String? = nil,
        _ findings: Set<String>? = nil, options: CodesignOptions = .deepStrict, profile: Profile = .adhoc,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> Report {
        var verifier = Verifier(profile: profile)
        verifier.codesign = options
        let report = try await verifier.verify(bundle)
        compare(
            report, verdict, architecture: architecture, subcomponent: subcomponent.map { "\(bundle.name)/\($0)" },
            findings, location)
        return report
    }

    /// Seals a bundle, judges it and compares.
    @discardableResult
    static func expect(
        _ bundle: BundleBuilder, _ verdict: String, architecture: String? = nil, subcomponent: String? = nil,
        _ findings: Set<String>? = nil, options: CodesignOptions = .deepStrict, profile: Profile = .adhoc,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> Report {
        try await expect(
            try bundle.sealed(), verdict, architecture: architecture, subcomponent: subcomponent, findings,
            options: options,
            profile: profile, location)
    }

    /// Judges a file that stands alone and compares.
    @discardableResult
    static func expect(
        file bytes: [UInt8], named name: String = "tool", _ verdict: String, architecture: String? = nil,
        _ findings: Set<String>? = nil, options: CodesignOptions = .deepStrict, profile: Profile = .adhoc,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> Report {
        var verifier = Verifier(profile: profile)
        verifier.codesign = options
        let tree = MemoryTree(FileTree([RawPath(name): .file(bytes, mode: 0o755)]), below: BundlePath(bytes: []))
        let report = try await verifier.verify(
            tree, root: BundlePath(bytes: Array(name.utf8)), inputPath: name, inputKind: "mach-o")
        compare(report, verdict, architecture: architecture, subcomponent: nil, findings, location)
        return report
    }

    private static func compare(
        _ report: Report, _ verdict: String, architecture: String?, subcomponent: String?, _ findings: Set<String>?,
        _ location: SourceLocation
    ) {
        #expect(report.codesignName == verdict, sourceLocation: location)
        #expect(report.codesign?.failure?.architecture == architecture, sourceLocation: location)
        #expect(report.codesign?.failure?.subcomponent.map(\.description) == subcomponent, sourceLocation: location)
        guard let findings else { return }
        #expect(Set(report.findings.map { "\($0.severity) \($0.finding.id)" }) == findings, sourceLocation: location)
    }
}
