import MachOReader

/// Which pages of a file to hash, and how.
struct PagePlan: Hashable {
    /// Offset in the file of the first page: the start of the slice.
    var start: UInt64
    /// Bytes to hash from there.
    var limit: UInt64
    /// Bytes of one page; nil when one page covers everything.
    var pageSize: UInt64?
    var algorithm: DigestAlgorithm
}

/// Hashes the pages of one plan while the file streams by, in order.
///
/// The last page is short, never padded. Pages that the file does not reach have no hash (spec 1.10).
final class PageHasher {
    let plan: PagePlan
    private let context: DigestContext
    /// The hashes of the pages so far, one after the other.
    private(set) var hashes: [UInt8] = []
    /// Offset in the file of the next byte to hash.
    private var position: UInt64
    private let end: UInt64
    private let pageSize: UInt64
    /// Bytes hashed into the page that is open.
    private var open: UInt64 = 0

    init(_ plan: PagePlan) throws(DigestFault) {
        self.plan = plan
        context = try DigestContext(plan.algorithm)
        position = plan.start
        let (end, overflow) = plan.start.addingReportingOverflow(plan.limit)
        self.end = overflow ? .max : end
        pageSize = max(1, plan.pageSize ?? plan.limit)
    }

    /// Number of pages that were hashed.
    var count: Int { hashes.count / plan.algorithm.size }

    /// The hash of a page, or nil when the file ended before it.
    func hash(_ page: Int) -> ArraySlice<UInt8>? {
        let size = plan.algorithm.size
        guard page >= 0, page < count else { return nil }
        return hashes[(page * size)..<((page + 1) * size)]
    }

    /// Takes the next bytes of the file. Bytes before the plan's start are passed over.
    func consume(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(DigestFault) {
        guard position < end, offset <= position else { return }
        let skip = position - offset
        guard skip < UInt64(bytes.count) else { return }
        var rest = UnsafeRawBufferPointer(rebasing: bytes[Int(skip)...])
        let wanted = end - position
        if UInt64(rest.count) > wanted { rest = UnsafeRawBufferPointer(rebasing: rest[..<Int(wanted)]) }
        while !rest.isEmpty {
            let piece = Int(min(pageSize - open, UInt64(rest.count)))
            try context.update(UnsafeRawBufferPointer(rebasing: rest[..<piece]))
            open += UInt64(piece)
            position += UInt64(piece)
            rest = UnsafeRawBufferPointer(rebasing: rest[piece...])
            if open == pageSize || position == end { try closePage() }
        }
    }

    /// Ends the last page when the file was shorter than the plan.
    func finish() throws(DigestFault) {
        if open > 0 { try closePage() }
    }

    private func closePage() throws(DigestFault) {
        hashes.append(contentsOf: try context.finish().bytes)
        open = 0
    }
}
