/// Object identifiers between the bytes of DER and dotted decimals.
enum ObjectIdentifierText {
    /// `1.2.840…` of the contents of a DER object identifier. Numbers beyond 64 bits lose their upper bits.
    static func dotted(_ oid: [UInt8]) -> String {
        var arcs: [UInt64] = []
        var value: UInt64 = 0
        for byte in oid {
            value = value << 7 | UInt64(byte & 0x7f)
            guard byte & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                let first = min(value / 40, 2)
                arcs += [first, value - first * 40]
            } else {
                arcs.append(value)
            }
            value = 0
        }
        return arcs.map(String.init).joined(separator: ".")
    }

    /// The contents of a DER object identifier; nil for anything but two or more dotted numbers that can be one.
    static func bytes(_ dotted: Substring) -> [UInt8]? {
        let parts = dotted.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
        let arcs = parts.compactMap(\.self)
        guard arcs.count == parts.count, arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40 else { return nil }
        let (first, overflow) = arcs[1].addingReportingOverflow(arcs[0] * 40)
        guard !overflow else { return nil }
        return ([first] + arcs[2...]).flatMap { arc in
            var digits = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                digits.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            return digits.reversed()
        }
    }
}
