import MachOReader

extension SignatureFacts {
    /// The facts of an embedded signature, digests and pages still missing.
    init(superBlob: SuperBlob, limits: Limits) {
        var components: [Slot: Bytes] = [:]
        // The first entry of a slot is the one that counts, present or not.
        for entry in superBlob.entries.reversed() { components[entry.slot] = entry.blob }
        self.init(components: components, superBlob: superBlob, limits: limits)
    }

    /// The facts of a signature given its components. Those that lie in files are there without a wrapper.
    init(components: [Slot: Bytes], superBlob: SuperBlob? = nil, limits: Limits) {
        self.components = components
        self.superBlob = superBlob
        offset = 0
        reservedSize = 0
        directories = []
        componentDigests = [:]
        wrapperFaults = [:]
        message = nil
        entitlements = Entitlements(xml: components[.entitlements], der: components[.entitlementsDER], limits: limits)
        var slot = Slot.codeDirectory
        while let blob = components[slot] {
            directories.append(CodeDirectoryFacts(slot: slot, blob: blob))
            slot = slot == .codeDirectory ? .firstAlternate : Slot(rawValue: slot.rawValue + 1)
            if slot != .firstAlternate, !slot.isAlternate { break }
        }
        for (slot, blob) in components where slot.isWrapped && superBlob != nil {
            if let fault = Parsed(catching: { () throws(FormatFault) in try blob.unwrapped(in: slot.name) }).fault {
                wrapperFaults[slot] = fault
            }
        }
    }

    /// The functions that this signature's viable CodeDirectories use.
    var algorithms: Set<DigestAlgorithm> {
        Set(directories.compactMap { $0.directory.value?.hashType.algorithm })
    }

    /// The bytes of a component as a CodeDirectory hashes them.
    func hashedBytes(_ slot: Slot) -> Bytes? {
        guard let blob = components[slot] else { return nil }
        return slot.isWrapped && superBlob != nil ? try? blob.unwrapped(in: slot.name) : blob
    }

    /// Computes cdhashes and the digests of components, and checks the message of a certificate's signature. For a bare
    /// Mach-O slot 1 is its `__TEXT,__info_plist`.
    mutating func digest(
        with contexts: DigestContexts, embeddedInfoPlist: Bytes?, limits: Limits
    ) throws(DigestFault) {
        var digests: [Digest?] = []
        for position in directories.indices {
            guard let directory = directories[position].directory.value,
                let algorithm = directory.hashType.algorithm
            else {
                digests.append(nil)
                continue
            }
            let digest = try contexts.digest(directory.blob.slice, algorithm)
            directories[position].cdhash = digest.prefix(20)
            digests.append(digest)
        }
        // Of ad-hoc code the message is not even fetched (spec 3).
        if let flags = ruling?.directory.value?.flags, !flags.contains(.adhoc), case .present(let bytes) = cms {
            message = SignatureMessage(
                checking: bytes.slice, over: Array(zip(directories, digests)), limits: limits)
        }
        let algorithms = algorithms
        for slot in (1...Slot.highestSpecial).map(Slot.init(rawValue:)) {
            guard let bytes = slot == .infoPlist ? embeddedInfoPlist : hashedBytes(slot) else { continue }
            componentDigests[slot] = try contexts.digests(bytes.slice, algorithms)
        }
    }

    /// The pages to hash for this signature: those of the ruling CodeDirectory, once for each function in use
    /// (spec 1.7 point 5). Empty when the CodeDirectories are unusable.
    func pagePlans(sliceOffset: UInt64) -> [PagePlan] {
        guard let ruling = ruling?.directory.value else { return [] }
        return algorithms.sorted().map {
            PagePlan(start: sliceOffset, limit: ruling.codeLimit, pageSize: ruling.pageSize, algorithm: $0)
        }
    }

    /// Compares hashed pages with every viable CodeDirectory, as far as the ruling one reaches.
    mutating func compare(_ hashers: [PageHasher], sliceOffset: UInt64, limits: Limits) {
        guard let ruling = ruling?.directory.value else { return }
        for position in directories.indices {
            guard let directory = directories[position].directory.value,
                let algorithm = directory.hashType.algorithm,
                let hasher = hashers.first(where: { $0.plan.start == sliceOffset && $0.plan.algorithm == algorithm })
            else { continue }
            directories[position].pages = PageFacts(
                comparing: hasher, with: directory, count: Int(ruling.codeSlotCount), listed: limits.listedFaults)
        }
    }
}

extension CodeDirectoryFacts {
    init(slot: Slot, blob: Bytes) {
        self.slot = slot
        directory = Parsed { () throws(FormatFault) in try CodeDirectory(parsing: blob) }
        integrity = directory.value?.integrityFault()
        cdhash = nil
        pages = nil
    }
}

extension PageFacts {
    init(comparing hasher: PageHasher, with directory: CodeDirectory, count: Int, listed: Int) {
        self.count = count
        pageSize = hasher.plan.pageSize
        mismatchCount = 0
        mismatches = []
        let width = Int(directory.hashSize)
        // Validated before any page is hashed; an array that is not there compares as different.
        let expected = (try? directory.codeHashes().slice) ?? []
        for page in 0..<count {
            let start = expected.startIndex + page * width
            let want = start + width <= expected.endIndex ? expected[start..<(start + width)] : nil
            let have = hasher.hash(page)
            if let want, let have, want.elementsEqual(have.prefix(width)) { continue }
            mismatchCount += 1
            if mismatches.count < listed {
                mismatches.append(
                    Mismatch(
                        page: page, expected: want.map { Digest($0) }, actual: have.map { Digest($0.prefix(width)) }))
            }
        }
    }
}
