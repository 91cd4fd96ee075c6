/// One requirement as a signature carries it: magic `0xfade0c00` (spec 9.1).
public enum RequirementBlob: Hashable, Sendable {
    /// Kind 1.
    case expression(RequirementExpression)
    /// Kind 2, a lightweight requirement: a data item whose meaning Apple has not published.
    case lightweight([UInt8])

    static let structure = "requirement blob"

    /// Reads a blob with its header.
    ///
    /// - Throws: ``FormatFault`` for whatever Apple's verifier calls ReqInvalid (or ReqUnsupported: an unknown kind).
    public init(parsing bytes: Bytes) throws(FormatFault) {
        let magic = BlobMagic(rawValue: try bytes.integer(at: 0, in: Self.structure, field: "magic"))
        guard magic == .requirement else {
            throw FormatFault(
                .badMagic, at: bytes.origin, in: Self.structure, field: "magic", value: UInt64(magic.rawValue),
                limit: UInt64(BlobMagic.requirement.rawValue))
        }
        let length: UInt32 = try bytes.integer(at: 4, in: Self.structure, field: "length")
        guard length >= 12 else {
            throw FormatFault(
                .badSize, at: bytes.place(4), in: Self.structure, field: "length", value: UInt64(length), limit: 12)
        }
        let whole = try bytes.sub(at: 0, count: UInt64(length), in: Self.structure, field: "length")
        let kind: UInt32 = try whole.integer(at: 8, in: Self.structure, field: "kind")
        switch kind {
        case 1: self = .expression(try RequirementExpression(decoding: whole.suffix(from: 12)))
        case 2:
            var reader = RequirementReader(whole.suffix(from: 12))
            self = .lightweight(try reader.data("lightweight requirement"))
        default:
            throw FormatFault(
                .unsupported, at: whole.place(8), in: Self.structure, field: "kind", value: UInt64(kind))
        }
    }

    /// The text form, where there is one.
    public var text: String {
        switch self {
        case .expression(let expression): expression.text
        case .lightweight(let data): "/* lightweight requirement of \(data.count) bytes */"
        }
    }
}

/// The requirements that a signature carries in slot 2: magic `0xfade0c01` (spec 9.1).
public struct RequirementSet: Hashable, Sendable {
    /// Whom a requirement is for.
    public enum Kind: UInt32, Hashable, Sendable, CaseIterable {
        case host = 1
        case guest
        /// What others recognise this code by.
        case designated
        case library
        case plugin

        /// The word of the text form.
        public var name: String {
            switch self {
            case .host: "host"
            case .guest: "guest"
            case .designated: "designated"
            case .library: "library"
            case .plugin: "plugin"
            }
        }
    }

    public struct Entry: Hashable, Sendable {
        /// The number in the index.
        public var type: UInt32
        public var requirement: Parsed<RequirementBlob>

        /// Nil for a number that nobody has defined.
        public var kind: Kind? { Kind(rawValue: type) }
    }

    /// In the order of the index; entries that count as absent are left out.
    public var entries: [Entry]

    /// Reads a set with its header. A requirement in it that cannot be read does not hide the others.
    ///
    /// - Throws: ``FormatFault`` where the index is damaged.
    public init(parsing bytes: Bytes) throws(FormatFault) {
        let superBlob = try SuperBlob(parsing: bytes, maximum: UInt64(bytes.count), expecting: .requirementSet)
        entries = superBlob.entries.compactMap { entry in
            entry.blob.map { blob in
                Entry(
                    type: entry.slot.rawValue,
                    requirement: Parsed(catching: { () throws(FormatFault) in try RequirementBlob(parsing: blob) }))
            }
        }
    }

    /// The first requirement of a kind; a second one is never looked at.
    public subscript(kind: Kind) -> Parsed<RequirementBlob>? { entries.first { $0.kind == kind }?.requirement }
}
