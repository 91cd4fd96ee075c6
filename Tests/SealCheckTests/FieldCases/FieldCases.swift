import SealCheck
import TestSupport
import Testing

/// Cases met by real people, each named by its identifier and held to its verdict. The whole list of findings is compared:
/// a case that is fine must have neither error nor warning, and a case that is not must have nothing else.
@Suite struct FieldCases {
    /// Judges a bundle and compares `severity identifier` of every finding, as often as it occurs.
    static func expect(
        _ bundle: SealedBundle, _ expected: [String], profile: Profile = .adhoc,
        requiring required: [RequiredThing] = [],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        var verifier = Verifier(profile: profile)
        verifier.required = required
        let report = try await verifier.verify(bundle)
        compare(report, expected, location)
    }

    static func expect(
        _ app: BundleBuilder, _ expected: [String], profile: Profile = .adhoc, requiring required: [RequiredThing] = [],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(try app.sealed(), expected, profile: profile, requiring: required, location)
    }

    static func compare(_ report: Report, _ expected: [String], _ location: SourceLocation = #_sourceLocation) {
        let found = report.findings.map { "\($0.severity) \($0.finding.id)" }.sorted()
        #expect(found == expected.sorted(), sourceLocation: location)
        let fails = expected.contains { $0.hasPrefix("error") }
        #expect(report.outcome == (fails ? .fail : .pass), sourceLocation: location)
    }

    /// The demo with an edited widget, everything around it sealed after that.
    static func widget(_ body: (inout BundleBuilder) throws -> Void) throws -> BundleBuilder {
        var app = Demo.standard
        try app.update("PlugIns/Widget.appex", body)
        return app
    }

    /// The demo without its widget.
    static func withoutWidget() throws -> BundleBuilder {
        var app = Demo.standard
        try app.removeNested("PlugIns/Widget.appex")
        return app
    }

    /// The demo with another bundle in it.
    static func demo(with bundle: BundleBuilder, in folder: RawPath) -> BundleBuilder {
        var app = Demo.standard
        app.nest(bundle, in: folder)
        return app
    }

    /// A share extension that has what its point asks for.
    static func share(_ name: String = "Share", identifier: String = "com.example.demo.share") -> BundleBuilder {
        var share = BundleBuilder.appex(name, identifier: identifier)
        share.info["NSExtension"] = [
            "NSExtensionPointIdentifier": "com.apple.share-services", "NSExtensionPrincipalClass": "ShareController",
        ]
        return share
    }
}
