/// Holds a binary property list against CoreFoundation's rules and our limits, before libplist may see it.
///
/// Objects refer to each other by number, so a small file can say something huge: an array of ten references to an
/// array of ten references… The scan visits every object that the root reaches once, and works out from below what it
/// stands for when written out: nodes, bytes of text and data, levels. libplist does write it out; an object that
/// contains itself never gets there.
///
/// The rules are those of `CFBinaryPList.c` (swift-corelibs-foundation): the offset table fills the file up to the
/// trailer, numbers in the trailer are wide enough, every offset points into the objects. Stricter than CoreFoundation,
/// since libplist would read something else, or nothing, or since no writer goes there: versions other than `00`; sets,
/// null, and keys that are not strings; whole numbers of 16 bytes that need more than 8; counts of more than 8 bytes;
/// UIDs of more than 8; NUL, unpaired surrogates, and bytes beyond ASCII in what claims to be ASCII.
struct BinaryPrescan {
    private let bytes: [UInt8]
    private let limits: Limits
    private let trailer: Trailer
    private let maximumDepth: Int
    /// What each object stands for, once that is known.
    private var costs: [Cost?]
    private var isOpen: [Bool]
    private var containers: [Container] = []
    /// Bytes and steps of all objects that were visited, each once, and a node for every reference that was followed.
    /// No more than the root's ``Cost``, and known earlier: it bounds the scan itself.
    private var visited = Cost()

    static func check(_ bytes: [UInt8], limits: Limits) throws(PropertyListFault) {
        var scan = try BinaryPrescan(bytes, limits: limits)
        try scan.run()
    }

    private init(_ bytes: [UInt8], limits: Limits) throws(PropertyListFault) {
        self.bytes = bytes
        self.limits = limits
        trailer = try Trailer(bytes)
        maximumDepth = min(limits.propertyListDepth, XMLPrescan.greatestDepth)
        guard trailer.objectCount <= limits.propertyListNodes else {
            throw .limit(
                .init(
                    "nodes of the property list", value: UInt64(trailer.objectCount),
                    limit: UInt64(limits.propertyListNodes)))
        }
        costs = Array(repeating: nil, count: trailer.objectCount)
        isOpen = Array(repeating: false, count: trailer.objectCount)
        for number in 0..<trailer.objectCount { _ = try offset(of: number) }
    }
}

// MARK: - The trailer

extension BinaryPrescan {
    /// The last 32 bytes, and what follows from them.
    struct Trailer {
        let offsetSize: Int
        let referenceSize: Int
        let objectCount: Int
        let root: Int
        /// Where the offset table begins, and the objects end.
        let table: Int

        init(_ bytes: [UInt8]) throws(PropertyListFault) {
            guard bytes.starts(with: "bplist00".utf8) else {
                throw .malformed("an unknown version of the binary format")
            }
            // Magic, one object, one offset, trailer.
            guard bytes.count >= 8 + 1 + 1 + 32 else { throw .malformed("the file ends within its trailer") }
            let start = bytes.count - 32
            func number(_ place: Int) -> UInt64 { bytes[(start + place)..<(start + place + 8)].bigEndianNumber }
            offsetSize = Int(bytes[start + 6])
            referenceSize = Int(bytes[start + 7])
            guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
                throw .malformed("the trailer has a size of \(offsetSize) or \(referenceSize) bytes for a number")
            }
            let (count, root, table) = (number(8), number(16), number(24))
            guard table >= 9, table < UInt64(start) else { throw .malformed("the offset table is outside of the file") }
            let (tableSize, overflows) = count.multipliedReportingOverflow(by: UInt64(offsetSize))
            guard !overflows, tableSize == UInt64(start) - table else {
                throw .malformed("the offset table does not end where the trailer begins")
            }
            guard root < count else { throw .malformed("the root is object \(root) of \(count)") }
            guard Self.fits(count, in: referenceSize), Self.fits(table, in: offsetSize) else {
                throw .malformed("the trailer's numbers are too narrow for the file")
            }
            // All are below the size of the file by now.
            objectCount = Int(count)
            self.root = Int(root)
            self.table = Int(table)
        }

