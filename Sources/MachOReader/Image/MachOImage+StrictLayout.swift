extension MachOImage {
    /// Where the image itself says that the slice ends: the end of `__LINKEDIT`, or of the string table where a symbol
    /// table comes first (spec 2.5 point 4; macho++.cpp).
    public enum ClaimedEnd: Hashable, Sendable {
        /// `fileoff + filesize` of `__LINKEDIT`.
        case linkedit(UInt64)
        /// `stroff + strsize` of `LC_SYMTAB`, met before any `__LINKEDIT`.
        case stringTable(UInt64)
        /// Neither is there.
        case none
        /// The command that decides is too small for its structure.
        case malformed(FormatFault)

        /// Offset of the end from the start of the slice.
        public var offset: UInt64? {
            switch self {
            case .linkedit(let end), .stringTable(let end): end
            case .none, .malformed: nil
            }
        }
    }

    /// Walks the commands as Apple's strict test does, up to the first one that decides. 32-bit sums wrap there.
    public var claimedEnd: ClaimedEnd {
        var segments = segments.makeIterator()
        for command in commands {
            switch command.kind {
            case .segment, .segment64:
                switch segments.next() {
                case .fault(let fault): return .malformed(fault)
                case .value(let segment) where segment.name == "__LINKEDIT":
                    let sum = segment.fileOffset &+ segment.fileSize
                    return .linkedit(command.kind == .segment ? sum & 0xffff_ffff : sum)
                default: break
                }
            case .symtab:
                switch symbolTable {
                case .fault(let fault): return .malformed(fault)
                case .value(let table): return .stringTable(UInt64(table.stringOffset &+ table.stringSize))
                case nil: break
                }
            default: break
            }
        }
        return .none
    }
}
