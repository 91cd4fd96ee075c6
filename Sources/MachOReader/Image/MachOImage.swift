/// One Mach-O image: its header and what its load commands say (spec 2.4).
///
/// Each kind of command is read by itself: a malformed one is a fault in its place and hides no other. Where Apple's
/// code searches for a command it takes the first; so do the properties here, and the counts tell of the others.
public struct MachOImage: Hashable, Sendable {
    public var header: MachHeader
    public var commands: [LoadCommand]
    public var segments: [Parsed<Segment>]
    /// `LC_CODE_SIGNATURE`, first to last.
    public var codeSignatures: [Parsed<LinkeditData>]
    /// `LC_BUILD_VERSION` and `LC_VERSION_MIN_*`, first to last.
    public var buildVersions: [Parsed<BuildVersion>]
    public var uuid: Parsed<[UInt8]>?
    public var dylibs: [Parsed<Dylib>]
    public var rpaths: [Parsed<String>]
    public var encryption: [Parsed<EncryptionInfo>]
    public var symbolTable: Parsed<SymbolTable>?

    /// Bytes that must be at hand to parse the header.
    public static let headerBytes: UInt64 = 32

    /// Reads an image's header and commands.
    ///
    /// - Parameter bytes: the slice from its start, at least `header.size + sizeofcmds` long.
    /// - Throws: what ``MachHeader`` and the walk of the commands throw; Apple's tool answers `ENOEXEC` to each.
    public init(parsing bytes: Bytes) throws(FormatFault) {
        let header = try MachHeader(parsing: bytes)
        let area = try bytes.sub(
            at: header.size, count: UInt64(header.commandBytes), in: "mach_header", field: "sizeofcmds")
        self.header = header
        commands = try LoadCommand.walk(area, order: header.order)
        (segments, codeSignatures, buildVersions, dylibs, rpaths, encryption) = ([], [], [], [], [], [])
        for command in commands { read(command) }
    }

    private mutating func read(_ command: LoadCommand) {
        let order = header.order
        switch command.kind {
        case .segment, .segment64:
            segments.append(.init { () throws(FormatFault) in try Segment(parsing: command, order: order) })
        case .codeSignature:
            codeSignatures.append(.init { () throws(FormatFault) in try LinkeditData(parsing: command, order: order) })
        case .buildVersion, .versionMinMacOS, .versionMinIOS, .versionMinTvOS, .versionMinWatchOS:
            let architecture = header.architecture
            buildVersions.append(
                .init { () throws(FormatFault) in
                    try BuildVersion(parsing: command, architecture: architecture, order: order)
                })
        case .uuid where uuid == nil:
            uuid = .init { () throws(FormatFault) in
                guard command.bytes.count == 24 else {
                    throw FormatFault(
                        .badSize, at: command.bytes.origin, in: command.label, field: "cmdsize",
                        value: UInt64(command.bytes.count), limit: 24)
                }
                return try command.bytes.sub(at: 8, count: 16, in: command.label, field: "uuid").array
            }
        case .loadDylib, .loadWeakDylib, .reexportDylib, .lazyLoadDylib, .loadUpwardDylib, .idDylib:
            dylibs.append(.init { () throws(FormatFault) in try Dylib(parsing: command, order: order) })
        case .rpath:
            rpaths.append(
                .init { () throws(FormatFault) in
                    let offset = try command.bytes.integer(
                        at: 8, as: UInt32.self, order: order, in: command.label, field: "path")
                    return try command.text(at: UInt64(offset), field: "path")
                })
        case .encryptionInfo, .encryptionInfo64:
            encryption.append(.init { () throws(FormatFault) in try EncryptionInfo(parsing: command, order: order) })
        case .symtab where symbolTable == nil:
            symbolTable = .init { () throws(FormatFault) in try SymbolTable(parsing: command, order: order) }
        default:
            break
        }
    }

    public var architecture: Architecture { header.architecture }

    /// Platform and versions of the first command that states them, as Apple's reader finds it.
    public var buildVersion: BuildVersion? { buildVersions.first?.value }

