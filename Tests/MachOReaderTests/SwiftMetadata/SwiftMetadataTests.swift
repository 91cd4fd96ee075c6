import Foundation
import MachOReader
import Testing

/// Images that a compiler and a linker made (`testdata/make-demo.py`), against what LIEF reads in them.
@Suite struct SwiftMetadataTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "testdata/metadata")

    static func image(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    /// Reads the metadata of a thin file.
    static func read(_ file: [UInt8]) throws -> Parsed<SwiftMetadata>? {
        let image = try MachOImage(parsing: Bytes(file))
        return image.swiftMetadata { range in
            let range = range.clamped(to: 0..<UInt64(file.count))
            return Bytes(Array(file[Int(range.lowerBound)..<Int(range.upperBound)]), origin: range.lowerBound)
        }
    }

    @Test(arguments: ["arm64-chained", "arm64-classic", "arm64e-chained", "x86_64-chained", "x86_64-classic"])
    func conformances(_ name: String) throws {
        let metadata = try #require(try Self.read(try Self.image(name))?.value)
        let found = Dictionary(uniqueKeysWithValues: metadata.types.map { ($0.rawValue, $1.sorted()) })
        let facts = try JSONDecoder().decode(
            [String: [String: [String]]].self, from: Data(contentsOf: Self.folder.appending(path: "facts.json")))
        #expect(found == facts[name])
        // What the source says: testdata/demo/metadata/Shop.swift.
        #expect(
            found == [
                "ActivityKit.ActivityAttributes": [
                    "DeliveryAttributes", "HiddenAttributes", "Meal", "Order.Attributes", "Order.Late.Attributes",
                    "Plate.Attributes", "Wrapped",
                ],
                "AppIntents.LiveActivityIntent": ["PauseIntent"],
                "SwiftUI.Widget": ["ShopWidget"],
            ])
        #expect(metadata.unreadable == 0)
        #expect(metadata.conformances >= 11)
    }

    @Test(arguments: ["arm64-chained", "arm64-classic", "arm64e-chained"])
    func everyPrefixAndDamagedLinkEditEndsWithoutTypesInvented(_ name: String) throws {
        let whole = try Self.image(name)
        let known = try #require(try Self.read(whole)?.value)
        func check(_ file: [UInt8]) {
            guard let metadata = (try? Self.read(file))??.value else { return }
            for (conformed, types) in metadata.types {
                #expect(types.isSubset(of: known.types[conformed] ?? []))
            }
            // What is not found is missed knowingly.
            if metadata.types != known.types { #expect(metadata.unreadable > 0 || metadata.conformances == 0) }
        }
        for end in stride(from: 0, to: whole.count, by: 509) { check(Array(whole[..<end])) }
    }

    @Test func eachByteOfTheFixupsMayBeWrong() throws {
        for name in ["arm64-chained", "arm64-classic"] {
            let whole = try Self.image(name)
            let image = try MachOImage(parsing: Bytes(whole))
            let linkEdit = try #require(image.segments.compactMap(\.value).first { $0.name == "__LINKEDIT" })
            let start = Int(linkEdit.fileOffset)
            for offset in start..<min(start + 1_500, whole.count) {
                for value: UInt8 in [0, 0xff, whole[offset] ^ 0x80] {
                    var file = whole
                    file[offset] = value
                    // Whatever comes of it: it ends, and without a trap.
                    _ = try Self.read(file)
                }
            }
        }
    }

    @Test func plainCodeHasNone() throws {
        // The demo's C library.
        let file = try Self.image("arm64-chained")
        #expect(try Self.read(file) != nil)
        // Without the sections of Swift's metadata there is nothing to read.
        var bare = file
        let pattern = Array("__swift5_".utf8)
        for index in bare.indices.dropLast(pattern.count) where Array(bare[index..<(index + pattern.count)]) == pattern
        {
            bare[index + 2] = UInt8(ascii: "X")
        }
        #expect(try Self.read(bare) == nil)
    }
}
