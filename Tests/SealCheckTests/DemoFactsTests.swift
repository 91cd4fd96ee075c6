import Foundation
import SealCheck
import Testing

/// The committed fixtures against what LIEF and apple-platform-py read in them (`testdata/read-facts.py`).
struct DemoFactsTests {
    struct Facts: Decodable {
        struct Code: Decodable {
            struct Slice: Decodable {
                var architecture: String
                var cdhash: String
                var flags: String
                var identifier: String
                var pageSize: Int
                var pages: Int
                var platform: String
                var version: String
            }
            var bundleIdentifier: String?
            var executable: String
            var kind: String
            var path: String
            var slices: [Slice]
        }
        var code: [Code]
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "testdata")

    @Test(arguments: ["Demo.ipa", "DemoFat.ipa", "DemoMac.zip"])
    func fixture(_ name: String) async throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "demo-facts.json"))
        let facts = try #require(try JSONDecoder().decode([String: Facts].self, from: data)[name])
        let report = try await Verifier().verify(Self.folder.appending(path: name).path)
        #expect(report.ids == [])
        #expect(report.isSealed == true)
        #expect(report.codesignName == "valid")
        #expect(report.coverage.allSatisfy { $0.coverage.isComplete && $0.isValidAlone })

        let printed = JSONWriter.document(report.json)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(printed)) as? [String: Any])
        let verdict = try #require(object["verdict"] as? [String: Any])
        #expect(verdict["sealed"] as? Bool == true)
        let listed = try #require(object["code"] as? [[String: Any]])
        #expect(listed.compactMap { $0["path"] as? String }.sorted() == facts.code.map(\.path).sorted())
        for expected in facts.code {
            let code = try #require(listed.first { $0["path"] as? String == expected.path })
            #expect(code["kind"] as? String == expected.kind)
            #expect(code["executablePath"] as? String == expected.executable)
            if let identifier = expected.bundleIdentifier { #expect(code["identifier"] as? String == identifier) }
            let slices = try #require(code["slices"] as? [[String: Any]])
            #expect(slices.count == expected.slices.count)
            for (slice, wanted) in zip(slices, expected.slices) {
                #expect(slice["architecture"] as? String == wanted.architecture)
                #expect(slice["cdhash"] as? String == wanted.cdhash)
                #expect(slice["flags"] as? String == wanted.flags)
                #expect(slice["identifier"] as? String == wanted.identifier)
                #expect(slice["pageSize"] as? Int == wanted.pageSize)
                #expect(slice["pages"] as? Int == wanted.pages)
                #expect(slice["platform"] as? String == wanted.platform)
                #expect(slice["version"] as? String == wanted.version)
                #expect(slice["signature"] as? String == "adhoc")
            }
        }
    }
}
