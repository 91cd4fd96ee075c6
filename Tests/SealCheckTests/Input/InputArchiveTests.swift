import Foundation
import Testing

@testable import SealCheck

/// What is found in an archive to be judged, or said of it instead.
@Suite struct InputArchiveTests {
    /// What became of an archive: its kind and root, or the problem's identifier.
    func outcome(_ name: String, _ bytes: [UInt8]) throws -> String {
        let folder = try ScratchFolder()
        let path = try folder.write(name, bytes)
        do throws(InputProblem) {
            let input = try openInput(path)
            return "\(input.kind.rawValue) \(input.root)"
        } catch {
            #expect(error.message.hasSuffix("."), "\(error)")
            return error.id
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file = "App.ipa"
        var entries: [ZipWriter.Entry]
        var outcome: String

        init(_ what: String, in file: String = "App.ipa", _ entries: [ZipWriter.Entry], _ outcome: String) {
            self.testDescription = what
            self.file = file
            self.entries = entries
            self.outcome = outcome
        }
    }

    @Test(arguments: [
        Row("as it should be", [.init("Payload/App.app/App")], "ipa Payload/App.app"),
        Row("the name decides nothing", in: "App.zip", [.init("Payload/App.app/App")], "ipa Payload/App.app"),
        Row("no suffix at all", in: "App", [.init("Payload/App.app/App")], "ipa Payload/App.app"),
        Row(
            "Finder's leftovers come first",
            [
                .init("Payload/"), .init("Payload/.DS_Store"), .init("Payload/readme.txt"),
                .init("Payload/._App.app"), .init("__MACOSX/Payload/._App.app"), .init("Payload/App.app/"),
            ], "ipa Payload/App.app"),
        Row(
            "beside what the store adds",
            [.init("iTunesMetadata.plist"), .init("SwiftSupport/x"), .init("Symbols/"), .init("Payload/App.app/App")],
            "ipa Payload/App.app"),
        Row(
            "an app beside Payload is not the app", [.init("Other.app/x"), .init("Payload/App.app/App")],
            "ipa Payload/App.app"),
        Row(
            "a payload beside Payload", [.init("payload/Other.app/x"), .init("Payload/App.app/App")],
            "ipa Payload/App.app"),
        Row("name in UTF-8 without bit 11", [.init("Payload/А.app/x")], "ipa Payload/А.app"),
        Row("two apps", [.init("Payload/A.app/x"), .init("Payload/B.app/x")], "several-apps"),
        Row("two apps that differ by case", [.init("Payload/A.app/x"), .init("Payload/a.APP/x")], "several-apps"),
        Row("an app and a file of that suffix", [.init("Payload/A.app/x"), .init("Payload/B.app")], "several-apps"),
        Row("a folder named as AppleDouble", [.init("Payload/A.app/x"), .init("Payload/._B.app/x")], "several-apps"),
        Row("suffix in another case", [.init("Payload/App.App/x")], "app-suffix-in-wrong-case"),
        Row("suffix alone", [.init("Payload/.app/x")], "no-app-in-payload"),
        Row("a file for an app", [.init("Payload/App.app")], "app-is-no-folder"),
        Row("a link for an app", [.link("Payload/App.app", to: "/Applications/App.app")], "app-is-no-folder"),
        Row("empty Payload", [.init("Payload/")], "no-app-in-payload"),
        Row("no app in it", [.init("Payload/App.appex/x"), .init("Payload/y")], "no-app-in-payload"),
        Row("a file named Payload", [.init("Payload", "x")], "no-payload"),
        Row("nothing", [], "empty-archive"),
        Row("something else", [.init("readme.txt"), .init("src/main.c")], "no-payload"),
        Row("wrong case", [.init("payload/App.app/App")], "payload-in-wrong-case"),
        Row("one level down", [.init("MyApp/Payload/App.app/App")], "nested-payload"),
        Row("in an app's resources", [.init("a/b/Payload/App.app/App")], "no-payload"),
        Row(
            "back-slashes", [.init(#"Payload\App.app\App"#), .init(#"Payload\App.app\Info.plist"#)], "backslash-names"),
        Row("leading dots", [.init("./Payload/App.app/App")], "no-usable-names"),
        Row("absolute", [.init("/Payload/App.app/App")], "no-usable-names"),
        Row("bundle at the top", [.init("App.app/App")], "bundle-at-top-of-ipa"),
        Row("bundle at the top, other case of .ipa", in: "A.IPA", [.init("App.app/App")], "bundle-at-top-of-ipa"),
        Row("bundle at the top of a zip", in: "a.zip", [.init("App.app/App"), .init("__MACOSX/x")], "zip App.app"),
        Row("framework at the top of a zip", in: "a.zip", [.init("A.framework/A")], "zip A.framework"),
        Row("beside notes", in: "a.zip", [.init("A.appex/A"), .init("LICENSE"), .init("A.dSYM/x")], "zip A.appex"),
        Row("two bundles at the top", in: "a.zip", [.init("A.app/A"), .init("B.app/B")], "several-apps"),
        Row("wrong case at the top", in: "a.zip", [.init("A.APP/A")], "app-suffix-in-wrong-case"),
        Row("inside of a bundle", in: "a.zip", [.init("Info.plist"), .init("App")], "inside-of-bundle"),
    ])
    func archive(_ row: Row) throws {
        #expect(try outcome(row.file, ZipWriter(row.entries).bytes()) == row.outcome)
    }

    @Test func notesAndKinds() throws {
        let folder = try ScratchFolder()
        let zip = try openInput(try folder.write("a.zip", ZipWriter.archive(.init("App.app/App"))))
        #expect(zip.notes == [.bundleAtTop("App.app")])
        #expect(zip.notes.first?.id == "bundle-at-top")
        let ipa = try openInput(try folder.write("a.ipa", ZipWriter.archive(.init("Payload/App.app/App"))))
        #expect(ipa.notes == [])
        #expect(Input.Kind.allCases.map(\.rawValue) == ["ipa", "zip", "bundle", "file", "xcarchive"])
    }

    /// Faults of names are findings beside an app that can be judged, not problems.
    @Test func hostileNamesBesideAnApp() throws {
        let folder = try ScratchFolder()
        let input = try openInput(
            try folder.write(
                "a.ipa",
                ZipWriter.archive(
                    .init("../evil"), .init("/evil"), .init(#"Payload\x"#), .init("Payload/App.app/App"),
                    .init("Payload/App.app/App"))))
        #expect(input.root == "Payload/App.app")
        #expect(
            input.tree.faults.map(\.kind) == [
                .climbingName, .absoluteName, .backslashName, .duplicateName(sameContents: true),
            ])
    }

    @Test func archivesThatAreNone() throws {
        let zip = ZipWriter.archive(.init("Payload/App.app/App", "contents"))
        #expect(try outcome("a.ipa", []) == "empty-file")
        #expect(try outcome("a.ipa", Array("xar!".utf8) + pattern(100)) == "not-an-app")
        #expect(try outcome("a.ipa", Array("hello".utf8)) == "not-an-app")
        #expect(try outcome("a.ipa", Array(zip.dropLast(1))) == "malformed-archive")
        #expect(try outcome("a.ipa", Array(zip.prefix(40))) == "malformed-archive")
        #expect(try outcome("a.ipa", Array("#!/bin/sh\n".utf8) + zip) == "malformed-archive")
        var stub = ZipWriter([.init("Payload/App.app/App")])
        stub.prefix = Array("#!/bin/sh\n".utf8)
        #expect(try outcome("a.ipa", stub.bytes()) == "ipa Payload/App.app")
        #expect(InputProblem.notAnApp(seen: "a xar archive (a macOS .pkg)").message.contains("macOS .pkg"))
    }

    @Test func everyPrefixOfAnArchive() throws {
        let folder = try ScratchFolder()
        let zip = ZipWriter.archive(.init("Payload/App.app/App", "contents"))
        for count in 0..<zip.count {
            let path = try folder.write("a.ipa", Array(zip.prefix(count)))
            #expect(throws: InputProblem.self, "\(count)") { try openInput(path) }
        }
        #expect(throws: Never.self) { try openInput(try folder.write("a.ipa", zip)) }
    }

    @Test func limits() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("a.ipa", ZipWriter.archive(.init("Payload/App.app/App")))
        try folder.write("A.app/b/c", "c")
        var limits = Limits.standard
        limits.entries = 2
        let exceeded = #expect(throws: InputProblem.self) { try openInput(path, limits: limits) }
        #expect(exceeded?.id == "limit-exceeded")
        #expect(exceeded?.message == "It exceeds a limit: 3 entries in the input, where 2 are allowed.")
        #expect(throws: InputProblem.limitExceeded(.init("entries in the input", value: 3, limit: 2))) {
            try openInput(folder("A.app"), limits: limits)
        }
    }
}