        /// CoreFoundation wants one value more than there can be.
        private static func fits(_ value: UInt64, in size: Int) -> Bool { size == 8 || value < 1 << (8 * UInt64(size)) }
    }

    private func offset(of number: Int) throws(PropertyListFault) -> Int {
        let place = trailer.table + number * trailer.offsetSize
        let offset = bytes[place..<(place + trailer.offsetSize)].bigEndianNumber
        guard offset >= 8, offset < UInt64(trailer.table) else {
            throw .malformed("object \(number) is outside of the objects, at byte \(place)")
        }
        return Int(offset)
    }
}

// MARK: - The walk

extension BinaryPrescan {
    /// What an object stands for when everything that it refers to is written out in its place.
    private struct Cost {
        var nodes = 0
        /// Of strings and data.
        var bytes: UInt64 = 0
        /// See ``LibPlistWork``.
        var steps = 0
        /// Levels of containers.
        var height = 0
        var isString = false

        mutating func add(_ part: Cost) {
            // Each sum is compared with its limit before the next one: none comes near overflowing.
            nodes += part.nodes
            bytes += part.bytes
            steps += part.steps
            height = max(height, part.height)
        }
    }

    /// A container whose references are being followed.
    private struct Container {
        var number: Int
        /// Where its references are.
        var references: Range<Int>
        /// References before this place are keys.
        var keysEnd: Int
        var cost: Cost
    }

    private mutating func run() throws(PropertyListFault) {
        try visit(trailer.root, asKey: false)
        while let container = containers.last {
            guard container.references.isEmpty else {
                let place = container.references.lowerBound
                let end = place + trailer.referenceSize
                containers[containers.count - 1].references = end..<container.references.upperBound
                let reference = bytes[place..<end].bigEndianNumber
                guard reference < UInt64(trailer.objectCount) else {
                    throw .malformed("object \(reference) does not exist, at byte \(place)")
                }
                try visit(Int(reference), asKey: place < container.keysEnd)
                continue
            }
            containers.removeLast()
            isOpen[container.number] = false
            var cost = container.cost
            cost.height += 1
            costs[container.number] = cost
            try addToContainer(cost)
        }
    }

    /// Opens a container; adds anything else, and what is known already, to the innermost open one.
    private mutating func visit(_ number: Int, asKey: Bool) throws(PropertyListFault) {
        if let cost = costs[number] {
            if asKey, !cost.isString { throw .malformed("object \(number) is a key and no string") }
            return try addToContainer(cost)
        }
        if isOpen[number] { throw .malformed("object \(number) contains itself") }
        let object = try Object(at: try offset(of: number), in: bytes, trailer: trailer)
        if asKey, !object.isString { throw .malformed("object \(number) is a key and no string") }
        var cost = Cost(nodes: 1, isString: object.isString)
        switch object.kind {
        case .scalar(let needsWritingOut):
            cost.steps = needsWritingOut ? LibPlistWork.writingOut : 0
        case .data(let count), .text(let count, _):
            cost.bytes = UInt64(count)
        case .container:
            break
        }
        visited.bytes += cost.bytes
        visited.steps += cost.steps
        try check(visited)
        if case .container(let references, let keysEnd) = object.kind {
            isOpen[number] = true
            containers.append(
                Container(number: number, references: references, keysEnd: keysEnd, cost: cost))
            return try checkDepth(containers.count)
        }
        try object.checkText(in: bytes)
        costs[number] = cost
        try addToContainer(cost)
    }

    private mutating func addToContainer(_ cost: Cost) throws(PropertyListFault) {
        guard let last = containers.indices.last else { return }
        visited.nodes += 1
        try check(visited)
        containers[last].cost.add(cost)
        try check(containers[last].cost)
        try checkDepth(containers.count + cost.height)
    }

    private func check(_ cost: Cost) throws(PropertyListFault) {
        try check(UInt64(cost.nodes), limit: UInt64(limits.propertyListNodes), "nodes of the property list")
        try check(cost.bytes, limit: limits.propertyListBytes, "bytes of the property list when written out")
        try check(UInt64(cost.steps), limit: UInt64(LibPlistWork.limit), "steps to read the property list")
    }

    private func checkDepth(_ depth: Int) throws(PropertyListFault) {
        try check(UInt64(depth), limit: UInt64(maximumDepth), "levels of the property list")
    }

    private func check(_ value: UInt64, limit: UInt64, _ what: String) throws(PropertyListFault) {
        if value > limit { throw .limit(.init(what, value: value, limit: limit)) }
    }
}

extension ArraySlice<UInt8> {
    /// The number that up to eight bytes make.
    var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
