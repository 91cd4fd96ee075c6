/// An embedded signature: an index of slots and the blobs it points to (spec 1.1, 1.4; superblob.h).
///
/// Apple's verifier refuses the whole signature when any entry of the index is out of bounds, so that is an error of
/// the whole here too. What it does not check (overlaps, order, unknown or duplicate slots) is kept as it stands.
public struct SuperBlob: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var slot: Slot
        /// Offset from the start of the SuperBlob. 0 counts as absent.
        public var offset: UInt32
        /// The blob, its 8-byte header included. Nil for an entry that counts as absent.
        public var blob: Bytes?

        /// The blob's magic number.
        public var magic: BlobMagic? {
            (try? blob?.integer(at: 0, as: UInt32.self, in: "blob")).map(BlobMagic.init(rawValue:))
        }
    }

    public var magic: BlobMagic
    /// The SuperBlob's own bytes, `length` of them.
    public var bytes: Bytes
    public var entries: [Entry]

    /// Bytes of the fixed header.
    public static let headerBytes: UInt64 = 12

    /// Reads a SuperBlob from the bytes that a load command points to.
    ///
    /// - Parameters:
    ///   - bytes: what could be read at the place, cut at the end of the slice.
    ///   - maximum: the command's `datasize`; 0 means no maximum, as it does at Apple's.
    ///   - expected: the magic number that the place asks for.
    ///   - maximumEntries: entries that this reader is willing to hold.
    /// - Throws: a fault for whatever makes Apple's verifier call the signature's format invalid.
    public init(
        parsing bytes: Bytes, maximum: UInt64, expecting expected: BlobMagic = .embeddedSignature,
        maximumEntries: Int = 1024
    ) throws(FormatFault) {
        let structure = "SuperBlob"
        magic = BlobMagic(rawValue: try bytes.integer(at: 0, in: structure, field: "magic"))
        guard magic == expected else {
            throw FormatFault(
                .badMagic, at: bytes.origin, in: structure, field: "magic", value: UInt64(magic.rawValue),
                limit: UInt64(expected.rawValue))
        }
        let length = UInt64(try bytes.integer(at: 4, as: UInt32.self, in: structure, field: "length"))
        guard length >= Self.headerBytes, maximum == 0 || length <= maximum else {
            throw FormatFault(
                .badSize, at: bytes.place(4), in: structure, field: "length", value: length,
                limit: maximum == 0 ? nil : maximum)
        }
        let whole = try bytes.sub(at: 0, count: length, in: structure, field: "length")
        let count = UInt64(try whole.integer(at: 8, as: UInt32.self, in: structure, field: "count"))
        let indexEnd = Self.headerBytes + 8 * count
        guard indexEnd <= length else {
            throw FormatFault(
                .badSize, at: whole.place(8), in: structure, field: "count", value: count,
                limit: (length - Self.headerBytes) / 8)
        }
        guard count <= UInt64(maximumEntries) else {
            throw FormatFault(
                .limit, at: whole.place(8), in: structure, field: "count", value: count, limit: UInt64(maximumEntries))
        }
        var entries: [Entry] = []
        for index in 0..<count {
            entries.append(try Self.entry(index, in: whole, indexEnd: indexEnd))
        }
        self.bytes = whole
        self.entries = entries
    }

    private static func entry(_ index: UInt64, in whole: Bytes, indexEnd: UInt64) throws(FormatFault) -> Entry {
        let place = headerBytes + 8 * index
        let name = "SuperBlob index #\(index)"
        let slot = Slot(rawValue: try whole.integer(at: place, in: name, field: "type"))
        let offset: UInt32 = try whole.integer(at: place + 4, in: name, field: "offset")
        guard offset != 0 else { return Entry(slot: slot, offset: 0, blob: nil) }
        guard UInt64(offset) >= indexEnd, UInt64(offset) + 8 <= UInt64(whole.count) else {
            throw FormatFault(
                .badOffset, at: whole.place(place + 4), in: name, field: "offset", value: UInt64(offset),
                limit: UInt64(whole.count))
        }
        let size: UInt32 = try whole.integer(at: UInt64(offset) + 4, in: name, field: "length")
        let blob = try whole.sub(at: UInt64(offset), count: UInt64(size), in: name, field: "length")
        return Entry(slot: slot, offset: offset, blob: blob)
    }

    /// The first entry for `slot` that is present. Apple's verifier never looks at a second one.
    public func blob(_ slot: Slot) -> Bytes? {
        entries.first { $0.slot == slot }?.blob
    }

    /// Slots that stand in the index more than once, ascending.
    public var duplicateSlots: [Slot] {
        var seen: Set<Slot> = []
        var twice: Set<Slot> = []
        for entry in entries where !seen.insert(entry.slot).inserted { twice.insert(entry.slot) }
        return twice.sorted()
    }

    /// Runs of bytes, from the start of the SuperBlob, that belong neither to the index nor to any blob.
    public var gaps: [Range<UInt64>] {
        var end = Self.headerBytes + 8 * UInt64(entries.count)
        var found: [Range<UInt64>] = []
        let placed = entries.compactMap { entry in
            entry.blob.map { (start: UInt64(entry.offset), end: UInt64(entry.offset) + UInt64($0.count)) }
        }.sorted { $0.start < $1.start }
        for blob in placed + [(UInt64(bytes.count), UInt64(bytes.count))] {
            if blob.start > end { found.append(end..<blob.start) }
            end = max(end, blob.end)
        }
        return found
    }

    /// Pairs of index positions whose blobs share bytes.
    public var overlaps: [(Int, Int)] {
        let placed = entries.enumerated().compactMap { index, entry in
            entry.blob.map { (index: index, start: UInt64(entry.offset), end: UInt64(entry.offset) + UInt64($0.count)) }
        }.sorted { ($0.start, $0.index) < ($1.start, $1.index) }
        var result: [(Int, Int)] = []
        var reach: (index: Int, end: UInt64)?
        for blob in placed {
            if let last = reach, blob.start < last.end { result.append((last.index, blob.index)) }
            if blob.end > (reach?.end ?? 0) { reach = (blob.index, blob.end) }
        }
        return result
    }
}

extension Bytes {
    /// The payload of a `0xfade0b01` wrapper.
    ///
    /// - Throws: `badMagic` or `badSize` when these bytes are no such wrapper (Apple's verifier: SignatureInvalid when
    ///   the slot is fetched).
    public func unwrapped(in structure: String) throws(FormatFault) -> Bytes {
        let magic = BlobMagic(rawValue: try integer(at: 0, in: structure, field: "magic"))
        guard magic == .wrapper else {
            throw FormatFault(.badMagic, at: origin, in: structure, field: "magic", value: UInt64(magic.rawValue))
        }
        let length: UInt32 = try integer(at: 4, in: structure, field: "length")
        guard length >= 8, UInt64(length) == UInt64(count) else {
            throw FormatFault(
                .badSize, at: place(4), in: structure, field: "length", value: UInt64(length), limit: UInt64(count))
        }
        return suffix(from: 8)
    }
}
