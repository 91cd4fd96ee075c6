import SealCheck
import TestSupport
import Testing

/// Entitlements, which Apple's verifier hashes and does not read.
extension ParityConditions {
    @Test("condition 060: entitlements (5 or 7) altered or missing but hashed")
    func condition060() async throws {
        let entitled = try FieldCases.entitled(["a": true])
        for (fault, finding): (Fault, String) in [
            (.entitlementsFlipped, "entitlements-altered"), (.entitlementsDropped, "entitlements-missing"),
            (.entitlementsDERFlipped, "entitlements-der-altered"),
            (.entitlementsDERDropped, "entitlements-der-missing"),
        ] {
            try await Self.expect(
                try FaultCase(fault).build(from: entitled), "SignatureFailed", architecture: "arm64",
                ["error \(finding)"])
        }
        try await Self.expect(entitled, "valid", [])
    }

    @Test("condition 061: entitlements in SuperBlob, no CD hash")
    func condition061() async throws {
        let uncovered = try FieldCases.executable {
            $0.signature?.entitlements = nil
            $0.signature?.arrange = { superBlob in
                superBlob.entries.append(.init(5, Blob.make(Blob.entitlements, (["a": true] as Plist).encoded())))
                superBlob.entries.append(.init(7, Blob.make(Blob.entitlementsDER, EntitlementsDER.encode(["a": true]))))
            }
        }
        try await Self.expect(uncovered, "valid", ["warning blob-not-covered"])
        try await Self.expect(try FieldCases.entitled(["a": true]), "valid", [])
    }

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

    @Test("condition 066: constraint blob altered / missing but hashed")
    func condition066() async throws {
        let constraint = Blob.make(0xFADE_8181, DER.encode(0x70, DER.integer(1)))
        let whole = try FieldCases.executable { $0.signature?.blobs[8] = constraint }
        let missing = try FieldCases.executable {
            $0.signature?.blobs[8] = constraint
            $0.signature?.missingSlots = [8]
        }
        try await Self.expect(missing, "SignatureFailed", architecture: "arm64", ["error constraint-missing"])
        try await Self.expect(whole, "valid", [])
    }
}
