import Foundation
import SealCheck
import TestSupport
import Testing

/// What a path leads to, and files without a usable signature.
extension ParityConditions {
    static func dylib(_ body: (inout MachOBuilder) throws -> Void = { _ in }) throws -> [UInt8] {
        var dylib = CodeFile.dylib("libTool.dylib")
        try dylib.eachSlice(body)
        return try dylib.build()
    }

    @Test("condition 001: path does not exist")
    func condition001() async throws {
        let scratch = try TemporaryFolder()
        let app = try Demo.standard.sealed().write(to: scratch.url)
        let nothing = try await Verifier().verify(app.path + "-nothing")
        #expect(nothing.codesignName == "StaticCodeNotFound")
        #expect(nothing.problem?.id == "not-found")
        #expect(nothing.outcome == .unchecked)
        let there = try await Verifier().verify(app.path)
        #expect(there.codesignName == "valid")
    }

    @Test("condition 002: path is a directory that CF cannot treat as a bundle, or no executable, Info.plist or .dist")
    func condition002() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.url.appendingPathComponent("folder")
        try FileTree(["a/b.txt": .text("x")]).write(to: folder)
        let plain = try await Verifier().verify(folder.path)
        #expect(plain.codesignName == "BadBundleFormat")
        #expect(plain.problem?.id == "not-a-bundle")
        // A bundle by its name, with nothing that could be its executable.
        let hollow = SealedBundle(name: "Hollow.app", tree: FileTree(["data.txt": .text("x")]))
        let report = try await Self.expect(hollow, "BadBundleFormat", nil)
        #expect(report.outcome == .fail)
        let installer = SealedBundle(name: "Hollow.app", tree: FileTree(["Hollow.dist": .text("x")]))
        try await Self.expect(installer, "Unsigned", nil)
    }

    @Test("condition 003: path is the main executable inside a bundle")
    func condition003() async throws {
        let scratch = try TemporaryFolder()
        for (bundle, executable) in [
            (Demo.standard, "Demo"), (Demo.mac, "Contents/MacOS/Demo"), (Demo.macFramework, "Versions/A/Kit"),
        ] {
            // A fault that only the bundle as a whole can have.
            var broken = bundle
            let folder: RawPath = bundle.layout == .flat ? "data" : "Resources"
            broken.edit(.atTheEnd) { $0.add(bundle.layout.root / folder / "added.txt", text: "x") }
            let place = try broken.sealed().write(to: scratch.url.appendingPathComponent(UUID().uuidString))
            let inside = place.appendingPathComponent(executable).path
            let report = try await Verifier().verify(inside)
            #expect(report.codesignName == "BadResource", "\(executable)")
            #expect(!report.notes.isEmpty)
            var alone = Verifier()
            alone.fileOnly = true
            let file = try await alone.verify(inside)
            #expect(file.evaluations.count == 1)
            #expect(file.codesignName != "BadResource")
        }
    }

    @Test("condition 004: file is not Mach-O / image / cache")
    func condition004() async throws {
        let scratch = try TemporaryFolder()
        let path = scratch.url.appendingPathComponent("script.sh")
        try Data("#!/bin/sh\n".utf8).write(to: path)
        let report = try await Verifier().verify(path.path)
        #expect(report.codesignName == "Unsigned")
        #expect(report.outcome == .unchecked)
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }

    @Test("condition 006: Mach-O object file, core, dSYM, kext bundle")
    func condition006() async throws {
        for kind: MachOBuilder.Kind in [.object, .core, .dsym] {
            let report = try await Self.expect(file: try Self.dylib { $0.kind = kind }, "Unsigned", [])
            // Nothing here needs a signature, and an empty scan is no pass.
            #expect(report.outcome == .unchecked)
        }
        for kind: MachOBuilder.Kind in [.kextBundle, .bundle, .preload, .dylinker, .execute] {
            try await Self.expect(file: try Self.dylib { $0.kind = kind }, "valid", [])
        }
        // As a bundle's executable it is a generic file too, signed or not.
        let object = try await Self.expect(
            try FieldCases.executable { $0.kind = .object }, "Unsigned", nil)
        #expect(object.codesign?.failure?.architecture == nil)
    }

    @Test("condition 021: no LC_CODE_SIGNATURE")
    func condition021() async throws {
        try await Self.expect(file: try Self.dylib(), "valid", [])
        try await Self.expect(
            file: try Self.dylib { $0.signature = nil }, "Unsigned", architecture: "arm64", ["error unsigned"])
    }

    @Test("condition 020: load command with size 0 or beyond the area")
    func condition020() async throws {
        // The first one may run past the area, which just ends the walk; the second may not.
        for size: UInt32 in [0, 0x7FFF_FFFF, 4] {
            let odd = try Self.dylib { image in
                image.arrangeCommands = { commands in
                    let index = commands.index(commands.startIndex, offsetBy: 1)
                    commands[index].declaredSize = size
                }
            }
            try await Self.expect(file: odd, "ENOEXEC", ["error macho-malformed"])
        }
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }

    @Test("condition 022: two LC_CODE_SIGNATURE")
    func condition022() async throws {
        // The second points at nothing; whoever takes the first sees a right signature.
        let twice = try Self.dylib { image in
            image.arrangeCommands = { commands in
                commands.append(LoadCommandBytes(LC.codeSignature, body: [UInt8](repeating: 0, count: 8)))
            }
        }
        try await Self.expect(file: twice, "valid", ["warning duplicate-signature-command"])
        let first = try Self.dylib { image in
            image.arrangeCommands = { commands in
                let index = commands.firstIndex { $0.command == LC.codeSignature } ?? 0
                commands.insert(
                    LoadCommandBytes(LC.codeSignature, body: [0, 0, 0, 0, 0, 1, 0, 0]), at: index)
            }
        }
        let report = try await Self.expect(file: first, "SignatureInvalid", architecture: "arm64", nil)
        #expect(report.ids.contains("signature-malformed"))
    }

    @Test("condition 023: signature data unreadable, wrong magic, longer than datasize")
    func condition023() async throws {
        let bad = { (body: @escaping @Sendable (inout SuperBlobBuilder) -> Void) in
            try Self.dylib { $0.signature?.arrange = body }
        }
        try await Self.expect(
            file: try bad { $0.magic = 0xFADE_0CC1 }, "SignatureInvalid", architecture: "arm64",
            ["error signature-malformed"])
        try await Self.expect(
            file: try bad { $0.length = 0x0010_0000 }, "SignatureInvalid", architecture: "arm64",
            ["error signature-malformed"])
        let away = try Self.dylib { image in
            image.afterSigning = { bytes in
                try SignedCode.edit(&bytes) { image in
                    let command = try image.command(LC.codeSignature)
                    try image.bytes.overwrite(at: command.offset + 8, with: [0, 0, 0, 0x70])
                }
            }
        }
        let report = try await Self.expect(file: away, "SignatureInvalid", architecture: "arm64", nil)
        #expect(report.ids.contains("signature-malformed"))
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }

    @Test("condition 024: SuperBlob index or sub-blob out of bounds")
    func condition024() async throws {
        for arrange: @Sendable (inout SuperBlobBuilder) throws -> Void in [
            { $0.count = 0x1000 }, { try $0.edit(2) { $0.offset = 4 } }, { try $0.edit(2) { $0.offset = 0x00F0_0000 } },
            { try $0.edit(2) { $0.blob[4...7] = [0x00, 0x10, 0, 0] } },
        ] {
            try await Self.expect(
                file: try Self.dylib { $0.signature?.arrange = arrange }, "SignatureInvalid", architecture: "arm64",
                ["error signature-malformed"])
        }
        // An entry at offset 0 counts as absent.
        let absent = try Self.dylib { $0.signature?.arrange = { try $0.edit(2) { $0.offset = 0 } } }
        try await Self.expect(file: absent, "SignatureFailed", architecture: "arm64", nil)
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }

    @Test("condition 025: duplicate slot types in the SuperBlob")
    func condition025() async throws {
        func twice(_ slot: UInt32, first: Bool) throws -> [UInt8] {
            try Self.dylib { image in
                image.signature?.entitlements = ["a": true]
                image.signature?.arrange = { superBlob in
                    let index = superBlob.entries.firstIndex { $0.type == slot } ?? 0
                    var copy = superBlob.entries[index]
                    copy.blob[copy.blob.count - 1] ^= 1
                    superBlob.entries.insert(copy, at: first ? index : index + 1)
                }
            }
        }
        try await Self.expect(file: try twice(2, first: false), "valid", ["warning duplicate-blob"])
        try await Self.expect(
            file: try twice(5, first: false), "valid", ["warning duplicate-blob", "warning kernel-duplicate-blob"])
        // The first one wins, so that a wrong one there is what is seen.
        let report = try await Self.expect(
            file: try twice(5, first: true), "SignatureFailed", architecture: "arm64", nil)
        #expect(report.ids.contains("entitlements-altered"))
    }

    @Test("condition 026: overlapping sub-blobs or gaps")
    func condition026() async throws {
        // Slot 0x10000 on the bytes of slot 2, which nobody fetches of ad-hoc code.
        let overlap = try Self.dylib { image in
            image.signature?.arrange = { superBlob in
                let directory = superBlob.entries[0].blob.count
                try superBlob.edit(0x10000) { entry in
                    entry.offset = UInt32(12 + 8 * 3 + directory)
                    entry.blob = []
                }
            }
        }
        try await Self.expect(file: overlap, "valid", ["warning overlapping-blobs"])
        let gap = try Self.dylib { $0.signature?.arrange = { try $0.edit(2) { $0.gapBefore = 32 } } }
        try await Self.expect(file: gap, "valid", ["warning blob-gap"])
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }

    @Test("condition 027: unknown slot types")
    func condition027() async throws {
        let unknown = try Self.dylib { image in
            image.signature?.arrange = { $0.entries.append(.init(0x7777, Blob.make(Blob.wrapper, [1, 2, 3]))) }
        }
        let report = try await Self.expect(file: unknown, "valid", nil)
        #expect(report.ids == ["unknown-structure"])
    }

    @Test("condition 028: no slot 0")
    func condition028() async throws {
        let none = try Self.dylib { image in
            image.signature?.arrange = { superBlob in superBlob.entries.removeAll { $0.type == 0 } }
        }
        try await Self.expect(file: none, "Unsigned", architecture: "arm64", ["error unsigned"])
        try await Self.expect(file: try Self.dylib(), "valid", [])
    }
}
