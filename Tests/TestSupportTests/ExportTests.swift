import Foundation
import TestSupport
import Testing

/// Writes the demo bundles into the folder that `SEALCHECK_EXPORT` names, for a look at them with other tools.
@Suite struct ExportTests {
    static let folder = ProcessInfo.processInfo.environment["SEALCHECK_EXPORT"]

    static let demos: [(name: String, bundle: BundleBuilder)] = [
        ("standard", Demo.standard), ("fat", Demo.fat), ("dual", Demo.dual), ("mac", Demo.mac),
        ("blobs", Demo.everyBlob),
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

    @Test(.enabled(if: folder != nil)) func exportsImages() throws {
        var tree = FileTree()
        let cpus: [CPU] = [
            .arm64, .arm64e, .arm64_32, .armv7, .armv7s, .armv7k, .x86_64, .x86_64h, .i386, .ppc, .ppc64,
        ]
        for (index, cpu) in cpus.enumerated() {
            var image = MachOBuilder.executable(seed: 7)
            image.cpu = cpu
            image.rpaths = ["@executable_path/Frameworks", "@loader_path/x"]
            image.importedSymbols = ["_malloc", "_free"]
            image.encryption = .init(cryptID: 0)
            image.sections = [.init("__info_plist", Demo.standard.info.encoded())]
            image.signature?.directories[0].pageSizeLog2 = UInt8(index.isMultiple(of: 2) ? 12 : 14)
            tree.add("cpu-\(index)", try image.build())
            image.target = .versionMin(command: LC.versionMinIPhoneOS, minimum: "9.0", sdk: "9.0")
            image.signature = nil
            tree.add("unsigned-\(index)", try image.build())
        }
        for version in [0x20001, 0x20100, 0x20200, 0x20300, 0x20400, 0x20500, 0x20600] as [UInt32] {
            var image = MachOBuilder.dylib("@rpath/lib.dylib")
            image.signature?.directories[0].version = version
            image.signature?.directories[0].teamID = "TEAM123456"
            image.signature?.directories[0].runtimeVersion = 0x100100
            image.signature?.directories[0].hasPreEncryptHashes = true
            image.signature?.directories[0].scatter = [.init(count: 9)]
            image.signature?.directories[0].linkage = .init(hashType: 2, data: [1, 2, 3])
            tree.add("version-\(String(version, radix: 16))", try image.build())
        }
        for hash in [Sha.sha1, .sha256, .sha256Truncated, .sha384] {
            var image = MachOBuilder.loadable()
            image.signature = SignatureBuilder([hash])
            tree.add("hash-\(hash)", try image.build())
        }
        for size in [0, 10, 12, 14, 16] as [UInt8] {
            var image = MachOBuilder.executable()
            image.signature?.directories[0].pageSizeLog2 = size
            tree.add("pages-\(size)", try image.build())
        }
        var wide = CodeFile(.executable())
        wide.makeUniversal([.x86_64, .arm64e, .arm64, .armv7])
        tree.add("universal", try wide.build())
        wide.arrangeSlices = { $0.magic = UniversalBuilder.magic64 }
        tree.add("universal64", try wide.build())
        tree.add("small", try Demo.smallImage.build())
        var signed = MachOBuilder.executable()
        signed.signature = .certificate([.sha1, .sha256])
        tree.add("certificate", try signed.build())
        try tree.write(to: URL(fileURLWithPath: try #require(Self.folder)).appendingPathComponent("images"))
        var app = Demo.standard
        app.nest(Demo.watch, in: "Watch")
        try app.sealed().write(to: URL(fileURLWithPath: try #require(Self.folder)).appendingPathComponent("watch"))
    }
}
