/// What the loader puts into the pointers of an image: a symbol of another image, or an address of this one.
///
/// Sources: dyld's `fixup-chains.h` and `loader.h`.
enum PointerSlots {
    /// `LC_DYLD_CHAINED_FIXUPS`: each pointer says itself what becomes of it.
    case chained(ChainedFixups)
    /// `LC_DYLD_INFO`: a program for the loader says which pointers are bound; the others hold addresses.
    case classic([UInt64: String])

    enum Target: Hashable {
        case symbol(String)
        case address(UInt64)
    }

    /// What the pointer at `address`, which holds `raw`, becomes; nil where that cannot be told.
    func target(of raw: UInt64, at address: UInt64, in segment: Segment, base: UInt64) -> Target? {
        switch self {
        case .classic(let binds): binds[address].map(Target.symbol) ?? (raw == 0 ? nil : .address(raw))
        case .chained(let fixups): fixups.target(of: raw, in: segment, base: base)
        }
    }
}

/// `dyld_chained_fixups_header` and what it leads to.
struct ChainedFixups {
    /// `dyld_chained_starts_in_segment.pointer_format`, by the segment's offset from the image's base.
    private var formats: [UInt64: UInt16] = [:]
    private var symbols: [String] = []

    /// Symbols that are read at most.
    private static let maximumImports: UInt32 = 1 << 20

    /// - Throws: ``FormatFault`` for anything that dyld would not take either, and for compressed symbol names.
    init(parsing bytes: Bytes, order: ByteOrder) throws(FormatFault) {
        let name = "dyld_chained_fixups_header"
        func word(_ offset: UInt64, _ field: String) throws(FormatFault) -> UInt32 {
            try bytes.integer(at: offset, order: order, in: name, field: field)
        }
        let starts = UInt64(try word(4, "starts_offset"))
        let imports = UInt64(try word(8, "imports_offset"))
        let names = UInt64(try word(12, "symbols_offset"))
        let count = try word(16, "imports_count")
        let format = try word(20, "imports_format")
        guard try word(24, "symbols_format") == 0 else {
            throw FormatFault(.unsupported, at: bytes.place(24), in: name, field: "symbols_format")
        }
        guard count <= Self.maximumImports else {
            throw FormatFault(
                .limit, at: bytes.place(16), in: name, field: "imports_count", value: UInt64(count),
                limit: UInt64(Self.maximumImports))
        }
        for index in 0..<UInt64(count) {
            let offset: UInt64
            switch format {
            case 1: offset = UInt64(try word(imports + index * 4, "import") >> 9)
            case 2: offset = UInt64(try word(imports + index * 8, "import") >> 9)
            case 3:
                let wide: UInt64 = try bytes.integer(at: imports + index * 16, order: order, in: name, field: "import")
                offset = wide >> 32
            default: throw FormatFault(.unsupported, at: bytes.place(20), in: name, field: "imports_format")
            }
            let text = try bytes.terminatedText(at: names + offset, in: name, field: "symbol")
            symbols.append(String(decoding: text, as: UTF8.self))
        }
        let segments = try word(starts, "seg_count")
        guard segments <= 1_024 else {
            throw FormatFault(.limit, at: bytes.place(starts), in: name, field: "seg_count", value: UInt64(segments))
        }
        for index in 0..<UInt64(segments) {
            let offset = UInt64(try word(starts + 4 + index * 4, "seg_info_offset"))
            guard offset != 0 else { continue }
            let format: UInt16 = try bytes.integer(
                at: starts + offset + 6, order: order, in: name, field: "pointer_format")
            let segment: UInt64 = try bytes.integer(
                at: starts + offset + 8, order: order, in: name, field: "segment_offset")
            formats[segment] = format
        }
    }

