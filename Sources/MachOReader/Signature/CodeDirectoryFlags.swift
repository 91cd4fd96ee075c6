/// `flags` of a CodeDirectory (spec 1.12; CSCommon.h).
public struct CodeDirectoryFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let host = CodeDirectoryFlags(rawValue: 0x1)
    public static let adhoc = CodeDirectoryFlags(rawValue: 0x2)
    public static let hard = CodeDirectoryFlags(rawValue: 0x100)
    public static let kill = CodeDirectoryFlags(rawValue: 0x200)
    public static let expires = CodeDirectoryFlags(rawValue: 0x400)
    public static let restrict = CodeDirectoryFlags(rawValue: 0x800)
    public static let enforcement = CodeDirectoryFlags(rawValue: 0x1000)
    public static let libraryValidation = CodeDirectoryFlags(rawValue: 0x2000)
    public static let runtime = CodeDirectoryFlags(rawValue: 0x10000)
    public static let linkerSigned = CodeDirectoryFlags(rawValue: 0x20000)

    private static let names: [(CodeDirectoryFlags, String)] = [
        (.host, "host"), (.adhoc, "adhoc"), (.hard, "hard"), (.kill, "kill"), (.expires, "expires"),
        (.restrict, "restrict"), (.enforcement, "enforcement"), (.libraryValidation, "library-validation"),
        (.runtime, "runtime"), (.linkerSigned, "linker-signed"),
    ]

    /// `0x20002(adhoc,linker-signed)`, as codesign displays it: `none` for zero, `???` for unnamed bits.
    public var description: String { "\(hexadecimal)(\(flagNames))" }

    public var hexadecimal: String { "0x" + String(rawValue, radix: 16) }

    private var flagNames: String {
        if rawValue == 0 { return "none" }
        var words: [String] = []
        var rest = self
        for (flag, name) in Self.names where contains(flag) {
            words.append(name)
            rest.remove(flag)
        }
        if !rest.isEmpty { words.append("???") }
        return words.joined(separator: ",")
    }
}

extension CodeDirectoryFlags: CustomStringConvertible {}
