/// One `LC_SEGMENT` or `LC_SEGMENT_64` with its sections.
public struct Segment: Hashable, Sendable {
    public var name: String
    public var vmAddress: UInt64
    public var vmSize: UInt64
    /// `fileoff`, from the start of the slice.
    public var fileOffset: UInt64
    /// `filesize`.
    public var fileSize: UInt64
    public var maximumProtection: UInt32
    public var initialProtection: UInt32
    public var sections: [Section]

    /// One `section` or `section_64`.
    public struct Section: Hashable, Sendable {
        public var name: String
        public var segmentName: String
        public var address: UInt64
        public var size: UInt64
        /// Offset from the start of the slice; 0 for zero-fill sections.
        public var fileOffset: UInt64
        public var flags: UInt32
    }

    /// Reads the fixed part. Sections that do not fit in the command are an error of their own.
    ///
    /// - Throws: `truncated`.
    init(parsing command: LoadCommand, order: ByteOrder) throws(FormatFault) {
        let (bytes, label) = (command.bytes, command.label)
        name = try bytes.fixedText(at: 8, width: 16, in: label)
        let wide = command.kind == .segment64
        let count: UInt32
        if wide {
            vmAddress = try bytes.integer(at: 24, order: order, in: label, field: "vmaddr")
            vmSize = try bytes.integer(at: 32, order: order, in: label, field: "vmsize")
            fileOffset = try bytes.integer(at: 40, order: order, in: label, field: "fileoff")
            fileSize = try bytes.integer(at: 48, order: order, in: label, field: "filesize")
            maximumProtection = try bytes.integer(at: 56, order: order, in: label, field: "maxprot")
            initialProtection = try bytes.integer(at: 60, order: order, in: label, field: "initprot")
            count = try bytes.integer(at: 64, order: order, in: label, field: "nsects")
            _ = try bytes.integer(at: 68, as: UInt32.self, order: order, in: label, field: "flags")
        } else {
            func word(_ offset: UInt64, _ field: String) throws(FormatFault) -> UInt64 {
                UInt64(try bytes.integer(at: offset, as: UInt32.self, order: order, in: label, field: field))
            }
            vmAddress = try word(24, "vmaddr")
            vmSize = try word(28, "vmsize")
            fileOffset = try word(32, "fileoff")
            fileSize = try word(36, "filesize")
            maximumProtection = try bytes.integer(at: 40, order: order, in: label, field: "maxprot")
            initialProtection = try bytes.integer(at: 44, order: order, in: label, field: "initprot")
            count = try bytes.integer(at: 48, order: order, in: label, field: "nsects")
            _ = try bytes.integer(at: 52, as: UInt32.self, order: order, in: label, field: "flags")
        }
        let (start, stride): (UInt64, UInt64) = wide ? (72, 80) : (56, 68)
        guard UInt64(count) * stride <= UInt64(max(0, bytes.count - Int(start))) else {
            throw FormatFault(
                .truncated, at: bytes.origin, in: label, field: "nsects", value: UInt64(count),
                limit: UInt64(max(0, bytes.count - Int(start))) / stride)
        }
        var sections: [Section] = []
        for index in 0..<UInt64(count) {
            let section = try bytes.sub(at: start + index * stride, count: stride, in: label, field: "section")
            sections.append(try Section(parsing: section, wide: wide, order: order, label: label))
        }
        self.sections = sections
    }
}

extension Segment.Section {
    init(parsing bytes: Bytes, wide: Bool, order: ByteOrder, label: String) throws(FormatFault) {
        name = try bytes.fixedText(at: 0, width: 16, in: label)
        segmentName = try bytes.fixedText(at: 16, width: 16, in: label)
        if wide {
            address = try bytes.integer(at: 32, order: order, in: label, field: "addr")
            size = try bytes.integer(at: 40, order: order, in: label, field: "size")
            fileOffset = UInt64(try bytes.integer(at: 48, as: UInt32.self, order: order, in: label, field: "offset"))
            flags = try bytes.integer(at: 64, order: order, in: label, field: "flags")
        } else {
            address = UInt64(try bytes.integer(at: 32, as: UInt32.self, order: order, in: label, field: "addr"))
            size = UInt64(try bytes.integer(at: 36, as: UInt32.self, order: order, in: label, field: "size"))
            fileOffset = UInt64(try bytes.integer(at: 40, as: UInt32.self, order: order, in: label, field: "offset"))
            flags = try bytes.integer(at: 56, order: order, in: label, field: "flags")
        }
    }
}
