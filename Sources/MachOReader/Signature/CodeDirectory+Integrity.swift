extension CodeDirectory {
    /// The rules that a CodeDirectory must pass before its hashes are used, lettered as in spec 1.8.
    public enum IntegrityRule: String, Hashable, Sendable {
        case version = "b, c"
        case identifier = "d"
        case teamIdentifier = "e"
        case hashArray = "f"
        case preEncryptHashes = "g"
        case scatterVector = "h"
        case codeSlots = "i"
        case singlePage = "j"
        /// Not Apple's rule: it compares nonsense in that case, and the kernel refuses the blob (spec 1.8).
        case hashSize = "hash size"
    }

    /// A rule that is broken, and where.
    public struct IntegrityFault: Error, Hashable, Sendable {
        public var rule: IntegrityRule
        public var fault: FormatFault
    }

    /// The first rule of spec 1.8 that this CodeDirectory breaks, in Apple's order, or nil.
    public func integrityFault() -> IntegrityFault? {
        do {
            try check(.version) { () throws(FormatFault) in try checkVersion() }
            try check(.identifier) { () throws(FormatFault) in _ = try identifier() }
            try check(.teamIdentifier) { () throws(FormatFault) in _ = try teamIdentifier() }
            try check(.hashArray) { () throws(FormatFault) in try checkHashArray() }
            try check(.preEncryptHashes) { () throws(FormatFault) in try checkPreEncryptHashes() }
            try check(.scatterVector) { () throws(FormatFault) in try checkScatterVector() }
            try check(pageShift == 0 ? .singlePage : .codeSlots) { () throws(FormatFault) in try checkSlotCount() }
        } catch {
            return error
        }
        return nil
    }

    /// The fault when ``hashSize`` is not the digest size of ``hashType``, or nil. Types that are not implemented have
    /// no size to compare with.
    public func hashSizeFault() -> IntegrityFault? {
        guard let size = hashType.size, size != Int(hashSize) else { return nil }
        return IntegrityFault(
            rule: .hashSize,
            fault: FormatFault(
                .inconsistent, at: blob.place(36), in: Self.structure, field: "hashSize", value: UInt64(hashSize),
                limit: UInt64(size)))
    }

    private func check(_ rule: IntegrityRule, _ body: () throws(FormatFault) -> Void) throws(IntegrityFault) {
        do { try body() } catch { throw IntegrityFault(rule: rule, fault: error) }
    }

    private func checkVersion() throws(FormatFault) {
        guard version <= Self.compatibilityLimit, version >= Self.earliestVersion else {
            throw FormatFault(
                .unsupported, at: blob.place(8), in: Self.structure, field: "version", value: UInt64(version),
                limit: UInt64(version > Self.compatibilityLimit ? Self.compatibilityLimit : Self.earliestVersion))
        }
    }

    private func checkHashArray() throws(FormatFault) {
        let before = UInt64(hashSize) * UInt64(specialSlotCount)
        let total = UInt64(hashSize) * (UInt64(specialSlotCount) + UInt64(codeSlotCount))
        guard UInt64(hashOffset) >= before, UInt64(hashOffset) - before >= 8,
            UInt64(hashOffset) - before + total <= UInt64(blob.count)
        else {
            throw FormatFault(
                .badOffset, at: blob.place(16), in: Self.structure, field: "hashOffset", value: UInt64(hashOffset),
                limit: UInt64(blob.count))
        }
    }

    private func checkPreEncryptHashes() throws(FormatFault) {
        guard preEncryptOffset != 0 else { return }
        let end = UInt64(preEncryptOffset) + UInt64(hashSize) * UInt64(codeSlotCount)
        guard preEncryptOffset >= 8, end <= UInt64(blob.count) else {
            throw FormatFault(
                .badOffset, at: blob.place(92), in: Self.structure, field: "preEncryptOffset",
                value: UInt64(preEncryptOffset), limit: UInt64(blob.count))
        }
    }

    /// Entries of 24 bytes (count, base page, target offset, spare), ended by one whose count is 0.
    private func checkScatterVector() throws(FormatFault) {
        guard scatterOffset != 0 else { return }
        var offset = UInt64(scatterOffset)
        var pages: UInt64 = 0
        while true {
            let entry = try blob.sub(at: offset, count: 24, in: Self.structure, field: "scatterOffset")
            let count = try entry.integer(at: 0, as: UInt32.self, in: "scatter entry", field: "count")
            if count == 0 { break }
            pages += UInt64(count)
            offset += 24
        }
        guard pages > 0 else { return }
        for (array, field) in [(hashOffset, "hashOffset"), (preEncryptOffset, "preEncryptOffset")] {
            if field == "preEncryptOffset" && array == 0 { continue }
            guard UInt64(array) + pages * UInt64(hashSize) <= UInt64(blob.count) else {
                throw FormatFault(
                    .badOffset, at: blob.place(UInt64(scatterOffset)), in: Self.structure, field: "scatter pages",
                    value: pages, limit: UInt64(blob.count))
            }
        }
    }

    private func checkSlotCount() throws(FormatFault) {
        let limit = codeLimit
        let wanted: UInt64?
        if pageShift == 0 {
            wanted = limit > 0 ? 1 : 0
        } else if limit == 0 || pageShift > 62 {
            // A shift of 63 or more has no defined result; no page is that large.
            wanted = nil
        } else {
            wanted = ((limit - 1) >> UInt64(pageShift)) + 1
        }
        guard let wanted, UInt64(codeSlotCount) == wanted else {
            throw FormatFault(
                .inconsistent, at: blob.place(28), in: Self.structure, field: "nCodeSlots",
                value: UInt64(codeSlotCount), limit: wanted ?? 0)
        }
    }
}
