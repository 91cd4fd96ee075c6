/// A fixed field of a CodeDirectory: where it is and how wide.
public enum CodeDirectoryField: Int, CaseIterable, Hashable, Sendable {
    case magic = 0
    case length = 4
    case version = 8
    case flags = 12
    case hashOffset = 16
    case identOffset = 20
    case nSpecialSlots = 24
    case nCodeSlots = 28
    case codeLimit = 32
    case hashSize = 36
    case hashType = 37
    case platform = 38
    case pageSize = 39
    case spare2 = 40
    case scatterOffset = 44
    case teamIDOffset = 48
    case spare3 = 52
    case codeLimit64 = 56
    case execSegBase = 64
    case execSegLimit = 72
    case execSegFlags = 80
    case runtime = 88
    case preEncryptOffset = 92
    case linkageHashType = 96
    case linkageApplicationType = 97
    case linkageApplicationSubType = 98
    case linkageOffset = 100
    case linkageSize = 104

    public var offset: Int { rawValue }

    public var width: Int {
        switch self {
        case .hashSize, .hashType, .platform, .pageSize, .linkageHashType, .linkageApplicationType: 1
        case .linkageApplicationSubType: 2
        case .codeLimit64, .execSegBase, .execSegLimit, .execSegFlags: 8
        default: 4
        }
    }

    /// The size of the fixed part of a CodeDirectory of that version.
    static func fixedSize(version: UInt32) -> Int {
        switch version {
        case ..<0x20100: 44
        case ..<0x20200: 48
        case ..<0x20300: 52
        case ..<0x20400: 64
        case ..<0x20500: 88
        case ..<0x20600: 96
        default: 108
        }
    }

    func read(from directory: ArraySlice<UInt8>) throws -> UInt64 {
        try Array(directory).checkRange(offset, width)
        return directory.dropFirst(offset).prefix(width).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Stores the low bytes of `value` into the CodeDirectory that begins at `start`.
    func write(_ value: UInt64, into bytes: inout [UInt8], at start: Int) throws {
        try bytes.overwrite(at: start + offset, with: value.bytes(.big).suffix(width))
    }
}
