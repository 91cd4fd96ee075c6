import Foundation
import Testing

@testable import SealCheck

/// What a Mach-O file or a folder leads to.
@Suite struct InputBundleTests {
    @Test func machOFiles() throws {
        let folder = try ScratchFolder()
        let input = try openInput(try folder.write("libdemo.dylib", machO))
        #expect(input.kind == .file)
        #expect(input.root == "libdemo.dylib")
        #expect(input.tree.paths == ["libdemo.dylib"])
        #expect(try input.tree.contents("libdemo.dylib") == machO)

        try folder.makeLink("link", to: "libdemo.dylib")
        #expect(try openInput(folder("link")).root == "link")
    }

    /// A Mach-O to one reader, an archive to another.
    @Test func polyglots() throws {
        let folder = try ScratchFolder()
        var writer = ZipWriter([.init("Payload/App.app/App")])
        writer.prefix = machO
        let path = try folder.write("a.ipa", writer.bytes())
        #expect(throws: InputProblem.ambiguousFile) { try openInput(path) }
        #expect(try openInput(path, fileOnly: true).kind == .file)

        // A program that reads archives holds the signature; that makes it no archive.
        let reader = try folder.write("unzip", machO + [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 90))
        #expect(try openInput(reader).kind == .file)
    }

    @Test func mainExecutables() throws {
        let folder = try ScratchFolder()
        try folder.write("Flat.app/Info.plist", infoPlist(naming: "Flat"))
        try folder.write("Flat.app/Flat", machO)
        try folder.write("Flat.app/libother.dylib", machO)
        try folder.write("Flat.app/PlugIns/W.appex/Info.plist", infoPlist(naming: "W"))
        try folder.write("Flat.app/PlugIns/W.appex/W", machO)
        try folder.write("Deep.app/Contents/Info.plist", infoPlist(naming: "Deep"))
        try folder.write("Deep.app/Contents/MacOS/Deep", machO)
        try folder.write("Deep.app/Contents/MacOS/helper", machO)
        try folder.write("V.framework/Versions/A/Resources/Info.plist", infoPlist(naming: "V"))
        try folder.write("V.framework/Versions/A/V", machO)
        try folder.makeLink("V.framework/Versions/Current", to: "A")
        try folder.makeLink("V.framework/V", to: "Versions/Current/V")
        try folder.makeLink("V.framework/Resources", to: "Versions/Current/Resources")
        try folder.write("torn/Info.plist", "nonsense")
        try folder.write("torn/tool", machO)
        try folder.makeLink("elsewhere", to: "Deep.app/Contents/MacOS")

        let bundles = [
            "Flat.app/Flat": "Flat.app", "Flat.app/PlugIns/W.appex/W": "W.appex", "Flat.app/./Flat": "Flat.app",
            "Deep.app/Contents/MacOS/Deep": "Deep.app", "elsewhere/Deep": "Deep.app",
            "V.framework/Versions/A/V": "V.framework", "V.framework/V": "V.framework",
            "V.framework/Versions/Current/V": "V.framework",
        ]
        for (path, name) in bundles {
            let input = try openInput(folder(path))
            #expect(input.kind == .bundle, "\(path)")
            #expect(input.root == BundlePath(name), "\(path)")
            #expect(input.notes == [.bundleOfExecutable(name)], "\(path)")
            let alone = try openInput(folder(path), fileOnly: true)
            #expect(alone.kind == .file, "\(path)")
            #expect(alone.notes == [])
        }
        for path in ["Flat.app/libother.dylib", "Deep.app/Contents/MacOS/helper", "torn/tool"] {
            #expect(try openInput(folder(path)).kind == .file, "\(path)")
        }
    }

    @Test func bundles() throws {
        let folder = try ScratchFolder()
        for name in ["A.app", "A.appex", "A.framework", "A.xctest", "A.xpc", "A.bundle"] {
            try folder.write("\(name)/file", "x")
            for spelling in [name, name + "/", name + "//", "./\(name)", "x.app/../\(name)"] {
                try folder.makeFolder("x.app")
                let input = try openInput(folder(spelling))
                #expect(input.kind == .bundle, "\(spelling)")
                #expect(input.root == BundlePath(name), "\(spelling)")
                #expect(input.tree.paths == [name, "\(name)/file"], "\(spelling)")
            }
        }
        try folder.write("plugin/Info.plist", "x")
        #expect(try openInput(folder("plugin")).root == "plugin")
        try folder.write("deep.prefPane/Contents/Info.plist", "x")
        #expect(try openInput(folder("deep.prefPane")).root == "deep.prefPane")
        try folder.makeFolder("A.app/inner.bundle")
        #expect(throws: InputProblem.emptyFolder) { try openInput(folder("A.app/inner.bundle")) }
    }

    /// The bundle's own name comes first in every path, whatever the way to it was called.
    @Test func namesOfBundles() throws {
        let folder = try ScratchFolder()
        try folder.write("A.app/b/file", "x")
        try folder.makeLink("latest", to: "A.app")
        try folder.makeLink("B.app", to: "A.app")
        #expect(try openInput(folder("A.app/b/..")).root == "A.app")
        #expect(try openInput(folder("A.app/.")).root == "A.app")
        #expect(try openInput(folder("latest")).root == "A.app")
        #expect(try openInput(folder("B.app")).root == "B.app")
    }

    @Test func foldersThatAreNoBundles() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("empty")
        try folder.write("unpacked/Payload/A.app/A", "x")
        try folder.write("build/B.app/B", "x")
        try folder.write("build/A.app/A", "x")
        #expect(throws: InputProblem.notABundle(apps: [])) { try openInput(folder("empty")) }
        #expect(throws: InputProblem.notABundle(apps: ["Payload/A.app"])) { try openInput(folder("unpacked")) }
        #expect(throws: InputProblem.notABundle(apps: ["A.app", "B.app"])) { try openInput(folder("build")) }
        #expect(InputProblem.notABundle(apps: ["A.app"]).hint == "Did you mean “A.app”?")
        #expect(throws: InputProblem.notABundle(apps: [])) { try openInput("/") }
    }

    @Test func xcarchives() throws {
        let folder = try ScratchFolder()
        try folder.write("a.xcarchive/Info.plist", "x")
        try folder.write("a.xcarchive/Products/Applications/A.app/A", "x")
        try folder.write("a.xcarchive/Products/Applications/.DS_Store", "x")
        try folder.write("a.xcarchive/dSYMs/A.app.dSYM/x", "x")
        let input = try openInput(folder("a.xcarchive"))
        #expect(input.kind == .xcarchive)
        #expect(input.root == "A.app")
        #expect(input.tree.paths == ["A.app", "A.app/A"])
        #expect(input.notes == [.appOfXcarchive("Products/Applications/A.app")])

        try folder.makeLink("renamed", to: "a.xcarchive")
        #expect(try openInput(folder("renamed")).kind == .xcarchive, "by looking")

        try folder.write("f.xcarchive/Products/Library/Frameworks/A.framework/A", "x")
        #expect(throws: InputProblem.noAppInXcarchive) { try openInput(folder("f.xcarchive")) }
        try folder.makeFolder("a.xcarchive/Products/Applications/B.app")
        #expect(throws: InputProblem.severalApps(["Products/Applications/A.app", "Products/Applications/B.app"])) {
            try openInput(folder("a.xcarchive"))
        }
    }
}
