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

    /// Positions in the table of slices that come, in the order of the file, after one with a suspicious gap before it:
    /// Apple's reader stops there.
    static func unreachable(_ machO: MachOFacts) -> Set<Int> {
        guard case .universal(let file) = machO.container else { return [] }
        let order = file.slices.indices.sorted { (file.slices[$0].offset, $0) < (file.slices[$1].offset, $1) }
        for suspicion in suspicions(machO) {
            guard let slice = suspicion.before, let position = order.firstIndex(of: slice) else { continue }
            return Set(order[(position + 1)...])
        }
        return []
    }

    /// Every suspicion, in the order of the file, and the slice that it is before.
    static func suspicions(_ machO: MachOFacts) -> [(suspicion: Suspicion, before: Int?)] {
        guard case .universal(let file) = machO.container else { return [] }
        var found: [(Suspicion, Int?)] = []
        let order = file.slices.indices.sorted { (file.slices[$0].offset, $0) < (file.slices[$1].offset, $1) }
        var end = file.tableEnd
        for (position, index) in order.enumerated() {
            let slice = file.slices[index]
            if let offset = machO.gaps.first(where: { $0.before == index })?.nonZero {
                found.append((.content(offset: offset), index))
            } else if slice.offset < end {
                found.append((.gap(before: index), index))
            } else if position > 0 {
                let isWide = slice.alignment > largestAlignment || slice.offset - end >= 1 << UInt64(slice.alignment)
                if isWide { found.append((.gap(before: index), index)) }
            }
            let (sum, overflow) = slice.offset.addingReportingOverflow(slice.size)
            end = overflow ? .max : sum
        }
        if end < machO.fileSize { found.append((.trailing(offset: end, count: machO.fileSize - end), nil)) }
        if end > machO.fileSize { found.append((.truncated(end: end), nil)) }
        return found
    }
}
