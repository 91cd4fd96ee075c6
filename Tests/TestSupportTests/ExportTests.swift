import Foundation
import TestSupport
import Testing

/// Writes the demo bundles into the folder that `SEALCHECK_EXPORT` names, for a look at them with other tools.
@Suite struct ExportTests {
    static let folder = ProcessInfo.processInfo.environment["SEALCHECK_EXPORT"]

    @Test(.enabled(if: folder != nil)) func exportsTheDemos() throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
        let demos = [("standard", Demo.standard), ("fat", Demo.fat), ("dual", Demo.dual), ("mac", Demo.mac)]
        for (name, demo) in demos {
            let bundle = try demo.sealed()
            try bundle.write(to: folder.appendingPathComponent(name))
            try bundle.writeIPA(to: folder.appendingPathComponent(name))
        }
    }
}
