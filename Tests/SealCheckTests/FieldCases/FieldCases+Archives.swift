import Foundation
import SealCheck
import TestSupport
import Testing

/// Archives, and the way from a folder into one.
extension FieldCases {
    /// Judges an archive of the demo with edited entries.
    static func archive(
        named name: String = "Demo.ipa", of app: BundleBuilder = Demo.standard, payload: RawPath = "Payload",
        _ body: (inout ZipBuilder) throws -> Void = { _ in }
    ) async throws -> Report {
        var zip = try app.sealed().archive(payload: payload)
        try body(&zip)
        return try await file(name, zip.build())
    }

    static func file(_ name: String, _ bytes: [UInt8]) async throws -> Report {
        let folder = try TemporaryFolder()
        return try await Verifier().verify(try folder.write(name, bytes).path(percentEncoded: false))
    }

    /// Exit 3, with a problem or a finding that says so.
    static func expectUnchecked(_ report: Report, _ id: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(report.outcome == .unchecked, sourceLocation: location)
        #expect(report.exitCode == 3, sourceLocation: location)
        #expect(report.isSealed == nil, sourceLocation: location)
        let ids = (report.problem.map { [$0.id] } ?? []) + report.ids
        #expect(ids == [id], sourceLocation: location)
    }

    @Test("ZIP-01 the executable bit of the main executable is lost")
    func zip01() async throws {
        Self.compare(
            try await Self.archive { try $0.edit("Payload/Demo.app/Demo") { $0.mode = 0o100644 } },
            ["error executable-mode-lost"])
        Self.compare(try await Self.archive(), [])
    }

    @Test("ZIP-04 other files in Payload")
    func zip04() async throws {
        let report = try await Self.archive { zip in
            zip.entries.insert(.file("Payload/.DS_Store", [1]), at: 0)
            zip.entries.insert(.file("Payload/readme.txt", [2]), at: 0)
        }
        Self.compare(report, ["note archive-payload-stray", "note archive-payload-stray"])
    }

    @Test("ZIP-05 two apps in Payload")
    func zip05() async throws {
        let report = try await Self.archive { zip in
            zip.entries += try Demo.standard.sealed().tree.zipEntries(below: "Payload/Other.app")
        }
        Self.expectUnchecked(report, "several-apps")
    }

    @Test("ZIP-06 no Payload, another top folder, another case")
    func zip06() async throws {
        Self.expectUnchecked(try await Self.archive(payload: .root), "bundle-at-top-of-ipa")
        let plain = try await Self.archive(named: "Demo.zip", payload: .root)
        Self.compare(plain, [])
        #expect(plain.notes.count == 1)
        Self.expectUnchecked(try await Self.archive(payload: "MyApp/Payload"), "nested-payload")
        Self.expectUnchecked(try await Self.archive(payload: "payload"), "payload-in-wrong-case")
        var app = Demo.standard
        app.name = "Demo.App"
        Self.expectUnchecked(try await Self.archive(of: app), "app-suffix-in-wrong-case")
    }

    @Test("ZIP-08 back-slashes as separators")
    func zip08() async throws {
        let report = try await Self.archive { zip in
            for index in zip.entries.indices {
                zip.entries[index].name = zip.entries[index].name.map {
                    $0 == UInt8(ascii: "/") ? UInt8(ascii: "\\") : $0
                }
            }
        }
        Self.expectUnchecked(report, "backslash-names")
    }

    @Test("ZIP-09 UTF-8 names without the bit that says so")
    func zip09() async throws {
        let report = try await Self.archive { zip in
            for index in zip.entries.indices { zip.entries[index].isUTF8 = false }
        }
        Self.compare(report, [])
    }

    @Test("ZIP-11 other compression methods, and encryption")
    func zip11() async throws {
        let other = try await Self.archive {
            try $0.edit("Payload/Demo.app/Assets.car") { $0.overrideBoth { $0.method = 99 } }
        }
        Self.expectUnchecked(other, "unchecked-compression-method")
        let encrypted = try await Self.archive { try $0.edit("Payload/Demo.app/Assets.car") { $0.isEncrypted = true } }
        Self.expectUnchecked(encrypted, "unchecked-encrypted-entry")
    }

    @Test("ZIP-12 zip64 records")
    func zip12() async throws {
        let report = try await Self.archive { zip in
            zip.isZip64 = true
            for index in zip.entries.indices { zip.entries[index].isZip64 = true }
        }
        Self.compare(report, [])
    }

