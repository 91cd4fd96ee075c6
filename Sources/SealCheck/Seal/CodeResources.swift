public import MachOReader

/// The resource seal: `_CodeSignature/CodeResources`, read (spec 5.1).
public struct CodeResources: Hashable, Sendable {
    /// 2 when `files2` is there, else 1.
    public var version: Int
    /// The rules in force: `rules2` for version 2.
    public var rules: [ResourceRule]
    /// The sealed paths in force: `files2` for version 2.
    public var files: [BundlePath: SealedItem]
    /// The older rules beside those of version 2.
    public var rulesV1: [ResourceRule]
    /// The older entries beside those of version 2, which no verdict consults.
    public var filesV1: [BundlePath: SealedItem]
    /// Keys at the top that are none of the four known ones.
    public var unknownKeys: [ByteString]

    /// Reads a seal from its property list.
    ///
    /// - Throws: ``SealFault``, with the code that Apple's verifier has for it.
    public init(_ list: PropertyList) throws(SealFault) {
        guard let top = list.dictionary else { throw .notADictionary }
        guard let rules = top["rules"]?.dictionary else { throw .incomplete("rules") }
        guard let files = top["files"]?.dictionary else { throw .incomplete("files") }
        let known: Set<ByteString> = ["rules", "files", "rules2", "files2"]
        unknownKeys = top.entries.map(\.key).filter { !known.contains($0) }.sorted()
        if let second = top["files2"] {
            guard let files2 = second.dictionary, let rules2 = top["rules2"]?.dictionary else {
                throw .inconsistent("files2 is there, but rules2 or files2 is no dictionary")
            }
            version = 2
            self.rules = try Self.rules(rules2)
            self.files = try Self.items(files2)
            // Never consulted by Apple's verifier, so a fault in them is none of the seal's.
            rulesV1 = (try? Self.rules(rules)) ?? []
            filesV1 = (try? Self.items(files)) ?? [:]
        } else {
            version = 1
            self.rules = try Self.rules(rules)
            self.files = try Self.items(files)
            (rulesV1, filesV1) = ([], [:])
        }
    }

    private static func rules(_ dictionary: PropertyList.Dictionary) throws(SealFault) -> [ResourceRule] {
        var rules: [ResourceRule] = []
        for (pattern, value) in dictionary.entries { rules.append(try ResourceRule(pattern: pattern, value: value)) }
        return rules
    }

    private static func items(_ dictionary: PropertyList.Dictionary) throws(SealFault) -> [BundlePath: SealedItem] {
        var items: [BundlePath: SealedItem] = [:]
        items.reserveCapacity(dictionary.count)
        for (key, value) in dictionary.entries {
            items[BundlePath(bytes: key.bytes)] = SealedItem(value)
        }
        return items
    }
}

/// What a seal records of one path (spec 5.6).
public struct SealedItem: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// A plain file and its digests by hash type.
        case file([HashType: [UInt8]])
        /// A symbolic link with this text.
        case link([UInt8])
        /// Nested code that satisfies this requirement; the cdhash is recorded, but no verifier reads it.
        case nested(requirement: ByteString, cdhash: [UInt8]?)
        /// A value of a wrong type, which makes the verifier give up when it comes to this path.
        case invalid(String)
    }

    public var content: Content
    /// Whether the file may be absent.
    public var isOptional: Bool

    init(_ value: PropertyList) {
        isOptional = false
        switch value {
        case .data(let digest): content = .file([.sha1: digest])
        case .dictionary(let dictionary):
            if let flag = dictionary["optional"] {
                guard let flag = flag.boolean else {
                    content = .invalid("optional is \(flag.kindName), not a boolean")
                    return
                }
                isOptional = flag
            }
            content = Self.content(dictionary)
        default: content = .invalid("the value is \(value.kindName), not data or a dictionary")
        }
    }

    private static func content(_ dictionary: PropertyList.Dictionary) -> Content {
        if let requirement = dictionary["requirement"] {
            guard let text = requirement.string else {
                return .invalid("requirement is \(requirement.kindName), not text")
            }
            return .nested(requirement: text, cdhash: dictionary["cdhash"]?.data)
        }
        if let link = dictionary["symlink"] {
            guard let text = link.string else { return .invalid("symlink is \(link.kindName), not text") }
            return .link(text.bytes)
        }
        var digests: [HashType: [UInt8]] = [:]
        for type in [HashType.sha1, .sha256, .sha256Truncated, .sha384] {
            // A digest of another type than data is as good as none (spec 5.6).
            if let data = dictionary[ByteString(type.sealKey)]?.data { digests[type] = data }
        }
        return .file(digests)
    }

    /// The digest to compare with for a hash type: its own, else SHA-1's (spec 5.6). Nil makes the seal invalid.
    public func digest(for type: HashType) -> [UInt8]? {
        guard case .file(let digests) = content else { return nil }
        return digests[type] ?? digests[.sha1]
    }
}

/// Why a seal cannot be used, or stops being usable while it is checked.
public enum SealFault: Error, Hashable, Sendable {
    /// The seal file could not be read.
    case unreadable(ReadFault)
    /// Not a property list.
    case notAPropertyList(PropertyListFault)
    /// A property list whose top is not a dictionary.
    case notADictionary
    /// `rules` or `files` is missing or no dictionary: the seal counts as absent.
    case incomplete(ByteString)
    /// `files2` without a usable `rules2`.
    case inconsistent(String)
    /// A rule of a wrong type, or one whose pattern does not compile.
    case rule(ByteString, String)
    /// A rule that this program does not run because it could run for ever.
    case unboundedRule(ByteString, String)
    /// The value of a sealed path is of a wrong type.
    case item(BundlePath, String)
    /// A symbolic link named `.DS_Store`.
    case dsStoreLink(BundlePath)
    /// More than ``Limits`` allows.
    case limit(Limits.Exceeded)
}
