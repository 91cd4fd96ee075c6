import MachOReader

/// What one thread needs to read files, used again for each.
final class FileWorker {
    private let reader: any EntryReader
    private let contexts = DigestContexts()
    private let limits: Limits
    /// Shared by all workers of a run.
    let holdings: Holdings
    private(set) var counters = Counters()

    init(tree: any BundleTree, limits: Limits, holdings: Holdings) throws(ReadFault) {
        reader = try tree.makeReader()
        self.limits = limits
        self.holdings = holdings
    }

    func linkTarget(of entry: TreeEntry) throws(ReadFault) -> [UInt8] { try reader.linkTarget(of: entry) }

    /// The whole contents of a small file.
    func bytes(of entry: TreeEntry, limit: UInt64, named what: String) throws(ReadFault) -> [UInt8] {
        let contents = try reader.open(entry)
        guard contents.size <= limit else { throw .limit(.init(what, value: contents.size, limit: limit)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(contents.size))
        try contents.forEachChunk { (chunk, _) throws(ReadFault) in bytes.append(contentsOf: chunk) }
        count(UInt64(bytes.count))
        return bytes
    }

    /// Digests of bytes that are held already.
    func digests(of bytes: [UInt8], _ algorithms: Set<DigestAlgorithm>) throws(ReadFault) -> DigestSet {
        for algorithm in algorithms { counters.bytesHashed[algorithm, default: 0] += UInt64(bytes.count) }
        return try Self.translate { () throws(DigestFault) in try contexts.digests(bytes, algorithms) }
    }

    /// Reads one file: its digests and, if it is Mach-O, its structure and pages, in one pass over the contents.
    ///
    /// - Parameter capture: also keep the contents, up to that many bytes (a seal file).
    func read(
        _ entry: TreeEntry, algorithms: Set<DigestAlgorithm>, capture: UInt64? = nil
    ) -> (facts: FileFacts, bytes: [UInt8]?) {
        var facts = FileFacts()
        facts.mode = entry.mode
        var kept: [UInt8]? = capture == nil ? nil : []
        do throws(ReadFault) {
            let contents = try reader.open(entry)
            facts.size = contents.size
            facts.mode = contents.mode ?? entry.mode
            if let capture, contents.size > capture {
                throw .limit(.init("bytes of one property list", value: contents.size, limit: capture))
            }
            var machO = try structure(of: contents)
            let hashers = try pageHashers(for: machO)
            facts.digests = try hash(contents, algorithms: algorithms, hashers: hashers) {
                kept?.append(contentsOf: $0)
            }
            if machO != nil { try Self.complete(&machO, hashers: hashers, limits: limits, worker: self) }
            facts.machO = machO
        } catch {
            facts.fault = error
            return (facts, nil)
        }
        return (facts, kept)
    }

    private func structure(of contents: any EntryContents) throws(ReadFault) -> MachOFacts? {
        // The smallest image is a header of 28 bytes, the smallest universal file is larger.
        guard contents.size >= 4 else { return nil }
        let fetch: MachOStructure.Fetch
        if contents.isSeekable {
            fetch = { (range) throws(ReadFault) in try contents.bytes(in: range) }
        } else {
            let streamed = StreamedBytes(contents, limits: limits)
            fetch = { (range) throws(ReadFault) in try streamed.fetch(range) }
        }
        let magic = FileMagic(try fetch(0..<8))
        guard magic != .other else { return nil }
        return try MachOStructure(
            fileSize: contents.size, limits: limits, holdings: holdings, isSeekable: contents.isSeekable, fetch: fetch
        ).read(magic: magic)
    }

    private func pageHashers(for machO: MachOFacts?) throws(ReadFault) -> [PageHasher] {
        var plans: Set<PagePlan> = []
        for slice in machO?.slices ?? [] {
            plans.formUnion(slice.signatureFacts?.pagePlans(sliceOffset: slice.offset) ?? [])
        }
        var hashers: [PageHasher] = []
        for plan in plans { hashers.append(try Self.translate { () throws(DigestFault) in try PageHasher(plan) }) }
        return hashers
    }

    private func hash(
        _ contents: any EntryContents, algorithms: Set<DigestAlgorithm>, hashers: [PageHasher],
        each: (UnsafeRawBufferPointer) -> Void
    ) throws(ReadFault) -> DigestSet {
        var whole: [DigestContext] = []
        for algorithm in algorithms.sorted() {
            whole.append(try Self.translate { () throws(DigestFault) in try contexts.context(algorithm) })
        }
        for context in whole { try Self.translate { () throws(DigestFault) in try context.reset() } }
        var total: UInt64 = 0
        try contents.forEachChunk { (chunk, offset) throws(ReadFault) in
            total += UInt64(chunk.count)
            try Self.translate { () throws(DigestFault) in
                for context in whole { try context.update(chunk) }
                for hasher in hashers { try hasher.consume(chunk, at: offset) }
            }
            each(chunk)
        }
        count(total)
        var digests = DigestSet()
        for context in whole {
            digests[context.algorithm] = try Self.translate { () throws(DigestFault) in try context.finish() }
            counters.bytesHashed[context.algorithm, default: 0] += total
        }
        for hasher in hashers {
            try Self.translate { () throws(DigestFault) in try hasher.finish() }
            counters.bytesHashed[hasher.plan.algorithm, default: 0] += min(hasher.plan.limit, total)
        }
        return digests
    }

    private static func complete(
        _ machO: inout MachOFacts?, hashers: [PageHasher], limits: Limits, worker: FileWorker
    ) throws(ReadFault) {
        guard var facts = machO else { return }
        for position in facts.slices.indices {
            guard case .present(var signature) = facts.slices[position].signature else { continue }
            try translate { () throws(DigestFault) in
                try signature.digest(
                    with: worker.contexts, embeddedInfoPlist: facts.slices[position].embeddedInfoPlist, limits: limits)
            }
            signature.compare(hashers, sliceOffset: facts.slices[position].offset, limits: limits)
            facts.slices[position].signature = .present(signature)
        }
        machO = facts
    }

    /// Completes a signature that lies in files of `_CodeSignature`: its digests, and the pages of `entry`, which such
    /// a signature covers as one generic file.
    func complete(
        _ signature: SignatureFacts, covering entry: TreeEntry
    ) throws(ReadFault) -> SignatureFacts {
        var signature = signature
        try Self.translate { () throws(DigestFault) in
            try signature.digest(with: contexts, embeddedInfoPlist: nil, limits: limits)
        }
        var hashers: [PageHasher] = []
        for plan in signature.pagePlans(sliceOffset: 0) {
            hashers.append(try Self.translate { () throws(DigestFault) in try PageHasher(plan) })
        }
        _ = try hash(try reader.open(entry), algorithms: [], hashers: hashers) { _ in }
        signature.compare(hashers, sliceOffset: 0, limits: limits)
        return signature
    }

    private func count(_ bytes: UInt64) {
        counters.filesRead += 1
        counters.bytesRead += bytes
    }

    private static func translate<Value>(_ body: () throws(DigestFault) -> Value) throws(ReadFault) -> Value {
        do { return try body() } catch { throw .digest(error.function) }
    }
}
