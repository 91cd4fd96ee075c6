/// Random access to contents that can only be streamed: an archive entry too large to be held.
///
/// The head and the tail are kept from the first pass: headers lie in one, the signature of a thin file in the other.
/// Any other range costs a pass of its own, which only universal files of that size ever need.
final class StreamedBytes {
    private let contents: any EntryContents
    private let limits: Limits
    private var pieces: [(start: UInt64, bytes: [UInt8])] = []
    private(set) var passes = 0

    private static let headBytes: UInt64 = 1 << 20

    init(_ contents: any EntryContents, limits: Limits) {
        self.contents = contents
        self.limits = limits
    }

    func fetch(_ range: Range<UInt64>) throws(ReadFault) -> [UInt8] {
        let range = range.clamped(to: 0..<contents.size)
        if range.isEmpty { return [] }
        if passes == 0 {
            // One hash of 52 bytes (SHA-1 and SHA-256) for each 4 KiB is 1.3 % of a file: 1/64 holds that.
            let tail = min(limits.signatureBytes, max(Self.headBytes, contents.size / 64))
            try capture([
                0..<min(Self.headBytes, contents.size), (contents.size - min(tail, contents.size))..<contents.size,
            ])
        }
        if let bytes = captured(range) { return bytes }
        guard UInt64(range.count) <= limits.signatureBytes else {
            throw .limit(
                Limits.Exceeded("bytes of one structure", value: UInt64(range.count), limit: limits.signatureBytes))
        }
        guard passes < limits.streamedPasses else {
            throw .exceeded("passes over a large archive entry", UInt64(passes) + 1, UInt64(limits.streamedPasses))
        }
        try capture([range])
        return captured(range) ?? []
    }

    private func captured(_ range: Range<UInt64>) -> [UInt8]? {
        for piece in pieces where piece.start <= range.lowerBound {
            guard range.upperBound <= piece.start + UInt64(piece.bytes.count) else { continue }
            return Array(piece.bytes[Int(range.lowerBound - piece.start)..<Int(range.upperBound - piece.start)])
        }
        return nil
    }

    private func capture(_ ranges: [Range<UInt64>]) throws(ReadFault) {
        passes += 1
        var fresh = ranges.map { (start: $0.lowerBound, bytes: [UInt8]()) }
        try contents.forEachChunk { (chunk, offset) throws(ReadFault) in
            let here = offset..<(offset + UInt64(chunk.count))
            for (index, range) in ranges.enumerated() {
                let part = range.clamped(to: here)
                guard !part.isEmpty else { continue }
                let slice = chunk[Int(part.lowerBound - offset)..<Int(part.upperBound - offset)]
                fresh[index].bytes.append(contentsOf: slice)
            }
        }
        pieces.append(contentsOf: fresh)
    }
}
