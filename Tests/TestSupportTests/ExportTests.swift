import Foundation
import TestSupport
import Testing

/// Writes the demo bundles into the folder that `SEALCHECK_EXPORT` names, for a look at them with other tools.
@Suite struct ExportTests {
    static let folder = ProcessInfo.processInfo.environment["SEALCHECK_EXPORT"]

    static let demos: [(name: String, bundle: BundleBuilder)] = [
        ("standard", Demo.standard), ("fat", Demo.fat), ("dual", Demo.dual), ("mac", Demo.mac),
    ]

    @Test(.enabled(if: folder != nil)) func exportsEverything() throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
        for (name, demo) in Self.demos {
            let place = folder.appendingPathComponent(name)
            for change in Harmless.allCases {
                let bundle = try change.build(from: demo)
                try bundle.write(to: place.appendingPathComponent("harmless/\(change.rawValue)"))
                try bundle.writeIPA(to: place.appendingPathComponent("harmless/\(change.rawValue)"))
            }
            for row in FaultCase.all(in: demo) {
                let rowName = row.description.replacingOccurrences(of: "/", with: "_")
                try row.build(from: demo).write(to: place.appendingPathComponent("fault/\(rowName)"))
            }
        }
    }
}
