/// What the first bytes of a file say it is.
public enum FileMagic: Hashable, Sendable {
    /// A Mach-O image.
    case image
    /// A universal file with a 32-bit or 64-bit table.
    case universal
    /// Anything else.
    case other

    /// Reads as many as eight bytes.
    ///
    /// The universal magic is also that of Java class files. Their second word is minor and major version, 45 or more;
    /// a universal file whose table counts more than 44 slices is unknown to exist, but one is treated as universal up
    /// to Apple's limit of 100 when its first entry names a known processor, which the caller checks
    /// (``UniversalFile/isPlausible(fileSize:)``).
    public init(_ bytes: some Collection<UInt8>) {
        let word = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard bytes.count >= 4 else {
            self = .other
            return
        }
        switch word {
        case MachHeader.magic32, MachHeader.magic64, MachHeader.swappedMagic32, MachHeader.swappedMagic64:
            self = .image
        case UniversalFile.magic, UniversalFile.swappedMagic, UniversalFile.magic64, UniversalFile.swappedMagic64:
            self = .universal
        default:
            self = .other
        }
    }
}
