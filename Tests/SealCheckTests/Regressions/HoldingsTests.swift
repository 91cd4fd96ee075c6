import TestSupport
import Testing

@testable import SealCheck

/// Files that are small one by one, or nothing at all on a sparse disk, and together more than the memory.
struct HoldingsTests {
    private func judge(_ change: (inout Limits) -> Void) async throws -> Report {
        var limits = Limits.standard
        change(&limits)
        return try await Verifier(limits: limits).verify(try Demo.standard.sealed())
    }

    @Test func signaturesTogether() async throws {
        let report = try await judge { $0.allSignatureBytes = 1_000 }
        #expect(Set(report.ids).contains("unchecked-limit"))
        // What was not read is not called unsigned.
        #expect(!report.ids.contains("unsigned"))
        #expect(report.outcome == .unchecked)
        #expect(report.isSealed == nil)
    }

    @Test func oneSignature() async throws {
        let report = try await judge { $0.signatureBytes = 100 }
        #expect(Set(report.ids).contains("unchecked-limit"))
        #expect(report.outcome == .unchecked)
    }

    @Test func propertyListsTogether() async throws {
        let report = try await judge { $0.allPropertyListNodes = 60 }
        #expect(report.ids.contains { $0 == "unchecked-limit" || $0 == "unchecked-seal" })
        #expect(report.isSealed != true)
    }

    @Test func standardLimitsAreWide() async throws {
        #expect(try await judge { _ in }.outcome == .pass)
    }
}
