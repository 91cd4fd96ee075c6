import CLibZip
import Foundation
import TestSupport
import Testing

/// Archives are read back with libzip, and unpacked by it.
@Suite struct ArchiveTests {
    static let contents: [RawPath: [UInt8]] = [
        "empty": [],
        "one": [7],
        "text": Array("she sells sea shells by the sea shore".utf8),
        "random": CodeBytes.make(20_000),
        "zeros": [UInt8](repeating: 0, count: 200_000),
        "repeats": Array(repeatElement(Array("abcdefghij".utf8), count: 5000).joined()),
    ]

    @Test(arguments: [ZipEntry.Packing.stored, .deflated, .deflatedBlocks], [false, true])
    func readBack(_ packing: ZipEntry.Packing, isZip64: Bool) throws {
        var zip = ZipBuilder(Self.contents.sorted { $0.key < $1.key }.map { .file($0.key, $0.value) })
        for index in zip.entries.indices {
            zip.entries[index].packing = packing
            zip.entries[index].isZip64 = isZip64
            zip.entries[index].hasDataDescriptor = index.isMultiple(of: 2)
        }
        zip.isZip64 = isZip64
        zip.comment = Array("a comment".utf8)
        try check(zip)
    }

    @Test func aPrefixIsCounted() throws {
        var zip = ZipBuilder([.file("one", [7])])
        zip.prefix = CodeBytes.make(1000)
        try check(zip)
    }

    @Test func repeatsAreCompressed() {
        var entry = ZipEntry.file("zeros", [UInt8](repeating: 0, count: 200_000))
        entry.packing = .deflated
        #expect(ZipBuilder([entry]).build().count < 3000)
    }

    @Test func namesMayBeAnything() throws {
        let names: [[UInt8]] = [[0xFF, 0xFE], Array("..\\up".utf8), Array("/root".utf8), Array("図".utf8)]
        let zip = ZipBuilder(names.map { ZipEntry(name: $0, contents: [1], mode: nil) })
        #expect(zip.entries.map(\.isUTF8) == [false, false, false, true])
        let archive = try open(zip)
        defer { zip_discard(archive) }
        for (index, name) in names.enumerated() {
            let read = try #require(zip_get_name(archive, UInt64(index), UInt32(ZIP_FL_ENC_RAW)))
            #expect(Array(UnsafeBufferPointer(start: read, count: strlen(read))).map(UInt8.init(bitPattern:)) == name)
        }
    }

    private func open(_ zip: ZipBuilder) throws -> OpaquePointer {
        let folder = try TemporaryFolder()
        let place = try folder.write("test.zip", zip.build())
        return try #require(zip_open(place.path, ZIP_RDONLY | Int32(ZIP_CHECKCONS), nil))
    }

    private func check(_ zip: ZipBuilder) throws {
        let archive = try open(zip)
        defer { zip_discard(archive) }
        #expect(zip_get_num_entries(archive, 0) == zip.entries.count)
        for (index, entry) in zip.entries.enumerated() {
            let file = try #require(zip_fopen_index(archive, UInt64(index), 0))
            defer { zip_fclose(file) }
            var bytes = [UInt8](repeating: 0, count: entry.contents.count + 1)
            // libzip compares the CRC when it meets the end, hence one byte more.
            #expect(zip_fread(file, &bytes, UInt64(bytes.count)) == entry.contents.count)
            #expect(bytes.dropLast().elementsEqual(entry.contents))
            var system: UInt8 = 0
            var attributes: UInt32 = 0
            zip_file_get_external_attributes(archive, UInt64(index), 0, &system, &attributes)
            #expect(system == 3)
            #expect(attributes >> 16 == 0o100644)
        }
    }
}
