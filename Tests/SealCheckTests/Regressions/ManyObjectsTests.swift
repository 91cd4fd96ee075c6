import TestSupport
import Testing

@testable import SealCheck

/// A thousand code objects, each with findings of its own: none is lost, and the run ends. How long it takes is for the
/// benchmarks to say: what is asked of each object must not go through all of them, nor through all findings.
struct ManyObjectsTests {
    @Test func emptyExtensions() async throws {
        let count = 1_000
        var bundle = try BundleBuilder.app("Many", identifier: "com.example.many").sealed()
        for number in 0..<count { bundle.tree[RawPath("PlugIns/\(number).appex")] = .directory() }
        let report = try await Verifier().verify(bundle)
        #expect(report.ids.count { $0 == "executable-missing" } == count)
    }
}