    func target(of raw: UInt64, in segment: Segment, base: UInt64) -> PointerSlots.Target? {
        guard let format = formats[segment.vmAddress &- base] else { return raw == 0 ? nil : .address(raw) }
        func symbol(_ ordinal: UInt64) -> PointerSlots.Target? {
            ordinal < UInt64(symbols.count) ? .symbol(symbols[Int(ordinal)]) : nil
        }
        switch format {
        // DYLD_CHAINED_PTR_64, DYLD_CHAINED_PTR_64_OFFSET
        case 2, 6:
            if raw >> 63 == 1 { return symbol(raw & 0xff_ffff) }
            let target = raw & 0xf_ffff_ffff
            return .address(format == 2 ? target : base &+ target)
        // DYLD_CHAINED_PTR_ARM64E, _USERLAND, _USERLAND24
        case 1, 9, 12:
            if raw >> 62 & 1 == 1 { return symbol(raw & (format == 12 ? 0xff_ffff : 0xffff)) }
            if raw >> 63 == 1 { return .address(base &+ (raw & 0xffff_ffff)) }
            let target = raw & 0x7ff_ffff_ffff
            return .address(format == 1 ? target : base &+ target)
        default: return nil
        }
    }
}

/// The program of `LC_DYLD_INFO` that binds pointers (dyld's `BIND_OPCODE_…`).
enum ClassicBinds {
    /// Pointers that are bound at most.
    private static let maximum = 1 << 20

    /// Runs the program.
    ///
    /// - Parameter segments: in the order of their commands.
    /// - Returns: the symbol of each bound pointer, by its address.
    /// - Throws: ``FormatFault`` for a program that ends early, uses an unknown instruction, or binds too much.
    static func run(_ program: Bytes, segments: [Segment]) throws(FormatFault) -> [UInt64: String] {
        var (cursor, address): (UInt64, UInt64) = (0, 0)
        var symbol = ""
        var binds: [UInt64: String] = [:]
        func fault(_ kind: FormatFault.Kind) -> FormatFault {
            FormatFault(kind, at: program.place(cursor), in: "LC_DYLD_INFO", field: "bind_off")
        }
        func number() throws(FormatFault) -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while true {
                let byte: UInt8 = try program.integer(at: cursor, in: "LC_DYLD_INFO", field: "uleb128")
                cursor += 1
                if shift < 64 { value |= UInt64(byte & 0x7f) << shift }
                shift += 7
                if byte & 0x80 == 0 { return value }
                if shift > 70 { throw fault(.badSize) }
            }
        }
        func bind(_ times: UInt64, skipping: UInt64) throws(FormatFault) {
            guard times <= UInt64(maximum - binds.count) else { throw fault(.limit) }
            for _ in 0..<times {
                binds[address] = symbol
                address = address &+ 8 &+ skipping
            }
        }
        while cursor < UInt64(program.count) {
            let byte: UInt8 = try program.integer(at: cursor, in: "LC_DYLD_INFO", field: "bind_off")
            cursor += 1
            let immediate = UInt64(byte & 0x0f)
            switch byte & 0xf0 {
            case 0x00: return binds  // DONE
            case 0x10, 0x30, 0x50: break  // SET_DYLIB_ORDINAL_IMM, SET_DYLIB_SPECIAL_IMM, SET_TYPE_IMM
            case 0x20, 0x60: _ = try number()  // SET_DYLIB_ORDINAL_ULEB, SET_ADDEND_SLEB
            case 0x40:  // SET_SYMBOL_TRAILING_FLAGS_IMM
                let text = try program.terminatedText(at: cursor, in: "LC_DYLD_INFO", field: "symbol")
                cursor += UInt64(text.count) + 1
                symbol = String(decoding: text, as: UTF8.self)
            case 0x70:  // SET_SEGMENT_AND_OFFSET_ULEB
                guard immediate < UInt64(segments.count) else { throw fault(.badOffset) }
                address = segments[Int(immediate)].vmAddress &+ (try number())
            case 0x80: address = address &+ (try number())  // ADD_ADDR_ULEB
            case 0x90: try bind(1, skipping: 0)  // DO_BIND
            case 0xa0: try bind(1, skipping: try number())  // DO_BIND_ADD_ADDR_ULEB
            case 0xb0: try bind(1, skipping: immediate * 8)  // DO_BIND_ADD_ADDR_IMM_SCALED
            case 0xc0:  // DO_BIND_ULEB_TIMES_SKIPPING_ULEB
                let times = try number()
                try bind(times, skipping: try number())
            default: throw fault(.unsupported)
            }
        }
        return binds
    }
}
