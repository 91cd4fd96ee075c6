import MachOReader

/// The requirement that a seal records for ad-hoc nested code: a list of cdhashes joined with `or` (spec 3, 6.4).
struct CDHashRequirement: Hashable, Sendable {
    var hashes: [Digest]

    /// Reads `cdhash H"…" or cdhash H"…"`, each hash in parentheses or not; nil for any other requirement.
    init?(parsing text: ByteString) {
        hashes = []
        let plain = text.lossyText
        let bare = plain.replacing("(cdhash H\"", with: "cdhash H\"").replacing("\")", with: "\"")
        // As many were opened as closed, each around one hash, or it is another requirement.
        guard plain.count(where: { $0 == "(" }) == plain.count(where: { $0 == ")" }), !bare.contains("("),
            !bare.contains(")")
        else { return nil }
        let words = bare.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" })
        guard !words.isEmpty else { return nil }
        for (position, word) in words.enumerated() {
            switch position % 3 {
            case 0: guard word == "cdhash" else { return nil }
            case 1:
                guard word.hasPrefix("H\""), word.hasSuffix("\""), let hash = Self.hash(word.dropFirst(2).dropLast())
                else { return nil }
                hashes.append(hash)
            default: guard word == "or" else { return nil }
            }
        }
        // The last word must be a hash.
        guard words.count % 3 == 2 else { return nil }
    }

    private static func hash(_ digits: Substring) -> Digest? {
        guard digits.utf8.count == 40 else { return nil }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return Digest(bytes)
    }
}
