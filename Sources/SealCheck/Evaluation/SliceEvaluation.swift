public import MachOReader

/// One slice with its signature as checked against the code object around it: what the checks and the codesign verdict
/// both start from.
public struct SliceEvaluation: Hashable, Sendable {
    public var slice: SliceFacts
    /// The signature that covers this slice: embedded, or from files of `_CodeSignature`.
    public var signature: SignatureFacts?
    /// Comparison of the special slots with the ruling CodeDirectory, slot 1 first. Empty without one.
    public var slots: [SlotComparison]
    /// The same for each other CodeDirectory, which Apple's verifier never compares.
    public var otherSlots: [Slot: [SlotComparison]] = [:]

    /// Signature parts that are not in the file itself but lie in `_CodeSignature`, and that Apple's verifier would ask
    /// for: it refuses a signature with parts from both places (spec 4.4).
    public var foreignSlots: [Slot] = []

    public var ruling: CodeDirectoryFacts? { signature?.ruling }
    public var architectureName: String { slice.architecture.name }
    /// Whether there is a Mach-O image: code that is none is signed in files, as one generic file.
    public var isImage: Bool { slice.image.value != nil }

    /// What kind of signature a slice carries.
    public var kind: SignatureKind {
        guard let signature, !signature.directories.isEmpty else { return .unsigned }
        guard let flags = (signature.ruling ?? signature.directories.first)?.directory.value?.flags else {
            return .unsigned
        }
        if flags.contains(.adhoc) { return flags.contains(.linkerSigned) ? .linkerSigned : .adhoc }
        switch signature.cms {
        case .present: return .certificate
        case .absent, .empty, .malformed: return .noFlag
        }
    }
}

/// Who signed, as far as the signature itself tells.
public enum SignatureKind: String, Hashable, Sendable {
    /// The ad-hoc flag is set.
    case adhoc
    /// Ad-hoc, made by the linker and by nobody after it.
    case linkerSigned = "linker-signed"
    /// A CMS message is there.
    case certificate
    /// Neither the ad-hoc flag nor a CMS message: the style of old ldid. Apple's verifier reads it as unsigned.
    case noFlag = "no-flag"
    case unsigned
}

/// One special slot of the ruling CodeDirectory and the data that it is for (spec 1.14).
public struct SlotComparison: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// Data and hash agree.
        case equal
        case different(expected: Digest, actual: Digest)
        /// A hash, but no data.
        case missing(expected: Digest)
        /// Data, but the hash is zero: ignored by Apple's verifier.
        case unbound
        /// Data, but the slot lies above `nSpecialSlots`: never looked at.
        case outOfRange
        /// Neither data nor hash.
        case absent
        /// The data exists but could not be read.
        case unchecked(ReadFault)
    }

    public var slot: Slot
    public var outcome: Outcome

    /// Compares every slot from 1 to 11.
    static func all(_ directory: CodeDirectory, data: (Slot) -> SlotData) -> [SlotComparison] {
        (1...Slot.highestSpecial).map(Slot.init(rawValue:)).map {
            SlotComparison(slot: $0, outcome: compare($0, directory, data($0)))
        }
    }

    private static func compare(_ slot: Slot, _ directory: CodeDirectory, _ data: SlotData) -> Outcome {
        // The array was checked (spec 1.8 f) before a CodeDirectory can rule.
        let expected = (try? directory.specialHash(slot)).flatMap(\.self).map { Digest($0.slice) }
        switch (data, expected) {
        case (.absent, nil): return .absent
        case (.absent, let expected?): return .missing(expected: expected)
        case (.unreadable(let fault), .some): return .unchecked(fault)
        case (.unreadable, nil), (.digests, nil):
            return slot.rawValue > directory.specialSlotCount ? .outOfRange : .unbound
        case (.digests(let digests), let expected?):
            guard let actual = digests[directory.hashType] else { return .unchecked(.notAFile) }
            return actual == expected ? .equal : .different(expected: expected, actual: actual)
        }
    }

    /// The data of a slot.
    enum SlotData {
        case absent
        case digests(DigestSet)
        case unreadable(ReadFault)
    }
}
