import COpenSSL

/// One DER value: identifier and contents, found by OpenSSL.
struct DERElement {
    /// The identifier byte. Entitlements use no tag number above 30, which would take more bytes.
    var identifier: UInt8
    /// Offset of the identifier from the start of the payload.
    var offset: Int
    var contents: ArraySlice<UInt8>

    /// Takes the first value off `rest`; nil at its end.
    ///
    /// - Throws: ``EntitlementsFault/malformedDER(offset:)`` where it does not fit, has no definite length, or has a
    ///   length in more bytes than DER allows.
    static func next(_ rest: inout ArraySlice<UInt8>) throws(EntitlementsFault) -> DERElement? {
        guard let identifier = rest.first else { return nil }
        let offset = rest.startIndex
        guard let (header, length) = extent(rest), header + length <= rest.count else {
            throw .malformedDER(offset: offset)
        }
        let contents = rest.dropFirst(header).prefix(length)
        rest = rest.dropFirst(header + length)
        return DERElement(identifier: identifier, offset: offset, contents: contents)
    }

    private static func extent(_ bytes: ArraySlice<UInt8>) -> (header: Int, length: Int)? {
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            var length = 0
            var tag: Int32 = 0
            var tagClass: Int32 = 0
            let outcome = ASN1_get_object(&cursor, &length, &tag, &tagClass, buffer.count)
            // 0x80: an error, left in the thread's queue; 1: indefinite length, which DER does not have.
            guard outcome & 0x81 == 0, let cursor, length >= 0, tag < 31 else {
                ERR_clear_error()
                return nil
            }
            let header = cursor - start
            let canonical = length < 0x80 ? 2 : 2 + (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
            return header == canonical ? (header, length) : nil
        }
    }
}
