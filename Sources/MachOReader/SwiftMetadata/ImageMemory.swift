/// An image's contents by the addresses that its own structures use, read in small windows of the file.
///
/// What the metadata of Swift needs lies scattered over the image. A window that was read is kept, so that neighbours
/// cost nothing; how much is read in all is bounded.
struct ImageMemory<Failure: Error> {
    /// Bytes of a range of the slice, cut at its end.
    typealias Read = (Range<UInt64>) throws(Failure) -> Bytes

    /// In the order of their commands, which classic bind information counts by.
    let segments: [Segment]
    let order: ByteOrder
    private let read: Read
    private var windows: [UInt64: Bytes] = [:]

    /// A window is large enough that a section is read in a few, and small enough that a lone name is cheap.
    private static var windowBytes: UInt64 { 1 << 16 }
    /// Windows that are read at most: 64 MiB, several times what the metadata of the largest apps has.
    private static var maximumWindows: Int { 1_024 }

    init(segments: [Segment], order: ByteOrder, read: @escaping Read) {
        self.segments = segments
        self.order = order
        self.read = read
    }

    /// The address of the first segment that maps the header: what offsets in chained fixups count from.
    var base: UInt64 { segments.first { $0.fileOffset == 0 && $0.fileSize > 0 }?.vmAddress ?? 0 }

    /// `count` bytes of the file; nil where it ends before, or the bound on reading is reached.
    mutating func file(at offset: UInt64, count: UInt64) throws(Failure) -> Bytes? {
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard !overflow, count <= 1 << 24 else { return nil }
        let first = offset / Self.windowBytes
        if count > 0, (end - 1) / Self.windowBytes == first {
            guard let window = try window(first) else { return nil }
            return try? window.sub(at: offset - first * Self.windowBytes, count: count, in: "Swift metadata")
        }
        let bytes = try read(offset..<end)
        return UInt64(bytes.count) == count ? bytes : nil
    }

    private mutating func window(_ number: UInt64) throws(Failure) -> Bytes? {
        if let window = windows[number] { return window }
        guard windows.count < Self.maximumWindows else { return nil }
        let start = number * Self.windowBytes
        let window = try read(start..<(start + Self.windowBytes))
        windows[number] = window
        return window
    }

    /// `count` bytes at an address; nil where no segment maps them from the file.
    mutating func bytes(at address: UInt64, count: UInt64) throws(Failure) -> Bytes? {
        guard let offset = fileOffset(of: address, count: count) else { return nil }
        return try file(at: offset, count: count)
    }

    /// A text at an address, ended by a zero byte within `limit` bytes.
    mutating func text(at address: UInt64, limit: UInt64 = 1_024) throws(Failure) -> String? {
        guard let segment = segment(at: address) else { return nil }
        let available = min(limit, segment.vmAddress + segment.fileSize - address)
        guard let bytes = try bytes(at: address, count: available),
            let end = bytes.slice.firstIndex(of: 0)
        else { return nil }
        return String(validating: bytes.slice[..<end], as: UTF8.self)
    }

    mutating func word(at address: UInt64) throws(Failure) -> UInt32? {
        let order = order
        return try bytes(at: address, count: 4).flatMap { try? $0.integer(at: 0, order: order, in: "Swift metadata") }
    }

    mutating func pointer(at address: UInt64) throws(Failure) -> UInt64? {
        let order = order
        return try bytes(at: address, count: 8).flatMap { try? $0.integer(at: 0, order: order, in: "Swift metadata") }
    }

    /// The address that a relative pointer at `address` leads to, its lowest bits aside; nil for null.
    mutating func relative(at address: UInt64, mask: Int32 = ~0) throws(Failure) -> (target: UInt64, low: Int32)? {
        guard let word = try word(at: address) else { return nil }
        let distance = Int32(bitPattern: word)
        guard distance != 0 else { return nil }
        let target = address.addingReportingOverflow(UInt64(bitPattern: Int64(distance & mask))).partialValue
        return (target, distance & ~mask)
    }

    /// The segment whose bytes in the file hold an address.
    func segment(at address: UInt64) -> Segment? {
        segments.first { $0.vmAddress <= address && address - $0.vmAddress < $0.fileSize }
    }

    private func fileOffset(of address: UInt64, count: UInt64) -> UInt64? {
        guard let segment = segment(at: address) else { return nil }
        let inside = address - segment.vmAddress
        guard count <= segment.fileSize - inside else { return nil }
        let (offset, overflow) = segment.fileOffset.addingReportingOverflow(inside)
        return overflow ? nil : offset
    }
}
