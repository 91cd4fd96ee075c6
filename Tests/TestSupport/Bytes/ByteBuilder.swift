/// The order of the bytes of a number in a file.
public enum Endian: Hashable, Sendable {
    case big
    case little
}

/// Appends numbers and bytes in one byte order.
///
/// Signature blobs are always big-endian, archives always little-endian, and a Mach-O image is whichever its magic says.
public struct ByteBuilder: Sendable {
    public private(set) var bytes: [UInt8] = []
    public let endian: Endian

    public init(_ endian: Endian) {
        self.endian = endian
    }

    public var count: Int { bytes.count }

    public mutating func append(_ value: UInt8) { bytes.append(value) }

    /// Appends `value` in the builder's byte order.
    public mutating func append(_ value: some FixedWidthInteger) {
        bytes.append(contentsOf: value.bytes(endian))
    }

    public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends `text` and a NUL.
    public mutating func appendCString(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
    }

    /// Appends `text` cut or zero-padded to `width` bytes, as names of segments and sections are kept.
    public mutating func appendName(_ text: String, width: Int = 16) {
        let name = Array(text.utf8.prefix(width))
        bytes.append(contentsOf: name)
        appendZeros(width - name.count)
    }

    public mutating func appendZeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, count)))
    }

    /// Appends zeros until the count is a multiple of `alignment`.
    public mutating func pad(to alignment: Int) {
        appendZeros(bytes.count.roundedUp(to: alignment) - bytes.count)
    }
}

extension FixedWidthInteger {
    /// The bytes of this number in the given order.
    func bytes(_ endian: Endian) -> [UInt8] {
        withUnsafeBytes(of: endian == .big ? bigEndian : littleEndian) { Array($0) }
    }
}

extension Int {
    /// The least multiple of `alignment` that is not below this number.
    func roundedUp(to alignment: Int) -> Int {
        alignment < 2 ? self : (self + alignment - 1) / alignment * alignment
    }
}
