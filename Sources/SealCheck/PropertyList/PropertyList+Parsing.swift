extension PropertyList {
    /// Reads a property list in either format.
    ///
    /// ``PropertyListDocument`` also tells which format it was, and what is odd about the file.
    ///
    /// - Throws: ``PropertyListFault``.
    public init(parsing bytes: [UInt8], limits: Limits = .standard) throws(PropertyListFault) {
        self = try PropertyListDocument(parsing: bytes, limits: limits).value
    }

    /// The format that the first bytes announce. What follows may still be damaged.
    public static func format(of bytes: [UInt8]) -> PropertyListFormat? {
        if bytes.starts(with: "bplist".utf8) { return .binary }
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        let text = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return text.first == UInt8(ascii: "<") ? .xml : nil
    }
}
