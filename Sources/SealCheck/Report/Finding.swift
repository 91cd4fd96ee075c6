import MachOReader

/// One fault, as a fact: what, where, and the evidence. No severity: that is for the profile and the policy to say.
public struct Finding: Hashable, Sendable {
    /// A stable kebab-case name. A struct, so that a new fault breaks nobody's `switch`.
    public struct ID: Hashable, Comparable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
        public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }

        /// Whether the finding only says that something could not be checked.
        public var isUnchecked: Bool { rawValue.hasPrefix("unchecked-") }
    }

    public var id: ID
    public var subject: Subject
    public var evidence: Evidence
    /// One sentence. It holds names from the input as they are: make it inert before it reaches a terminal or a log.
    public var message: String

    public init(_ id: ID, _ subject: Subject, _ message: String, _ evidence: Evidence = Evidence()) {
        self.id = id
        self.subject = subject
        self.message = message
        self.evidence = evidence
    }

    /// What a finding is about.
    public struct Subject: Hashable, Sendable {
        /// The file, folder or entry, in the tree.
        public var path: BundlePath
        /// The code object whose signature or seal is concerned; nil for the container itself.
        public var code: BundlePath?
        /// The architecture of the slice.
        public var slice: String?
        /// −1 … −11 for a special slot, 0 and 0x1000 up for a CodeDirectory, 0x10000 for the CMS slot.
        public var slot: Int?

        public init(path: BundlePath, code: BundlePath? = nil, slice: String? = nil, slot: Int? = nil) {
            self.path = path
            self.code = code
            self.slice = slice
            self.slot = slot
        }
    }

    /// What proves it, to be checked by hand.
    public struct Evidence: Hashable, Sendable {
        public var expected: String?
        public var actual: String?
        /// The resource rule that brought the path under the seal.
        public var rule: ByteString?
        /// Byte offset in the file.
        public var offset: UInt64?
        /// Page numbers, from 0.
        public var pages: [Int]?

        public init(
            expected: String? = nil, actual: String? = nil, rule: ByteString? = nil, offset: UInt64? = nil,
            pages: [Int]? = nil
        ) {
            self.expected = expected
            self.actual = actual
            self.rule = rule
            self.offset = offset
            self.pages = pages
        }
    }
}

extension Finding: Comparable {
    /// The order of every report: code object, path, slice, slot, identifier.
    public static func < (left: Finding, right: Finding) -> Bool {
        func key(_ finding: Finding) -> (BundlePath, BundlePath, String, Int, ID) {
            let subject = finding.subject
            return (subject.code ?? .root, subject.path, subject.slice ?? "", subject.slot ?? 0, finding.id)
        }
        return key(left) < key(right)
    }
}

extension Finding.Subject {
    /// A slice of a code object's executable.
    static func slice(_ slice: SliceEvaluation, of code: CodeObject, slot: Slot? = nil) -> Finding.Subject {
        Finding.Subject(
            path: code.executable ?? code.path, code: code.path,
            slice: slice.slice.image.value.map(\.architecture.name),
            slot: slot.map { $0.isSpecial ? -Int($0.rawValue) : Int($0.rawValue) })
    }
}
