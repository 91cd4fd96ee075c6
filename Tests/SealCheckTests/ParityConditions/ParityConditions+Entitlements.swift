import SealCheck
import TestSupport
import Testing

/// Entitlements, which Apple's verifier hashes and does not read.
extension ParityConditions {
    @Test("condition 062: XML and DER entitlements differ")
    func condition062() async throws {
        let differ = try FieldCases.entitled(["a": true], der: EntitlementsDER.encode(["a": false]))
        try await Self.expect(differ, "valid", ["warning entitlements-differ"])
        try await Self.expect(try FieldCases.entitled(["a": true]), "valid", [])
    }

    @Test("condition 063: slot 5 or 7 with wrong magic, hash correct")
    func condition063() async throws {
        let wrong = try FieldCases.executable {
            $0.signature?.entitlements = ["a": true]
            $0.signature?.blobs[7] = Blob.make(Blob.wrapper, EntitlementsDER.encode(["a": true]))
        }
        try await Self.expect(wrong, "valid", ["warning kernel-entitlements-magic"])
        try await Self.expect(try FieldCases.entitled(["a": true]), "valid", [])
    }
}
