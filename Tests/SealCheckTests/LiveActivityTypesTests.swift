import Foundation
import SealCheck
import TestSupport
import Testing

/// App and widget with the code of `testdata/metadata`, types renamed on one side. The images are put in after the
/// sealing, so of all findings only those of the family are looked at.
@Suite struct LiveActivityTypesTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "testdata/metadata")

    /// The image with names replaced by others of the same length.
    static func image(_ names: [String: String] = [:], _ form: String = "arm64-chained") throws -> [UInt8] {
        var bytes = Array(try Data(contentsOf: folder.appending(path: form)))
        for (name, other) in names {
            let (old, new) = (Array(name.utf8) + [0], Array(other.utf8) + [0])
            try #require(old.count == new.count)
            var found = false
            var index = 0
            while index + old.count <= bytes.count {
                if bytes[index] == old[0], bytes[index..<(index + old.count)].elementsEqual(old) {
                    bytes.replaceSubrange(index..<(index + old.count), with: new)
                    found = true
                }
                index += 1
            }
            try #require(found)
        }
        return bytes
    }

    /// `severity identifier path actual` of the family's findings.
    static func judge(
        app: [UInt8]?, widget: [UInt8]?, requiring required: [RequiredThing] = [],
        _ edit: (inout BundleBuilder) throws -> Void = { _ in }
    ) async throws -> [String] {
        var demo = Demo.standard
        try edit(&demo)
        if let app { demo.edit(.atTheEnd) { $0.add("Demo", app, mode: 0o755) } }
        if let widget { demo.edit(.atTheEnd) { $0.add("PlugIns/Widget.appex/Widget", widget, mode: 0o755) } }
        var verifier = Verifier()
        verifier.required = required
        let report = try await verifier.verify(try demo.sealed())
        return report.findings.filter { Catalogue.row($0.finding.id)?.family == .liveActivityTypes }.map {
            let expected = $0.finding.evidence.expected.map { " \($0)" } ?? ""
            return "\($0.severity) \($0.finding.id) \($0.finding.subject.path)\(expected)"
        }.sorted()
    }

    @Test func sameTypesOnBothSides() async throws {
        #expect(try await Self.judge(app: Self.image(), widget: Self.image()) == [])
        #expect(try await Self.judge(app: Self.image(), widget: Self.image([:], "arm64-classic")) == [])
        #expect(try await Self.judge(app: Self.image(), widget: Self.image(), requiring: [.liveActivity]) == [])
    }

    @Test func attributesOnOneSideOnly() async throws {
        let renamed = try Self.image(["DeliveryAttributes": "ReliveryAttributes"])
        let both = [
            "warning live-activity-type-missing Demo.app/Demo ReliveryAttributes",
            "warning live-activity-type-missing Demo.app/PlugIns/Widget.appex/Widget DeliveryAttributes",
        ]
        #expect(try await Self.judge(app: Self.image(), widget: renamed) == both)
        let required = try await Self.judge(app: Self.image(), widget: renamed, requiring: [.liveActivity])
        #expect(required == both.map { $0.replacing("warning", with: "error") })
        // Renamed on both sides, it is a type of both.
        #expect(try await Self.judge(app: renamed, widget: renamed) == [])
    }

    @Test func intentsOnOneSideOnly() async throws {
        let renamed = try Self.image(["PauseIntent": "CauseIntent"])
        #expect(
            try await Self.judge(app: Self.image(), widget: renamed) == [
                "note live-activity-intent-only-in-app Demo.app/PlugIns/Widget.appex/Widget PauseIntent",
                "warning live-activity-intent-missing Demo.app/Demo CauseIntent",
            ])
    }

    @Test func nothingIsClaimedOfWhatCannotBeRead() async throws {
        // The app's own fixture holds no Swift at all.
        #expect(
            try await Self.judge(app: Self.image(), widget: nil)
                == ["note swift-metadata-unreadable Demo.app/PlugIns/Widget.appex/Widget"])
        #expect(
            try await Self.judge(app: nil, widget: Self.image()) == ["note swift-metadata-unreadable Demo.app/Demo"])
        // Neither side has any: nothing is promised, nothing is said, unless it was asked for.
        #expect(try await Self.judge(app: nil, widget: nil) == [])
        #expect(
            try await Self.judge(app: nil, widget: nil, requiring: [.liveActivity])
                == ["note swift-metadata-unreadable Demo.app/Demo"])
        // A format of symbols that nobody has documented.
        var compressed = try Self.image()
        let place = try #require(Self.fixups(in: compressed))
        compressed[place + 24] = 1
        #expect(
            try await Self.judge(app: compressed, widget: Self.image()) == [
                "note swift-metadata-unreadable Demo.app/Demo"
            ])
    }

    @Test func aWidgetWithoutWidget() async throws {
        // The import that the conformances to Widget are bound to gets another name.
        let none = try Self.image(["_$s7SwiftUI6WidgetMp": "_$s7SwiftUI6GadgetMp"])
        #expect(
            try await Self.judge(app: Self.image(), widget: none) == [
                "warning widget-type-missing Demo.app/PlugIns/Widget.appex/Widget SwiftUI.Widget"
            ])
        #expect(
            try await Self.judge(app: none, widget: Self.image(), requiring: [.widget]) == [])
        #expect(
            try await Self.judge(app: Self.image(), widget: none, requiring: [.widget]) == [
                "error widget-type-missing Demo.app/PlugIns/Widget.appex/Widget SwiftUI.Widget"
            ])
    }

    /// The file offset that LC_DYLD_CHAINED_FIXUPS names.
    private static func fixups(in file: [UInt8]) -> Int? {
        func word(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(file[offset + $1]) << (8 * $1) } }
        var place = 32
        for _ in 0..<word(16) {
            if word(place) == 0x8000_0034 { return Int(word(place + 8)) }
            place += Int(word(place + 4))
        }
        return nil
    }

    @Test func adviceAfterAPassThatWasAskedFor() async throws {
        var verifier = Verifier()
        #expect(try await verifier.verify(try Demo.standard.sealed()).advice == [])
        verifier.required = [.liveActivity]
        let report = try await verifier.verify(try Demo.standard.sealed())
        #expect(report.outcome == .pass)
        #expect(report.advice.joined().contains("lock screen"))
        #expect(report.advice.joined().contains("Settings"))
        let broken = try FaultCase(.pageFlipped, at: "PlugIns/Widget.appex").build(from: Demo.standard)
        #expect(try await verifier.verify(broken).advice == [])
    }
}