    @Test("ZIP-13 two entries of one name")
    func zip13() async throws {
        Self.compare(
            try await Self.archive { $0.entries.append(.file("Payload/Demo.app/Assets.car", [1, 2, 3])) },
            ["error archive-duplicate-name"])
        let same = try await Self.archive { zip in
            zip.entries.append(zip.entries[try zip.index(of: "Payload/Demo.app/Assets.car")])
        }
        Self.compare(same, ["warning archive-repeated-entry"])
        var app = Demo.standard
        app.files.add("assets.CAR", text: "twin")
        Self.compare(try await Self.archive(of: app), ["warning name-twins"])
    }

    @Test("ZIP-16 names that Windows cannot hold")
    func zip16() async throws {
        var app = Demo.standard
        app.files.add("a:b.txt", text: "x")
        Self.compare(try await Self.archive(of: app), [])
    }

    @Test("ZIP-17 Finder's residue")
    func zip17() async throws {
        Self.compare(
            try await Self.archive { $0.entries.append(.file("__MACOSX/Payload/._Demo.app", [0, 5, 22, 7])) },
            ["warning archive-macosx-folder"])
        Self.compare(
            try await Self.archive { $0.entries.append(.file("Payload/Demo.app/._Info.plist", [0, 5, 22, 7])) },
            ["error resource-added"])
        Self.compare(
            try await Self.archive { $0.entries.insert(.file("Payload/._Demo.app", [0, 5, 22, 7]), at: 0) },
            ["note archive-payload-stray"])
    }

    @Test("ZIP-19 not a zip at all")
    func zip19() async throws {
        let xar = try await Self.file("x.ipa", Array("xar!".utf8) + [0, 28, 0, 1] + CodeBytes.make(200, seed: 8))
        Self.expectUnchecked(xar, "not-an-app")
        #expect(xar.problem?.message.contains("xar") == true)
        Self.expectUnchecked(try await Self.file("x.ipa", []), "empty-file")
    }

    @Test("ZIP-20 an empty scan is never fine")
    func zip20() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.appending("Empty.app"), withIntermediateDirectories: true)
        let report = try await Verifier().verify(folder.appending("Empty.app").path(percentEncoded: false))
        #expect(report.outcome != .pass)
    }

    @Test("ZIP-21 an archive made by ditto, with AppleDouble entries")
    func zip21() async throws {
        Self.compare(
            try await Self.archive {
                $0.entries.append(.file("Payload/Demo.app/data/._settings.json", [0, 5, 22, 7]))
            },
            ["error resource-added"])
        var app = Demo.standard
        app.files.add("data/._settings.json", [0, 5, 22, 7])
        Self.compare(try await Self.archive(of: app), [])
    }

    @Test("ZIP-22 files beside Payload")
    func zip22() async throws {
        Self.compare(
            try await Self.archive { $0.entries.append(.file("entitlements.plist", [1])) },
            ["warning archive-foreign-entry"])
        Self.compare(
            try await Self.archive { zip in
                zip.entries.append(.file("SwiftSupport/iphoneos/libswiftCore.dylib", [1]))
                zip.entries.append(.file("iTunesMetadata.plist", [1]))
            }, [])
    }

    @Test("ZIP-23 entries with mode 0")
    func zip23() async throws {
        let report = try await Self.archive { zip in
            for index in zip.entries.indices where zip.entries[index].mode.map({ $0 & 0o170000 == 0o100000 }) ?? false {
                zip.entries[index].mode = 0
            }
        }
        // Both main executables are reported, beside the modes that are missing everywhere.
        Self.compare(
            report, ["error executable-mode-lost", "error executable-mode-lost", "warning archive-modes-missing"])
    }

    @Test("INST-05 fine in the folder, packed differently")
    func inst05() async throws {
        try await Self.expect(Demo.standard, [])
        // A packer that follows links and leaves files out.
        let report = try await Self.archive { zip in
            try zip.edit("Payload/Demo.app/data/latest.json") {
                $0.mode = 0o100644
                $0.contents = Array("{\"volume\": 11}\n".utf8)
            }
            zip.entries.remove(at: try zip.index(of: "Payload/Demo.app/Assets.car"))
        }
        Self.compare(report, ["error resource-missing", "error symlink-became-file"])
    }
}
