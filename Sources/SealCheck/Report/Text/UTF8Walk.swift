/// A walk over bytes that may or may not be UTF-8: each step yields one scalar, or one byte that belongs to none.
///
/// File names in archives, keys in property lists and identifiers in signatures are bytes that somebody else chose.
/// What is shown or written of them must neither crash nor lose a byte, so everything that turns such bytes into text
/// walks them with this. A surrogate encoded as UTF-8 (`ED A0 80`), an overlong form and a cut sequence are all invalid;
/// each of their bytes is yielded by itself.
public struct UTF8Walk: Sequence, IteratorProtocol {
    /// One step of the walk.
    public enum Piece: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case invalid(UInt8)
    }

    private let bytes: [UInt8]
    private var iterator: [UInt8].Iterator
    private var parser = Unicode.UTF8.ForwardParser()
    private var position = 0
    /// Bytes of the malformed sequence that was met last and have not been yielded yet.
    private var invalidLeft = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        iterator = bytes.makeIterator()
    }

    public mutating func next() -> Piece? {
        if invalidLeft == 0 {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                position += encoded.count
                return .scalar(Unicode.UTF8.decode(encoded))
            case .error(let length):
                invalidLeft = length
            case .emptyInput:
                return nil
            }
        }
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        position += 1
        invalidLeft -= 1
        return .invalid(byte)
    }
}
