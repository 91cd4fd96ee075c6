import MachOReader

/// Reads the structure of a Mach-O file: headers, commands, signatures, gaps. Everything but the pages.
///
/// Reads are small and random; the bulk of the file is left to the one pass that hashes it.
struct MachOStructure {
    /// Bytes of a range of the file, cut at its end.
    typealias Fetch = (Range<UInt64>) throws(ReadFault) -> [UInt8]

    let fileSize: UInt64
    let limits: Limits
    let holdings: Holdings
    /// Whether any range can be had without reading all before it. What only people want to know, and what lies
    /// scattered over the file, is not read otherwise.
    let isSeekable: Bool
    let fetch: Fetch

    /// The structure of a file whose first bytes have a Mach-O magic, or nil when it only looks like one: a Java class
    /// file shares the universal magic (field case NEST-13).
    func read(magic: FileMagic) throws(ReadFault) -> MachOFacts? {
        switch magic {
        case .other: return nil
        case .image:
            let slice = try slice(index: 0, offset: 0, size: fileSize, architecture: nil)
            return MachOFacts(container: .thin, fileSize: fileSize, slices: [slice], gaps: [])
        case .universal:
            return try universal()
        }
    }

    private func universal() throws(ReadFault) -> MachOFacts? {
        let head = Bytes(try fetch(0..<min(fileSize, UniversalFile.headerBytes)))
        let file: UniversalFile
        switch Parsed(catching: { () throws(FormatFault) in try UniversalFile(parsing: head) }) {
        case .fault(let fault):
            guard UniversalFile.isPlausibleStart(head) else { return nil }
            return MachOFacts(container: .malformed(fault), fileSize: fileSize, slices: [], gaps: [])
        case .value(let value):
            guard value.isPlausible(fileSize: fileSize) else { return nil }
            file = value
        }
        var slices: [SliceFacts] = []
        for (index, entry) in file.slices.enumerated() {
            slices.append(
                try slice(index: index, offset: entry.offset, size: entry.size, architecture: entry.architecture))
        }
        return MachOFacts(
            container: file.is64Bit ? .universal64(file) : .universal(file), fileSize: fileSize, slices: slices,
            gaps: try gaps(file))
    }

    private func slice(
        index: Int, offset: UInt64, size: UInt64, architecture: Architecture?
    ) throws(ReadFault) -> SliceFacts {
        let image = try image(at: offset, size: size)
        var facts = SliceFacts(
            index: index, offset: offset, size: size,
            architecture: architecture ?? image.value?.architecture ?? Architecture(type: 0, subtype: 0), image: image,
            signature: .none)
        guard let parsed = image.value else { return facts }
        facts.embeddedInfoPlist = try embeddedInfoPlist(parsed, sliceOffset: offset)
        facts.signature = try signature(parsed, sliceOffset: offset)
        facts.swiftMetadata = try swiftMetadata(parsed, sliceOffset: offset)
        return facts
    }

    private func swiftMetadata(
        _ image: MachOImage, sliceOffset: UInt64
    ) throws(ReadFault) -> Parsed<SwiftMetadata>? {
        guard image.hasSwiftMetadata else { return nil }
        guard isSeekable else { return .fault(FormatFault(.limit, at: 0, in: "Swift metadata", value: fileSize)) }
        return try image.swiftMetadata { (range) throws(ReadFault) in try bytes(range, ofSliceAt: sliceOffset) }
    }

    /// The bytes of a range of a slice, cut at the end of the file. A slice's own size bounds nothing: Apple's reader
    /// does not stop there either.
    private func bytes(_ range: Range<UInt64>, ofSliceAt offset: UInt64) throws(ReadFault) -> Bytes {
        let (start, startOverflow) = offset.addingReportingOverflow(range.lowerBound)
        let (end, endOverflow) = offset.addingReportingOverflow(range.upperBound)
        guard !startOverflow, start < fileSize else { return Bytes([], origin: range.lowerBound) }
        let stop = endOverflow ? fileSize : min(end, fileSize)
        return Bytes(try fetch(start..<max(start, stop)), origin: range.lowerBound)
    }

