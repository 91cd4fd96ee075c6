public import MachOReader

/// One code object with everything that follows from the facts by computation alone: slots compared, seal compared.
/// Checks read findings off it; the codesign verdict walks it in Apple's order. Made once.
public struct CodeEvaluation: Sendable {
    /// Position in ``Facts/code``.
    public var number: Int
    public var code: CodeObject
    public var machO: MachOFacts?
    /// One for each slice; a single one without an image for code whose signature lies in files.
    public var slices: [SliceEvaluation]
    /// Position in ``slices`` of the one that the resource and strict phases use.
    public var primary: Int?
    public var seal: SealEvaluation
    /// Links under the seal that lead where strict verification lets none lead.
    var linkFaults: [BundlePath: LinkTargets.Fault] = [:]
    /// Signature parts that are used from files of `_CodeSignature`.
    public var usedComponentFiles: Set<Slot> = []

    public var primarySlice: SliceEvaluation? { primary.map { slices[$0] } }
    public var ruling: CodeDirectoryFacts? { primarySlice?.ruling }
    public var signatureKind: SignatureKind { primarySlice?.kind ?? .unsigned }

    init(_ number: Int, facts: Facts, limits: Limits) {
        self.number = number
        let code = facts.code[number]
        self.code = code
        let machO = code.executable.flatMap { facts.index.resolve($0) }.flatMap { facts[$0]?.machO }
        self.machO = machO
        let detached = facts.detachedSignatures[number]
        let data = Self.slotData(of: code, facts: facts)
        slices = (machO?.slices ?? []).map { slice in
            var evaluation = SliceEvaluation(slice, signature: slice.signatureFacts ?? detached, slotData: data)
            if let embedded = slice.signatureFacts, let detached {
                evaluation.foreignSlots = embedded.askedSlots
                    .filter { embedded.components[$0] == nil && detached.components[$0] != nil }
            }
            return evaluation
        }
        if slices.isEmpty, let detached {
            // Code that is no Mach-O, signed in files: one nameless slice that covers everything.
            let size = code.executable.flatMap { facts[$0]?.size } ?? 0
            let slice = SliceFacts(
                index: 0, offset: 0, size: size, architecture: Architecture(type: 0, subtype: 0),
                image: .fault(FormatFault(.badMagic, at: 0, in: "mach_header")), signature: .present(detached))
            slices = [SliceEvaluation(slice, signature: detached, slotData: data)]
        }
        if let detached, machO?.slices.contains(where: { $0.signatureFacts == nil }) ?? true {
            usedComponentFiles = Set(detached.askedSlots).intersection(detached.components.keys)
        }
        primary = Self.primary(slices.map(\.slice))
        seal = .notABundle
        seal = SealEvaluation(of: self, facts: facts, limits: limits)
    }

    /// The slice that a current Apple machine would pick: arm64e, arm64, x86_64h, x86_64, else the first (spec 2.3).
    static func primary(_ slices: [SliceFacts]) -> Int? {
        let order = ["arm64e", "arm64", "x86_64h", "x86_64"]
        func rank(_ slice: SliceFacts) -> Int { order.firstIndex(of: slice.architecture.name) ?? order.count }
        return slices.indices.min { (rank(slices[$0]), $0) < (rank(slices[$1]), $1) }
    }

    /// Where the data of slots 1 and 3 comes from: files of a bundle, sections of a bare Mach-O (spec 4.4).
    private static func slotData(
        of code: CodeObject, facts: Facts
    ) -> (Slot, SignatureFacts) -> SlotComparison.SlotData {
        func file(_ path: BundlePath?) -> SlotComparison.SlotData {
            guard let path, let real = facts.index.resolve(path), facts.index.isFile(real), let file = facts[real]
            else { return .absent }
            return file.fault.map { .unreadable($0) } ?? .digests(file.digests)
        }
        return { slot, signature in
            if let layout = code.layout {
                if slot == .infoPlist { return file(layout.infoPlist) }
                if slot == .resourceSeal { return file(layout.seal) }
            }
            return signature.componentDigests[slot].map { .digests($0) } ?? .absent
        }
    }
}

extension SliceEvaluation {
    init(
        _ slice: SliceFacts, signature: SignatureFacts?,
        slotData: (Slot, SignatureFacts) -> SlotComparison.SlotData
    ) {
        self.slice = slice
        self.signature = signature
        slots = []
        guard let signature, let directory = signature.ruling?.directory.value else { return }
        slots = SlotComparison.all(directory) { slotData($0, signature) }
        for facts in signature.directories where facts.slot != signature.ruling?.slot {
            guard let other = facts.directory.value, other.hashType.isViable else { continue }
            otherSlots[facts.slot] = SlotComparison.all(other) { slotData($0, signature) }
        }
    }

    /// The outcome for one slot.
    public func outcome(_ slot: Slot) -> SlotComparison.Outcome {
        slots.first { $0.slot == slot }?.outcome ?? .absent
    }
}

extension Facts {
    /// Evaluates every code object.
    func evaluations(limits: Limits) -> [CodeEvaluation] {
        var evaluations = code.indices.map { CodeEvaluation($0, facts: self, limits: limits) }
        for number in evaluations.indices {
            guard let links = evaluations[number].seal.comparison?.scan.links, !links.isEmpty else { continue }
            var around: [CodeEvaluation] = []
            while let parent = (around.last ?? evaluations[number]).code.parent { around.append(evaluations[parent]) }
            guard let targets = LinkTargets(evaluations[number], around: around, facts: self, limits: limits) else {
                continue
            }
            for link in links { evaluations[number].linkFaults[link] = targets.fault(link) }
        }
        return evaluations
    }
}
