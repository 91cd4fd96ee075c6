import MachOReader

/// What is suspicious about how a universal file is put together (spec 2.2; macho++.cpp).
struct UniversalLayout {
    enum Suspicion: Hashable, Sendable {
        /// A byte between header and slices, or between slices, is not zero.
        case content(offset: UInt64)
        /// The gap before a slice is as wide as its alignment or wider, or the alignment is absurd. An overlap counts
        /// as a huge gap.
        case gap(before: Int)
        /// The file goes on after the last slice.
        case trailing(offset: UInt64, count: UInt64)
        /// The file ends before its last slice does.
        case truncated(end: UInt64)
    }

    /// Alignments above this are refused: 1 GiB.
    static let largestAlignment: UInt32 = 30

    /// Every suspicion, in the order of the file, and whether more slices follow each.
    static func suspicions(_ machO: MachOFacts) -> [(suspicion: Suspicion, slicesFollow: Bool)] {
        guard case .universal(let file) = machO.container else { return [] }
        var found: [(Suspicion, Bool)] = []
        let order = file.slices.indices.sorted { (file.slices[$0].offset, $0) < (file.slices[$1].offset, $1) }
        var end = file.tableEnd
        for (position, index) in order.enumerated() {
            let slice = file.slices[index]
            let slicesFollow = position + 1 < order.count
            if let offset = machO.gaps.first(where: { $0.before == index })?.nonZero {
                found.append((.content(offset: offset), slicesFollow))
            } else if slice.offset < end {
                found.append((.gap(before: index), slicesFollow))
            } else if position > 0 {
                let isWide = slice.alignment > largestAlignment || slice.offset - end >= 1 << UInt64(slice.alignment)
                if isWide { found.append((.gap(before: index), slicesFollow)) }
            }
            let (sum, overflow) = slice.offset.addingReportingOverflow(slice.size)
            end = overflow ? .max : sum
        }
        if end < machO.fileSize { found.append((.trailing(offset: end, count: machO.fileSize - end), false)) }
        if end > machO.fileSize { found.append((.truncated(end: end), false)) }
        return found
    }
}
