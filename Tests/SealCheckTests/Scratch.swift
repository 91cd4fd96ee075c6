import SealCheck
import Testing
import Foundation

@Test func scratch() async throws {
    guard let list = ProcessInfo.processInfo.environment["SCRATCH"] else { return }
    for path in list.split(separator: "\n").map(String.init) {
        let start = Date()
        let report = try await Verifier(profile: .integrity, allDigests: true).verify(path)
        print("=====", path, report.outcome, report.problem?.message ?? "", report.codesignName, report.evaluations.count, String(format: "%.2fs", Date().timeIntervalSince(start)))
        for judged in report.findings.prefix(12) { print("  ", judged.severity, judged.finding.id, judged.finding.message) }
        if report.findings.count > 12 { print("   …", report.findings.count) }
    }
}
