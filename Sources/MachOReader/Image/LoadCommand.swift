/// `cmd` of a load command (`mach-o/loader.h`).
public struct LoadCommandKind: Hashable, Sendable, RawRepresentable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let segment = LoadCommandKind(rawValue: 0x1)
    public static let symtab = LoadCommandKind(rawValue: 0x2)
    public static let dysymtab = LoadCommandKind(rawValue: 0xb)
    public static let loadDylib = LoadCommandKind(rawValue: 0xc)
    public static let idDylib = LoadCommandKind(rawValue: 0xd)
    public static let loadWeakDylib = LoadCommandKind(rawValue: 0x8000_0018)
    public static let segment64 = LoadCommandKind(rawValue: 0x19)
    public static let uuid = LoadCommandKind(rawValue: 0x1b)
    public static let rpath = LoadCommandKind(rawValue: 0x8000_001c)
    public static let codeSignature = LoadCommandKind(rawValue: 0x1d)
    public static let reexportDylib = LoadCommandKind(rawValue: 0x8000_001f)
    public static let lazyLoadDylib = LoadCommandKind(rawValue: 0x20)
    public static let encryptionInfo = LoadCommandKind(rawValue: 0x21)
    public static let dyldInfo = LoadCommandKind(rawValue: 0x22)
    public static let dyldInfoOnly = LoadCommandKind(rawValue: 0x8000_0022)
    public static let loadUpwardDylib = LoadCommandKind(rawValue: 0x8000_0023)
    public static let versionMinMacOS = LoadCommandKind(rawValue: 0x24)
    public static let versionMinIOS = LoadCommandKind(rawValue: 0x25)
    public static let main = LoadCommandKind(rawValue: 0x8000_0028)
    public static let encryptionInfo64 = LoadCommandKind(rawValue: 0x2c)
    public static let versionMinTvOS = LoadCommandKind(rawValue: 0x2f)
    public static let versionMinWatchOS = LoadCommandKind(rawValue: 0x30)
    public static let buildVersion = LoadCommandKind(rawValue: 0x32)
    public static let dyldExportsTrie = LoadCommandKind(rawValue: 0x8000_0033)
    public static let dyldChainedFixups = LoadCommandKind(rawValue: 0x8000_0034)

    /// The constant's name, or the number where this reader has none.
    public var name: String {
        Self.names[rawValue] ?? "load command 0x\(String(rawValue, radix: 16))"
    }

    /// Every kind that this reader has a name for.
    public static var named: [LoadCommandKind] { names.keys.map(LoadCommandKind.init(rawValue:)) }

    private static let names: [UInt32: String] = [
        0x1: "LC_SEGMENT", 0x2: "LC_SYMTAB", 0xb: "LC_DYSYMTAB", 0xc: "LC_LOAD_DYLIB", 0xd: "LC_ID_DYLIB",
        0xe: "LC_LOAD_DYLINKER", 0x8000_0018: "LC_LOAD_WEAK_DYLIB", 0x19: "LC_SEGMENT_64", 0x1b: "LC_UUID",
        0x8000_001c: "LC_RPATH", 0x1d: "LC_CODE_SIGNATURE", 0x1e: "LC_SEGMENT_SPLIT_INFO",
        0x8000_001f: "LC_REEXPORT_DYLIB", 0x20: "LC_LAZY_LOAD_DYLIB", 0x21: "LC_ENCRYPTION_INFO", 0x22: "LC_DYLD_INFO",
        0x8000_0022: "LC_DYLD_INFO_ONLY", 0x8000_0023: "LC_LOAD_UPWARD_DYLIB", 0x24: "LC_VERSION_MIN_MACOSX",
        0x25: "LC_VERSION_MIN_IPHONEOS", 0x26: "LC_FUNCTION_STARTS", 0x8000_0028: "LC_MAIN", 0x29: "LC_DATA_IN_CODE",
        0x2a: "LC_SOURCE_VERSION", 0x2b: "LC_DYLIB_CODE_SIGN_DRS", 0x2c: "LC_ENCRYPTION_INFO_64",
        0x2d: "LC_LINKER_OPTION", 0x2f: "LC_VERSION_MIN_TVOS", 0x30: "LC_VERSION_MIN_WATCHOS", 0x31: "LC_NOTE",
        0x32: "LC_BUILD_VERSION", 0x8000_0033: "LC_DYLD_EXPORTS_TRIE", 0x8000_0034: "LC_DYLD_CHAINED_FIXUPS",
        0x4: "LC_THREAD", 0x5: "LC_UNIXTHREAD", 0xf: "LC_ID_DYLINKER", 0x10: "LC_PREBOUND_DYLIB", 0x11: "LC_ROUTINES",
        0x12: "LC_SUB_FRAMEWORK", 0x13: "LC_SUB_UMBRELLA", 0x14: "LC_SUB_CLIENT", 0x15: "LC_SUB_LIBRARY",
        0x16: "LC_TWOLEVEL_HINTS", 0x17: "LC_PREBIND_CKSUM", 0x1a: "LC_ROUTINES_64", 0x27: "LC_DYLD_ENVIRONMENT",
        0x2e: "LC_LINKER_OPTIMIZATION_HINT", 0x8000_0035: "LC_FILESET_ENTRY", 0x36: "LC_ATOM_INFO",
        0x37: "LC_FUNCTION_VARIANTS", 0x38: "LC_FUNCTION_VARIANT_FIXUPS", 0x39: "LC_TARGET_TRIPLE",
    ]
}

