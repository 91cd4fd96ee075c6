import MachOReader

/// The list of everything in a signature, in slot 4, which old signers wrote (spec 1.14).
enum TopDirectory {
    /// What the list of a slice says and what it has to say, where they differ. Nil where they agree, and where there is
    /// no list that a CodeDirectory binds.
    static func difference(_ slice: SliceEvaluation) -> (recorded: [UInt32], expected: [UInt32])? {
        guard let signature = slice.signature, slice.outcome(.topDirectory) == .equal,
            let bytes = signature.hashedBytes(.topDirectory)?.array
        else { return nil }
        let recorded = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<min(start + 4, bytes.count)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        let expected = expected(slice, signature)
        if bytes.count % 4 == 0, recorded == expected { return nil }
        return (recorded, expected)
    }

    private static func expected(_ slice: SliceEvaluation, _ signature: SignatureFacts) -> [UInt32] {
        let special = slice.slots.filter { comparison in
            switch comparison.outcome {
            case .absent, .missing: false
            // The DER form counts only where the CodeDirectory hashes it.
            case .unbound, .outOfRange: comparison.slot != .entitlementsDER
            case .equal, .different, .unchecked: true
            }
        }
        let alternates = signature.directories.map(\.slot).filter(\.isAlternate)
        return [Slot.codeDirectory.rawValue] + special.map(\.slot.rawValue) + alternates.map(\.rawValue)
            + [Slot.cmsSignature.rawValue]
    }
}