    /// The first segment of that name which could be read.
    public func segment(named name: String) -> Segment? {
        segments.lazy.compactMap(\.value).first { $0.name == name }
    }

    /// Where the signature lies, or nil when there is none. `dataoff` 0 counts as none for the signing extent.
    public var codeSignature: Parsed<LinkeditData>? { codeSignatures.first }

    /// Bytes of a slice of `size` bytes that a signature has to cover: up to the signature, or all (spec 2.4).
    public func signingExtent(sliceSize size: UInt64) -> UInt64 {
        guard let data = codeSignature?.value, data.offset != 0 else { return size }
        return UInt64(data.offset)
    }
}

/// A command that points into `__LINKEDIT`: `dataoff` and `datasize`.
public struct LinkeditData: Hashable, Sendable {
    /// Offset from the start of the slice.
    public var offset: UInt32
    public var size: UInt32

    init(parsing command: LoadCommand, order: ByteOrder) throws(FormatFault) {
        offset = try command.bytes.integer(at: 8, order: order, in: command.label, field: "dataoff")
        size = try command.bytes.integer(at: 12, order: order, in: command.label, field: "datasize")
    }
}

/// A library that an image loads, re-exports, or (`LC_ID_DYLIB`) is.
public struct Dylib: Hashable, Sendable {
    public var kind: LoadCommandKind
    public var name: String
    public var currentVersion: PackedVersion
    public var compatibilityVersion: PackedVersion

    init(parsing command: LoadCommand, order: ByteOrder) throws(FormatFault) {
        kind = command.kind
        let (bytes, label) = (command.bytes, command.label)
        let offset = try bytes.integer(at: 8, as: UInt32.self, order: order, in: label, field: "name")
        currentVersion = PackedVersion(
            rawValue: try bytes.integer(at: 16, order: order, in: label, field: "current_version"))
        compatibilityVersion = PackedVersion(
            rawValue: try bytes.integer(at: 20, order: order, in: label, field: "compatibility_version"))
        name = try command.text(at: UInt64(offset), field: "name")
    }
}

/// `LC_ENCRYPTION_INFO(_64)`: the range that FairPlay encrypts.
public struct EncryptionInfo: Hashable, Sendable {
    public var offset: UInt32
    public var size: UInt32
    /// 0 = not encrypted.
    public var cryptID: UInt32

    init(parsing command: LoadCommand, order: ByteOrder) throws(FormatFault) {
        offset = try command.bytes.integer(at: 8, order: order, in: command.label, field: "cryptoff")
        size = try command.bytes.integer(at: 12, order: order, in: command.label, field: "cryptsize")
        cryptID = try command.bytes.integer(at: 16, order: order, in: command.label, field: "cryptid")
    }
}

/// `LC_SYMTAB`.
public struct SymbolTable: Hashable, Sendable {
    public var symbolOffset: UInt32
    public var symbolCount: UInt32
    public var stringOffset: UInt32
    public var stringSize: UInt32

    init(parsing command: LoadCommand, order: ByteOrder) throws(FormatFault) {
        symbolOffset = try command.bytes.integer(at: 8, order: order, in: command.label, field: "symoff")
        symbolCount = try command.bytes.integer(at: 12, order: order, in: command.label, field: "nsyms")
        stringOffset = try command.bytes.integer(at: 16, order: order, in: command.label, field: "stroff")
        stringSize = try command.bytes.integer(at: 20, order: order, in: command.label, field: "strsize")
    }
}

extension LoadCommand {
    /// A `lc_str`: text inside the command, ended by a zero byte or the end of the command (dyld takes both).
    func text(at offset: UInt64, field: String) throws(FormatFault) -> String {
        guard offset >= 8, offset < UInt64(bytes.count) else {
            throw FormatFault(
                .badOffset, at: bytes.origin, in: label, field: field, value: offset, limit: UInt64(bytes.count))
        }
        return String(decoding: bytes.suffix(from: offset).slice.prefix { $0 != 0 }, as: UTF8.self)
    }
}
