extension CodeDirectory {
    /// The hash of code page `index`.
    ///
    /// - Throws: `truncated` when the slot is outside of the blob; never after ``integrityFault()`` was nil and
    ///   `index` is below ``codeSlotCount``.
    public func codeHash(_ index: UInt32) throws(FormatFault) -> Bytes {
        try blob.sub(
            at: UInt64(hashOffset) + UInt64(index) * UInt64(hashSize), count: UInt64(hashSize), in: Self.structure,
            field: "code slot \(index)")
    }

    /// The whole array of code hashes, ``codeSlotCount`` times ``hashSize`` bytes.
    ///
    /// - Throws: `truncated` when it does not lie inside the blob.
    public func codeHashes() throws(FormatFault) -> Bytes {
        try blob.sub(
            at: UInt64(hashOffset), count: UInt64(codeSlotCount) * UInt64(hashSize), in: Self.structure,
            field: "code slots")
    }

    /// The hash that this CodeDirectory records for a special slot.
    ///
    /// All zero bytes, or a slot above ``specialSlotCount``, both mean that there is none (spec 1.14).
    ///
    /// - Throws: `badOffset` or `truncated` when the slot lies outside of the blob.
    public func specialHash(_ slot: Slot) throws(FormatFault) -> Bytes? {
        guard slot.rawValue >= 1, slot.rawValue <= specialSlotCount else { return nil }
        let distance = UInt64(slot.rawValue) * UInt64(hashSize)
        guard distance <= UInt64(hashOffset) else {
            throw FormatFault(
                .badOffset, at: blob.place(16), in: Self.structure, field: "hashOffset", value: UInt64(hashOffset),
                limit: distance)
        }
        let hash = try blob.sub(
            at: UInt64(hashOffset) - distance, count: UInt64(hashSize), in: Self.structure,
            field: "special slot -\(slot.rawValue)")
        return hash.slice.allSatisfy { $0 == 0 } ? nil : hash
    }
}
