/// Finds what somebody probably meant: for commands, options, choices, finding identifiers. Never acted on, only said.
enum Suggestion {
    /// The candidate closest to `typed`, or nil where none is close. The first of equally close ones wins, so the answer
    /// depends on nothing but the arguments.
    ///
    /// Close is: the beginning of exactly one candidate (three letters or more), or not more than one edit for every
    /// three letters (at least one). An edit inserts, removes or replaces a letter, or swaps two neighbours.
    static func closest(to typed: String, among candidates: [String]) -> String? {
        let wanted = Array(typed.lowercased().unicodeScalars)
        // Bounded: what is longer than any of our names is not one of them mistyped.
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        let begun = candidates.filter { $0.lowercased().unicodeScalars.starts(with: wanted) }
        if wanted.count >= 3, begun.count == 1 { return begun.first }

        var best: (candidate: String, edits: Int)?
        for candidate in candidates {
            let edits = Self.edits(from: wanted, to: Array(candidate.lowercased().unicodeScalars))
            if edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        guard let best, best.edits <= max(1, wanted.count / 3) else { return nil }
        return best.candidate
    }

    /// `; did you mean 'X'?`, or nothing. `prefix` stands before both: `--` for options.
    static func phrase(for typed: String, among candidates: [String], prefix: StaticString = "") -> InertText {
        guard let found = closest(to: typed, among: candidates) else { return "" }
        return "; did you mean '\("\(prefix)" + found)'?"
    }

    /// Edits between two words, a swap of neighbours counting as one (optimal string alignment).
    private static func edits(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var current = [i + 1]
            for j in right.indices {
                let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
                var cost = min(replaced, last[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
