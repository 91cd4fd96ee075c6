import SealCheck
import TestSupport
import Testing

/// Entitlements in both forms.
extension FieldCases {
    /// The demo whose main executable has these entitlements.
    static func entitled(_ xml: Plist, der: [UInt8]? = nil) throws -> BundleBuilder {
        try executable {
            $0.signature?.entitlements = xml
            if let der { $0.signature?.blobs[7] = Blob.make(Blob.entitlementsDER, der) }
        }
    }

    @Test("ENT-01 the DER entitlements are missing")
    func ent01() async throws {
        let app = try Self.executable {
            $0.signature?.entitlements = ["get-task-allow": true]
            $0.signature?.hasDER = false
        }
        try await Self.expect(app, ["warning entitlements-der-absent"])
        try await Self.expect(try Self.executable { $0.signature?.entitlements = nil }, [])
    }

    @Test("ENT-03 DER and XML disagree")
    func ent03() async throws {
        for der: Plist in [["get-task-allow": true], [:]] {
            try await Self.expect(
                try Self.entitled(["get-task-allow": false], der: EntitlementsDER.encode(der)),
                ["warning entitlements-differ"])
        }
        try await Self.expect(try Self.entitled(["get-task-allow": false]), [])
    }

    @Test("ENT-06 an empty dictionary of entitlements")
    func ent06() async throws { try await Self.expect(try Self.entitled([:]), []) }
}
