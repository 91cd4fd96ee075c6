import TestSupport
import Testing

@Suite struct ImageTests {
    static let cpus: [CPU] = [.arm64, .arm64e, .arm64_32, .armv7, .x86_64, .i386, .ppc, .ppc64]

    @Test(arguments: cpus) func everythingIsWhereItBelongs(_ cpu: CPU) throws {
        var builder = MachOBuilder.executable()
        builder.cpu = cpu
        builder.trailing = []
        let image = try SignedImage(try builder.build())
        let signature = try image.signatureRange()
        #expect(signature.upperBound == image.bytes.count)
        #expect(signature.lowerBound.isMultiple(of: 16))
        let linkedit = try image.segment("__LINKEDIT")
        let offset = linkedit.offset + (cpu.is64Bit ? 40 : 32)
        let start =
            cpu.is64Bit ? Int(try image.bytes.load(UInt64.self, at: offset, cpu.endian)) : try image.load32(offset)
        let size =
            cpu.is64Bit
            ? Int(try image.bytes.load(UInt64.self, at: offset + 8, cpu.endian)) : try image.load32(offset + 4)
        #expect(start + size == image.bytes.count)
        let directory = try image.directory(0)
        #expect(try directory.field(.codeLimit) == signature.lowerBound)
        #expect(try directory.field(.execSegLimit) == builder.textSize)
        #expect(try directory.field(.execSegFlags) == 1)
    }

    /// What was built is what hashing again makes of it.
    @Test(arguments: [0, 10, 12, 14] as [UInt8]) func pagesFit(_ pageSizeLog2: UInt8) throws {
        var builder = MachOBuilder.executable()
        builder.signature = SignatureBuilder([.sha1, .sha256, .sha384])
        builder.signature?.eachDirectory { $0.pageSizeLog2 = pageSizeLog2 }
        var image = try SignedImage(try builder.build())
        let before = image.bytes
        try image.rehashPages()
        #expect(image.bytes == before)
        try image.bytes.flipByte(at: 0x4321)
        try image.rehashPages()
        #expect(image.bytes != before)
    }

    @Test func aStrippedImageIsAnUnsignedOne() throws {
        var builder = MachOBuilder.executable()
        var image = try SignedImage(try builder.build())
        try image.strip()
        builder.signature = nil
        // The padding before the signature stays, and so does nothing else.
        let unsigned = try SignedImage(try builder.build())
        #expect(try image.commands().map(\.number) == unsigned.commands().map(\.number))
        #expect(image.bytes.count - unsigned.bytes.count < 16)
        #expect(throws: BuildError.self) { try image.signatureRange() }
    }

    @Test func blobsCanBeDropped() throws {
        var image = try SignedImage(try MachOBuilder.executable().build())
        #expect(try image.blobs().map(\.type) == [0, 2, 0x10000])
        try image.dropBlob(2)
        #expect(try image.blobs().map(\.type) == [0, 0x10000])
        try image.dropBlob(0x10000)
        #expect(try image.blobs().map(\.type) == [0])
    }

    @Test func theRightVersionIsChosen() throws {
        func version(_ body: (inout MachOBuilder) -> Void) throws -> Int {
            var builder = MachOBuilder.executable()
            body(&builder)
            return try SignedImage(try builder.build()).directory(0).field(.version)
        }
        #expect(try version { _ in } == 0x20400)
        #expect(try version { $0.target = nil } == 0x20100)
        #expect(
            try version {
                $0.target = nil
                $0.signature?.directories[0].teamID = "T"
            } == 0x20200)
        #expect(try version { $0.signature?.directories[0].runtimeVersion = 0x10000 } == 0x20500)
        #expect(try version { $0.signature?.directories[0].linkage = .init() } == 0x20600)
    }

    @Test func slicesAreFoundAgain() throws {
        var code = CodeFile(.executable())
        code.makeUniversal([.x86_64, .arm64])
        let file = try code.build()
        let slices = try SignedCode.slices(file)
        #expect(slices.map { $0.lowerBound.isMultiple(of: 0x1000) } == [true, true])
        #expect(slices.last?.upperBound == file.count)
        #expect(Set(try SignedCode.rulingCDHashes(file)).count == 2)
        var edited = file
        try SignedCode.edit(&edited, slice: 1) { try $0.strip() }
        #expect(try SignedCode.images(edited).map(\.bytes.count).first == slices.first?.count)
        #expect(edited.count < file.count)
    }

    @Test func theSmallImageIsSmall() throws {
        #expect(try Demo.smallImage.build().count < 2048)
    }
}
