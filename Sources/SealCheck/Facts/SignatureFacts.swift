public import MachOReader

/// What was read of one signature, embedded or in files of `_CodeSignature`.
public struct SignatureFacts: Hashable, Sendable {
    /// The blob of each slot, the first where the index names it twice.
    public var components: [Slot: Bytes]
    /// The SuperBlob; nil for a signature in files.
    public var superBlob: SuperBlob?
    /// Offset of the SuperBlob from the start of the slice, and the size that the load command gives it.
    public var offset: UInt64
    public var reservedSize: UInt64
    /// Slot 0, then the alternates up to the first that is missing (spec 1.7). Empty without slot 0.
    public var directories: [CodeDirectoryFacts]
    /// Digests of each component as a CodeDirectory hashes it: with its blob header, or without it for wrapped slots
    /// (spec 1.3). Computed with the functions of ``directories``.
    public var componentDigests: [Slot: DigestSet]
    /// Wrapped slots whose blob is no wrapper (spec 1.3).
    public var wrapperFaults: [Slot: FormatFault]
    /// The CMS message of code that is not ad hoc, checked; nil where there is none.
    public var message: SignatureMessage?
    /// The dictionaries of slots 5 and 7.
    public var entitlements: Entitlements

    /// The message in the CMS slot.
    public enum CMS: Hashable, Sendable {
        /// No such slot.
        case absent
        /// The wrapper that ad-hoc signers write, with nothing in it.
        case empty
        /// Something: a signature, or garbage.
        case present(Bytes)
        /// The slot is not wrapped.
        case malformed(FormatFault)
    }

    public var cms: CMS {
        guard components[.cmsSignature] != nil else { return .absent }
        if let fault = wrapperFaults[.cmsSignature] { return .malformed(fault) }
        guard let message = hashedBytes(.cmsSignature) else { return .absent }
        return message.isEmpty ? .empty : .present(message)
    }

    /// The parts that Apple's verifier asks for, wherever they are kept (spec 1.7, 1.14, 3): the CodeDirectories and one
    /// more, the message unless the code is ad hoc, and the special slots that the CodeDirectory has room for.
    var askedSlots: [Slot] {
        var asked = directories.map(\.slot)
        let next = Slot(rawValue: Slot.firstAlternate.rawValue + UInt32(max(1, directories.count)) - 1)
        if next.isAlternate { asked.append(next) }
        guard let directory = ruling?.directory.value else { return asked }
        if !directory.flags.contains(.adhoc) { asked.append(.cmsSignature) }
        for slot in (1...Slot.highestSpecial).map(Slot.init(rawValue:))
        where slot != .infoPlist && slot != .resourceSeal && slot.rawValue <= directory.specialSlotCount {
            asked.append(slot)
        }
        return asked
    }

    /// The CodeDirectory that rules: of those with a viable hash type, the most preferred (spec 1.7). Nil when there is
    /// none, or when one is so damaged that Apple's verifier would stop.
    public var ruling: CodeDirectoryFacts? {
        guard directoryFault == nil else { return nil }
        return
            directories
            .compactMap { facts in facts.directory.value?.hashType.preference.map { (rank: $0, facts: facts) } }
            .min { $0.rank < $1.rank }?.facts
    }

    /// The first thing that makes Apple's verifier refuse the CodeDirectories as a whole.
    public var directoryFault: DirectoryFault? {
        var seen: Set<HashType> = []
        for facts in directories {
            switch facts.directory {
            case .fault(let fault): return .malformed(facts.slot, fault)
            case .value(let directory):
                if let fault = facts.integrity { return .integrity(facts.slot, fault) }
                if !seen.insert(directory.hashType).inserted {
                    return .duplicateHashType(facts.slot, directory.hashType)
                }
            }
        }
        if !directories.isEmpty, !directories.contains(where: { $0.directory.value?.hashType.isViable ?? false }) {
            return .noViableHashType(directories.compactMap { $0.directory.value?.hashType })
        }
        return nil
    }

    public enum DirectoryFault: Hashable, Sendable {
        /// Not a CodeDirectory, or too short for one (spec 1.7 point 2).
        case malformed(Slot, FormatFault)
        /// A rule of spec 1.8 is broken.
        case integrity(Slot, CodeDirectory.IntegrityFault)
        case duplicateHashType(Slot, HashType)
        case noViableHashType([HashType])
    }
}

/// One CodeDirectory and how the code compares with it.
public struct CodeDirectoryFacts: Hashable, Sendable {
    /// 0, or 0x1000 and up.
    public var slot: Slot
    public var directory: Parsed<CodeDirectory>
    /// The first rule of spec 1.8 that it breaks.
    public var integrity: CodeDirectory.IntegrityFault?
    /// Digest of the blob with its own hash type, cut to 20 bytes (spec 1.11). Nil where the type is not viable.
    public var cdhash: Digest?
    /// The pages as compared with this CodeDirectory; nil when they could not be.
    public var pages: PageFacts?

    /// What codesign and people call the object: text of ``CodeDirectory/identifier()``.
    public var identifier: ByteString? {
        guard let bytes = try? directory.value?.identifier() else { return nil }
        return ByteString(bytes: bytes)
    }

    public var teamIdentifier: ByteString? {
        guard let bytes = try? directory.value?.teamIdentifier() else { return nil }
        return ByteString(bytes: bytes)
    }
}

/// Pages of code as compared with the hashes of one CodeDirectory.
public struct PageFacts: Hashable, Sendable {
    /// Pages that were compared.
    public var count: Int
    /// Bytes of one page; nil when one page covers everything.
    public var pageSize: UInt64?
    /// Pages that differ, exactly.
    public var mismatchCount: Int
    /// The first of them, ascending, as many as ``Limits/listedFaults`` allows, with both hashes.
    public var mismatches: [Mismatch]

    public struct Mismatch: Hashable, Sendable {
        public var page: Int
        public var expected: Digest?
        public var actual: Digest?
    }
}
