/// Makes load commands in the byte order and word size of one image.
struct LoadCommandFactory {
    /// A section header of `__TEXT`.
    struct Section {
        let name: String
        let address: UInt64
        let offset: Int
        let size: Int
    }

    private let builder: MachOBuilder

    init(_ builder: MachOBuilder) {
        self.builder = builder
    }

    /// A command whose body is a list of 32-bit numbers.
    func command(_ number: UInt32, _ fields: [UInt32], tail: [UInt8] = []) -> LoadCommandBytes {
        var body = ByteBuilder(builder.cpu.endian)
        for field in fields { body.append(field) }
        body.append(tail)
        return LoadCommandBytes(number, body: body.bytes)
    }

    func segment(
        _ name: String, address: UInt64, vmSize: UInt64, offset: UInt64 = 0, fileSize: UInt64 = 0,
        protection: UInt32 = 0, sections: [Section] = []
    ) -> LoadCommandBytes {
        var body = ByteBuilder(builder.cpu.endian)
        body.appendName(name)
        for number in [address, vmSize, offset, fileSize] { appendWord(number, to: &body) }
        body.append(protection)
        body.append(protection)
        body.append(UInt32(sections.count))
        body.append(UInt32(0))
        for section in sections {
            body.appendName(section.name)
            body.appendName(name)
            appendWord(section.address, to: &body)
            appendWord(UInt64(section.size), to: &body)
            body.append(UInt32(section.offset))
            body.append(UInt32(4))
            body.append(UInt32(0))
            body.append(UInt32(0))
            body.append(UInt32(section.name == "__text" ? 0x8000_0400 : 0))
            body.appendZeros(builder.cpu.is64Bit ? 12 : 8)
        }
        return LoadCommandBytes(builder.cpu.is64Bit ? LC.segment64 : LC.segment, body: body.bytes)
    }

    /// Everything that describes the image: its entry, identity, platform, libraries and encryption.
    func descriptiveCommands(entry: Int) -> [LoadCommandBytes] {
        var list: [LoadCommandBytes] = []
        if let name = builder.installName { list.append(dylib(LC.idDylib, name)) }
        if let uuid = builder.uuid { list.append(LoadCommandBytes(LC.uuid, body: uuid)) }
        switch builder.target {
        case .build(let platform, let minimum, let sdk):
            list.append(command(LC.buildVersion, [platform, minimum.rawValue, sdk.rawValue, 0]))
        case .versionMin(let number, let minimum, let sdk):
            list.append(command(number, [minimum.rawValue, sdk.rawValue]))
        case nil: break
        }
        if builder.kind == .execute {
            var body = ByteBuilder(builder.cpu.endian)
            body.append(UInt64(entry))
            body.append(UInt64(0))
            list.append(LoadCommandBytes(LC.main, body: body.bytes))
        }
        list += builder.dylibs.map { dylib($0.command, $0.path) }
        list += builder.rpaths.map { command(LC.rpath, [12], tail: text($0, after: 12)) }
        if let encryption = builder.encryption {
            let fields = [encryption.offset, encryption.size, encryption.cryptID]
            list.append(
                builder.cpu.is64Bit
                    ? command(LC.encryptionInfo64, fields + [0]) : command(LC.encryptionInfo, fields))
        }
        return list
    }

    /// A command that names a library: current and compatibility version 1.0.
    func dylib(_ number: UInt32, _ path: String) -> LoadCommandBytes {
        command(number, [24, 2, 0x1_0000, 0x1_0000], tail: text(path, after: 24))
    }

    /// A NUL-terminated text, padded so that the command with `size` bytes before it fills whole words.
    private func text(_ text: String, after size: Int) -> [UInt8] {
        let end = (size + text.utf8.count + 1).roundedUp(to: builder.cpu.is64Bit ? 8 : 4)
        return Array(text.utf8) + [UInt8](repeating: 0, count: end - size - text.utf8.count)
    }

    private func appendWord(_ number: UInt64, to body: inout ByteBuilder) {
        if builder.cpu.is64Bit { body.append(number) } else { body.append(UInt32(truncatingIfNeeded: number)) }
    }
}
