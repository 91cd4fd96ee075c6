import TestSupport
import Testing

@Suite struct SealingTests {
    static let demos: [(name: String, bundle: BundleBuilder)] = [
        ("standard", Demo.standard), ("fat", Demo.fat), ("dual", Demo.dual), ("mac", Demo.mac),
    ]

    @Test(arguments: demos.indices) func buildsAreTheSameEachTime(_ index: Int) throws {
        let demo = Self.demos[index].bundle
        #expect(try demo.sealed().tree == demo.sealed().tree)
    }

    /// A fault that leaves the bundle as it was would be a test of nothing.
    @Test(arguments: demos.indices) func everyFaultChangesSomething(_ index: Int) throws {
        let demo = Self.demos[index].bundle
        let untouched = try demo.sealed().tree
        let rows = FaultCase.all(in: demo)
        #expect(Set(rows.map(\.description)).count == rows.count)
        // One place is enough for each fault: what differs between places is tested below.
        let firsts = Fault.allCases.compactMap { fault in rows.first { $0.fault == fault } }
        for row in firsts { #expect(try row.build(from: demo).tree != untouched, "\(row)") }
    }

    @Test(arguments: BlobFault.all) func everyBlobFaultChangesTheCodeAndItsSeals(_ fault: BlobFault) throws {
        let untouched = try Demo.everyBlob.sealed()
        let damaged = try fault.build(from: Demo.everyBlob, at: "PlugIns/Widget.appex")
        #expect(
            untouched.tree.paths.filter { untouched.tree[$0] != damaged.tree[$0] } == [
                "Demo", "PlugIns/Widget.appex/Widget", "_CodeSignature/CodeResources",
            ])
        let code: RawPath = "PlugIns/Widget.appex/Widget"
        // Only what lies in the CodeDirectory is part of its hash.
        #expect(try (untouched.cdhash(of: code) == damaged.cdhash(of: code)) == (fault.kind != .unhashed))
    }

    @Test func everyFaultAppliesSomewhere() {
        let seen = Set(Self.demos.flatMap { FaultCase.all(in: $0.bundle).map(\.fault) })
        #expect(seen == Set(Fault.allCases))
    }

    /// With fresh seals around it only the object itself differs; with stale ones nothing else differs either.
    @Test func staleSealsStayAsTheyWere() throws {
        let untouched = try Demo.standard.sealed().tree
        let row = FaultCase(.pageFlipped, at: "PlugIns/Widget.appex", rebuilding: .none)
        let damaged = try row.build(from: Demo.standard).tree
        #expect(untouched.paths.filter { untouched[$0] != damaged[$0] } == ["PlugIns/Widget.appex/Widget"])
        let around = try FaultCase(row.fault, at: row.path, rebuilding: .all).build(from: Demo.standard).tree
        #expect(
            untouched.paths.filter { untouched[$0] != around[$0] } == [
                "Demo", "PlugIns/Widget.appex/Widget", "_CodeSignature/CodeResources",
            ])
    }

    @Test func sealsCanBeRebuiltFromOneLevelOn() throws {
        let core: RawPath = "Frameworks/Kit.framework/Frameworks/Core.framework"
        let untouched = try Demo.standard.sealed().tree
        let tree = try FaultCase(.pageFlipped, at: core, rebuilding: .above("Frameworks/Kit.framework"))
            .build(from: Demo.standard).tree
        #expect(
            untouched.paths.filter { untouched[$0] != tree[$0] } == [
                "Demo", core / "Core", "_CodeSignature/CodeResources",
            ])
    }

    @Test func editsStrikeAtTheirMoment() throws {
        for (stage, isSealed) in [
            (BundleBuilder.Stage.beforeSealing, true), (.afterSealing, false), (.atTheEnd, false),
        ] {
            var app = Demo.standard
            try app.edit("PlugIns/Widget.appex", stage) { $0.add("late.txt", text: "late") }
            let tree = try app.sealed().tree
            let own = String(
                decoding: try tree.bytes("PlugIns/Widget.appex/_CodeSignature/CodeResources"), as: UTF8.self)
            let outer = String(decoding: try tree.bytes("_CodeSignature/CodeResources"), as: UTF8.self)
            #expect(own.contains("<key>late.txt</key>") == isSealed, "\(stage)")
            #expect(outer.contains("<key>PlugIns/Widget.appex/late.txt</key>") == (stage != .atTheEnd), "\(stage)")
        }
    }

    @Test func placesFollowTheLayout() {
        #expect(
            Demo.standard.places.map(\.treePath.text) == [
                "", "Frameworks/Kit.framework", "Frameworks/Kit.framework/Frameworks/Core.framework",
                "Frameworks/libTools.dylib", "PlugIns/Widget.appex",
            ])
        #expect(
            Demo.mac.places.map { ($0.treePath / $0.executable).text } == [
                "Contents/MacOS/Demo", "Contents/Frameworks/Kit.framework/Versions/A/Kit",
                "Contents/Frameworks/libTools.dylib", "Contents/Helpers/helper",
                "Contents/PlugIns/Widget.appex/Contents/MacOS/Widget",
            ])
    }
}
