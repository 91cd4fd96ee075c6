import SealCheck
import TestSupport
import Testing

/// Every part of a signature that a CodeDirectory hashes: a byte of it flipped, the part dropped, its hash zeroed.
struct BlobFaultTests {
    /// The name of a slot's part in identifiers.
    static let names: [Int: String] = [
        2: "requirements", 4: "top-directory", 5: "entitlements", 6: "representation-data", 7: "entitlements-der",
        8: "constraint", 9: "constraint", 10: "constraint", 11: "constraint",
    ]

    @Test func everyPartInOrder() async throws {
        #expect(try await Verifier().verify(try Demo.everyBlob.sealed()).ids == [])
    }

    @Test(arguments: BlobFault.all)
    func part(_ fault: BlobFault) async throws {
        let report = try await Verifier().verify(try fault.build(from: Demo.everyBlob))
        let name = try #require(Self.names[fault.slot])
        let expected =
            switch fault.kind {
            case .flipped: "\(name)-altered"
            case .dropped: "\(name)-missing"
            case .unhashed: "blob-not-covered"
            }
        // The top directory may name DER entitlements only where the CodeDirectory hashes them (spec 1.14).
        let isMisnamed = fault.slot == 7 && fault.kind == .unhashed
        #expect(report.ids == [expected] + (isMisnamed ? ["top-directory-differs"] : []))
        #expect(report.findings.contains { $0.finding.subject.slot == -fault.slot })
        let isValid = fault.kind == .unhashed && !isMisnamed
        #expect(report.outcome == (isValid ? .pass : .fail))
        #expect(report.codesignName == (isValid ? "valid" : "SignatureFailed"))
    }
}
