import TestSupport
import Testing

@testable import SealCheck

/// Thousands of code objects: what is asked of each must not go through all of them, nor through all findings.
struct ManyObjectsTests {
    @Test func emptyExtensions() async throws {
        let count = 3_000
        var bundle = try BundleBuilder.app("Many", identifier: "com.example.many").sealed()
        for number in 0..<count { bundle.tree[RawPath("PlugIns/\(number).appex")] = .directory() }
        let clock = ContinuousClock()
        var report: Report?
        let time = try await clock.measure { report = try await Verifier().verify(bundle) }
        #expect(report?.ids.count { $0 == "executable-missing" } == count)
        #expect(time < .seconds(20), "the square of 3,000 takes several times as long")
    }
}