    private func image(at offset: UInt64, size: UInt64) throws(ReadFault) -> Parsed<MachOImage> {
        let head = try bytes(0..<MachOImage.headerBytes, ofSliceAt: offset)
        let header: MachHeader
        switch Parsed(catching: { () throws(FormatFault) in try MachHeader(parsing: head) }) {
        case .fault(let fault): return .fault(fault)
        case .value(let value): header = value
        }
        guard header.commandBytes <= limits.loadCommandBytes else {
            return .fault(
                FormatFault(
                    .limit, at: 20, in: "mach_header", field: "sizeofcmds", value: UInt64(header.commandBytes),
                    limit: UInt64(limits.loadCommandBytes)))
        }
        let whole = try bytes(0..<(header.size + UInt64(header.commandBytes)), ofSliceAt: offset)
        return Parsed { () throws(FormatFault) in try MachOImage(parsing: whole) }
    }

    private func embeddedInfoPlist(_ image: MachOImage, sliceOffset: UInt64) throws(ReadFault) -> Bytes? {
        let section = image.segments.lazy.compactMap(\.value).flatMap(\.sections)
            .first { $0.segmentName == "__TEXT" && $0.name == "__info_plist" }
        guard let section, section.size <= limits.infoPlistBytes else { return nil }
        let (end, overflow) = section.fileOffset.addingReportingOverflow(section.size)
        guard !overflow else { return nil }
        return try bytes(section.fileOffset..<end, ofSliceAt: sliceOffset)
    }

    private func signature(_ image: MachOImage, sliceOffset: UInt64) throws(ReadFault) -> SliceFacts.Signature {
        guard let command = image.codeSignature else { return .none }
        guard let data = command.value else {
            return .malformed(
                command.fault ?? FormatFault(.truncated, at: 0, in: "LC_CODE_SIGNATURE"))
        }
        // With datasize 0 Apple's reader knows no upper bound but the blob's own length.
        let start = UInt64(data.offset)
        let header = try bytes(start..<(start + SuperBlob.headerBytes), ofSliceAt: sliceOffset)
        let length = UInt64((try? header.integer(at: 4, as: UInt32.self, in: "SuperBlob")) ?? 0)
        guard length <= limits.signatureBytes else {
            throw .exceeded("bytes of one signature", length, limits.signatureBytes)
        }
        try holdings.holdSignature(length)
        let blob = try bytes(start..<(start + max(length, SuperBlob.headerBytes)), ofSliceAt: sliceOffset)
        let entries = limits.superBlobEntries
        let parsed = Parsed { () throws(FormatFault) in
            try SuperBlob(parsing: blob, maximum: UInt64(data.size), maximumEntries: entries)
        }
        switch parsed {
        case .fault(let fault): return .malformed(fault)
        case .value(let superBlob):
            var facts = SignatureFacts(superBlob: superBlob, limits: limits)
            facts.offset = start
            facts.reservedSize = UInt64(data.size)
            return .present(facts)
        }
    }

    /// The gaps of a universal file, sorted, and whether they hold anything (spec 2.2).
    private func gaps(_ file: UniversalFile) throws(ReadFault) -> [MachOFacts.Gap] {
        var gaps: [MachOFacts.Gap] = []
        var reach = file.tableEnd
        let order = file.slices.indices.sorted { (file.slices[$0].offset, $0) < (file.slices[$1].offset, $1) }
        for index in order {
            let slice = file.slices[index]
            if slice.offset > reach {
                gaps.append(try gap(reach..<min(slice.offset, max(reach, fileSize)), before: index))
            }
            let (end, overflow) = slice.offset.addingReportingOverflow(slice.size)
            reach = max(reach, overflow ? .max : end)
        }
        if reach < fileSize { gaps.append(try gap(reach..<fileSize, before: nil)) }
        return gaps
    }

    private func gap(_ range: Range<UInt64>, before: Int?) throws(ReadFault) -> MachOFacts.Gap {
        var gap = MachOFacts.Gap(range: range, before: before, nonZero: nil)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let end = min(range.upperBound, offset + (1 << 20))
            let piece = try fetch(offset..<end)
            if let position = piece.firstIndex(where: { $0 != 0 }) {
                gap.nonZero = offset + UInt64(position)
                break
            }
            if piece.isEmpty { break }
            offset = end
        }
        return gap
    }
}