/// One load command: its kind and its bytes, header included.
public struct LoadCommand: Hashable, Sendable {
    public var kind: LoadCommandKind
    /// Position in the list, from 0.
    public var index: Int
    /// The whole command of `cmdsize` bytes; its origin is the offset in the slice.
    public var bytes: Bytes

    /// `LC_SEGMENT_64 #7`, for messages.
    public var label: String { "\(kind.name) #\(index)" }

    /// Walks the command area the way Apple's verifier does (spec 2.4; macho++.cpp).
    ///
    /// The walk is bounded by `sizeofcmds`, never by `ncmds`. The very first command may run past the area: the walk
    /// just ends then, as it does at Apple's.
    ///
    /// - Parameter area: exactly the `sizeofcmds` bytes after the header.
    /// - Throws: `truncated` when not one command header fits, or a later command runs past the area; `badSize` for
    ///   `cmdsize` 0. Apple's tool answers `ENOEXEC` to each.
    static func walk(_ area: Bytes, order: ByteOrder) throws(FormatFault) -> [LoadCommand] {
        let end = UInt64(area.count)
        guard end >= 8 else {
            throw FormatFault(.truncated, at: area.origin, in: "mach_header", field: "sizeofcmds", value: end, limit: 8)
        }
        var commands: [LoadCommand] = []
        var offset: UInt64 = 0
        while offset < end {
            let name = "load command #\(commands.count)"
            let kind = LoadCommandKind(rawValue: try area.integer(at: offset, order: order, in: name, field: "cmd"))
            let size = UInt64(
                try area.integer(at: offset + 4, as: UInt32.self, order: order, in: name, field: "cmdsize"))
            guard size != 0 else {
                throw FormatFault(.badSize, at: area.place(offset + 4), in: name, field: "cmdsize", value: 0)
            }
            let available = end - offset
            if size > available {
                guard commands.isEmpty else {
                    throw FormatFault(
                        .truncated, at: area.place(offset + 4), in: name, field: "cmdsize", value: size,
                        limit: available)
                }
            }
            let body = try area.sub(at: offset, count: min(size, available), in: name)
            commands.append(LoadCommand(kind: kind, index: commands.count, bytes: body))
            offset += size
        }
        return commands
    }
}
