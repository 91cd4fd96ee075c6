/// Counts the steps that libplist would take where it takes more than in proportion to the file, so that a file of a few
/// megabytes cannot hold a processor for hours.
///
/// What a step costs differs; some ten nanoseconds are typical. ``limit`` is what the largest seal that
/// ``Limits/propertyListNodes`` allows needs, twice over.
struct LibPlistWork {
    static let limit = 1 << 26

    private var steps = 0
    /// Hashes of the keys of all open dictionaries; rotated, so that sorting brings those of one bucket together.
    private var hashes: [UInt32] = []
    private var starts: [Int] = []

    /// References are replaced one by one, and the rest of the text moves each time.
    mutating func replaceReferences(_ references: Int, inTextOf length: Int) throws(PropertyListFault) {
        // Bytes move 64 at a time.
        let (moved, overflows) = references.multipliedReportingOverflow(by: length / 64)
        try add(overflows ? .max : moved)
    }

    mutating func openDictionary() { starts.append(hashes.count) }

    /// libplist hashes a key with Bernstein's function, over `char` of the platform's sign.
    mutating func addKey(_ text: [UInt8]) {
        var hash: UInt32 = 5381
        for byte in text { hash = hash &* 33 &+ UInt32(truncatingIfNeeded: CChar(truncatingIfNeeded: byte)) }
        hashes.append(hash << 20 | hash >> 12)
    }

    /// From 250 entries on a dictionary has a table of 4,096 buckets, each a list that is searched from its start; an
    /// entry that is named again is looked for among all entries, twice. Below that every search passes all entries,
    /// and costs what it costs.
    mutating func closeDictionary() throws(PropertyListFault) {
        guard let start = starts.popLast() else { return }
        defer { hashes.removeSubrange(start...) }
        let count = hashes.count - start
        guard count > 250 else { return }
        hashes[start...].sort()
        var searched = 0
        var repeated = 0
        var inBucket = 0
        for index in (start + 1)..<hashes.count {
            inBucket = hashes[index] >> 20 == hashes[index - 1] >> 20 ? inBucket + 1 : 0
            searched += inBucket
            if hashes[index] == hashes[index - 1] { repeated += 1 }
        }
        let (walked, overflows) = repeated.multipliedReportingOverflow(by: 2 * count)
        try add(overflows ? .max : walked)
        try add(searched)
    }

    /// A value that ``LibPlistConversion`` cannot ask for but has to have written out.
    mutating func writeOut() throws(PropertyListFault) { try add(Self.writingOut) }
    static let writingOut = 200

    mutating func add(_ more: Int) throws(PropertyListFault) {
        let (sum, overflows) = steps.addingReportingOverflow(more)
        steps = overflows ? .max : sum
        guard steps <= Self.limit else {
            throw .limit(
                .init("steps to read the property list", value: UInt64(steps), limit: UInt64(Self.limit)))
        }
    }
}
