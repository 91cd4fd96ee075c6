/// Where everything of one image goes, and the writing of it.
struct MachOLayout {
    let builder: MachOBuilder
    /// File offset of the first section; code bytes fill the rest of `__TEXT`.
    private(set) var codeStart = 0
    let textSize: Int
    /// What `__LINKEDIT` holds before the signature, padding included.
    let linkedit: [UInt8]
    private let symbols: SymbolTable

    /// Where the signature begins, which is how far it reaches.
    var codeLimit: Int { textSize + linkedit.count }

    init(_ builder: MachOBuilder) throws {
        self.builder = builder
        let endian = builder.cpu.endian
        symbols = SymbolTable(builder)
        var linkedit = builder.linkeditData + symbols.entries + symbols.strings + builder.linkeditTail
        if builder.signature != nil {
            let end = (builder.textSize + linkedit.count).roundedUp(to: builder.signatureAlignment)
            linkedit += [UInt8](repeating: 0, count: end + builder.signatureOffset - builder.textSize - linkedit.count)
        }
        self.linkedit = builder.hasLinkedit || builder.signature != nil ? linkedit : []
        textSize = builder.textSize

        // The size of the commands does not depend on the numbers in them: a draft tells it.
        let draft = try commands(signatureSize: builder.signature == nil ? nil : 0)
        let size = draft.reduce(headerSize) { $0 + $1.bytes(endian).count }
        codeStart = (size + builder.headerRoom).roundedUp(to: 16)
        guard codeStart <= textSize else { throw BuildError("load commands do not fit into __TEXT") }
    }

    var headerSize: Int { builder.cpu.is64Bit ? 32 : 28 }

    /// The bytes up to the signature; `signatureSize` nil leaves LC_CODE_SIGNATURE out.
    func image(signatureSize: Int?) throws -> [UInt8] {
        let endian = builder.cpu.endian
        let commands = try commands(signatureSize: signatureSize)
        let area = commands.flatMap { $0.bytes(endian) }
        var file = ByteBuilder(endian)
        file.append(builder.header.magic ?? (builder.cpu.is64Bit ? 0xFEED_FACF : 0xFEED_FACE))
        file.append(builder.cpu.type)
        file.append(builder.cpu.subtype)
        file.append(builder.kind.rawValue)
        file.append(builder.header.commandCount ?? UInt32(commands.count))
        file.append(builder.header.commandsSize ?? UInt32(area.count))
        file.append(builder.flags)
        if builder.cpu.is64Bit { file.append(UInt32(0)) }
        file.append(area)
        guard file.count <= codeStart else { throw BuildError("load commands run into the first section") }
        file.appendZeros(codeStart - file.count)
        for section in builder.sections {
            file.append(section.contents)
            file.pad(to: 16)
        }
        guard file.count <= textSize else { throw BuildError("sections do not fit into __TEXT") }
        file.append(CodeBytes.make(textSize - file.count, seed: builder.seed))
        file.append(linkedit)
        return file.bytes
    }

    /// All load commands with their numbers, after ``MachOBuilder/arrangeCommands``.
    private func commands(signatureSize: Int?) throws -> [LoadCommandBytes] {
        let factory = LoadCommandFactory(builder)
        var list: [LoadCommandBytes] = []
        let base: UInt64 = builder.kind == .execute ? (builder.cpu.is64Bit ? 0x1_0000_0000 : 0x4000) : 0
        if builder.kind == .execute { list.append(factory.segment("__PAGEZERO", address: 0, vmSize: base)) }
        list.append(
            factory.segment(
                "__TEXT", address: base, vmSize: UInt64(textSize), fileSize: UInt64(textSize), protection: 5,
                sections: sections(base: base)))
        if builder.hasLinkedit {
            let covered = builder.linkeditCoversSignature ? signatureSize ?? 0 : 0
            let size = linkedit.count + covered
            list.append(
                factory.segment(
                    "__LINKEDIT", address: base + UInt64(textSize),
                    vmSize: UInt64((linkedit.count + (signatureSize ?? 0)).roundedUp(to: 1 << builder.cpu.alignment)),
                    offset: UInt64(textSize), fileSize: UInt64(size), protection: 1))
        }
        if builder.hasSymbolTable {
            let start = textSize + builder.linkeditData.count
            list.append(
                factory.command(
                    LC.symtab,
                    [start, symbols.count, start + symbols.entries.count, symbols.strings.count].map { UInt32($0) }))
        }
        list += factory.descriptiveCommands(entry: codeStart)
        list += builder.commands
        if let signatureSize {
            list.append(factory.command(LC.codeSignature, [UInt32(codeLimit), UInt32(signatureSize)]))
        }
        try builder.arrangeCommands?(&list)
        return list
    }

    /// The named sections, then `__text` over the rest.
    private func sections(base: UInt64) -> [LoadCommandFactory.Section] {
        var offset = codeStart
        var list: [LoadCommandFactory.Section] = []
        for section in builder.sections {
            list.append(
                .init(name: section.name, address: base + UInt64(offset), offset: offset, size: section.contents.count))
            offset += section.contents.count.roundedUp(to: 16)
        }
        list.append(
            .init(name: "__text", address: base + UInt64(offset), offset: offset, size: max(0, textSize - offset)))
        return list
    }
}

/// The nlist entries and the string table.
private struct SymbolTable {
    let count: Int
    let entries: [UInt8]
    let strings: [UInt8]

    init(_ builder: MachOBuilder) {
        guard builder.hasSymbolTable else {
            (count, entries, strings) = (0, [], [])
            return
        }
        var entries = ByteBuilder(builder.cpu.endian)
        var strings = ByteBuilder(builder.cpu.endian)
        strings.append(UInt8(0x20))
        strings.append(UInt8(0))
        let defined = builder.symbols.map { ($0, true) }
        let imported = builder.importedSymbols.map { ($0, false) }
        for (name, isDefined) in defined + imported {
            entries.append(UInt32(strings.count))
            entries.append(UInt8(isDefined ? 0x0F : 0x01))  // N_SECT | N_EXT, or N_UNDF | N_EXT
            entries.append(UInt8(isDefined ? 1 : 0))
            entries.append(UInt16(isDefined ? 0 : 0x0100))  // of the first library
            if builder.cpu.is64Bit { entries.append(UInt64(0)) } else { entries.append(UInt32(0)) }
            strings.appendCString(name)
        }
        strings.pad(to: 8)
        count = defined.count + imported.count
        self.entries = entries.bytes
        self.strings = strings.bytes
    }
}
