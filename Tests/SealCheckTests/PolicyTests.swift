import SealCheck
import TestSupport
import Testing

/// The policy file: what it changes, and what is said of it.
struct PolicyTests {
    static func policy(_ text: String) throws -> Policy { try Policy(parsing: Array(text.utf8)) }

    static func verify(_ bundle: SealedBundle, _ policy: Policy, asOf: String? = nil) async throws -> Report {
        var verifier = Verifier()
        verifier.policy = policy
        verifier.asOf = asOf.flatMap(Policy.Day.init)
        return try await verifier.verify(bundle)
    }

    private func altered() throws -> SealedBundle { try FaultCase(.resourceAltered).build(from: Demo.standard) }

    @Test func allowedFindingStaysAndDoesNotFail() async throws {
        let policy = try Self.policy(
            #"{"allow": [{"finding": "resource-altered", "path": "Demo.app/Assets.*", "reason": "patched on purpose"}]}"#
        )
        let report = try await Self.verify(try altered(), policy)
        #expect(report.ids == ["resource-altered"])
        #expect(report.outcome == .pass)
        // What is true does not depend on the policy.
        #expect(report.isSealed == false)
        #expect(report.findings.first?.allowed?.reason == "patched on purpose")
        #expect(report.allowedCount == 1)
        #expect(report.count(.error) == 0)
    }

    @Test func anotherPathIsNotAllowed() async throws {
        let policy = try Self.policy(
            #"{"allow": [{"finding": "resource-altered", "path": "Demo.app/PlugIns/*", "reason": "x"}]}"#)
        let report = try await Self.verify(try altered(), policy)
        #expect(report.ids == ["policy-entry-unused", "resource-altered"])
        #expect(report.outcome == .fail)
    }

    @Test func expiry() async throws {
        let policy = try Self.policy(
            #"{"allow": [{"finding": "resource-altered", "reason": "until then", "expires": "2027-01-31"}]}"#)
        let before = try await Self.verify(try altered(), policy, asOf: "2027-01-31")
        #expect(before.outcome == .pass)
        #expect(before.policyDay?.description == "2027-01-31")
        let after = try await Self.verify(try altered(), policy, asOf: "2027-02-01")
        #expect(after.outcome == .fail)
        #expect(after.ids == ["policy-entry-expired", "resource-altered"])
    }

    @Test func severitiesAndRequirements() async throws {
        let widget = try FieldCases.widget { $0.info["CFBundleVersion"] = "33" }
        let strict = try Self.policy(#"{"severities": {"adhoc": {"extension-version-differs": "error"}}}"#)
        let report = try await Self.verify(try widget.sealed(), strict)
        #expect(report.outcome == .fail)
        #expect(report.isSealed == true)
        let missing = try Self.policy(#"{"require": ["extension=Share"]}"#)
        #expect(try await Self.verify(try Demo.standard.sealed(), missing).ids == ["required-extension-missing"])
        let there = try Self.policy(
            #"{"require": ["extension=Widget", "identifier=com.example.demo", "live-activity"]}"#)
        #expect(try await Self.verify(try Demo.standard.sealed(), there).ids == ["swift-metadata-unreadable"])
    }

    @Test func baselineAllowsTodaysFindingsAndAsksForReasons() async throws {
        let bundle = try altered()
        let today = try await Verifier().verify(bundle)
        let baseline = try Policy(parsing: JSONWriter.document(Policy(baselineOf: [today]).json))
        let report = try await Self.verify(bundle, baseline)
        #expect(report.ids == ["policy-reason-empty", "resource-altered"])
        #expect(report.outcome == .pass)
    }

    @Test func defaultChangesNothing() async throws {
        let standard = try Policy(parsing: JSONWriter.document(Policy.standard.json))
        for fault in [Fault.resourceAltered, .infoSlotZeroed, .linkerSigned] {
            let bundle = try FaultCase(fault).build(from: Demo.standard)
            let with = try await Self.verify(bundle, standard)
            let without = try await Verifier().verify(bundle)
            #expect(with.findings == without.findings)
            #expect(with.outcome == without.outcome)
        }
    }

    @Test(arguments: [
        (#"{"alow": []}"#, 1, "did you mean “allow”"),
        (
            "{\n \"allow\": [{\"finding\": \"resource-alterd\", \"reason\": \"x\"}]}", 2,
            "did you mean “resource-altered”"
        ),
        ("{\"allow\": [\n{\"finding\": \"resource-altered\"}]}", 2, "no reason"),
        (#"{"allow": [{"finding": "resource-altered", "reason": "x", "expires": "2027-02-30"}]}"#, 1, "no day"),
        ("{\"severities\": {\"adhoc\": {\n\n\"unsigned\": \"fatal\"}}}", 3, "error, warning or note"),
        (#"{"require": ["everything"]}"#, 1, "can be required"),
        ("{\"allow\": [],\n\"allow\": []}", 2, "twice"),
        ("{\"allow\": [],}", 1, "quotes"),
        ("[1, 2", 1, "missing"),
        ("{\"require\": [\"\u{1}\"]}", 1, "control"),
        ("", 1, "too early"),
    ])
    func faultsAreToldWithTheirLine(_ text: String, _ line: Int, _ part: String) {
        let fault = #expect(throws: JSONNode.Fault.self) { _ = try Self.policy(text) }
        #expect(fault?.line == line)
        #expect(fault?.message.contains(part) == true, "\(fault?.message ?? "")")
    }

    @Test func deepNestingIsRefused() {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: JSONNode.Fault.self) { _ = try JSONNode(parsing: Array(text.utf8)) }
    }
}
