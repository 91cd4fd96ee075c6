import Foundation
import TestSupport
import Testing

/// Writes the demo bundles into the folder that `SEALCHECK_EXPORT` names, for a look at them with other tools.
@Suite struct ExportTests {
    static let folder = ProcessInfo.processInfo.environment["SEALCHECK_EXPORT"]

    @Test(.enabled(if: folder != nil)) func exportsTheDemos() throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
        let bundle = try Demo.standard.sealed()
        try bundle.write(to: folder.appendingPathComponent("standard"))
        try bundle.writeIPA(to: folder.appendingPathComponent("standard"))
    }
}
