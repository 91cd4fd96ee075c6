import COpenSSL

/// Writes entitlements as DER (spec 8.2), entries in ascending order of their keys' bytes.
enum EntitlementsEncoder {
    /// The payload of slot 7, without its blob header.
    ///
    /// - Throws: ``EntitlementsFault``: `notDictionary`, `notEncodable` (`errSecCSInvalidEntitlements` of a signer), or
    ///   `tooDeep`.
    static func encode(_ entitlements: PropertyList) throws(EntitlementsFault) -> [UInt8] {
        guard entitlements.dictionary != nil else { throw .notDictionary }
        let version = try wrap(V_ASN1_INTEGER, contents: [1])
        return try wrap(
            V_ASN1_SEQUENCE, V_ASN1_APPLICATION, constructed: true, contents: version + value(entitlements, depth: 0))
    }

    private static func value(_ value: PropertyList, depth: Int) throws(EntitlementsFault) -> [UInt8] {
        guard depth < EntitlementsDecoder.maximalDepth else { throw .tooDeep }
        switch value {
        case .dictionary(let dictionary):
            var contents: [UInt8] = []
            for entry in dictionary.entries.sorted(by: { $0.key < $1.key }) {
                let key = try wrap(V_ASN1_UTF8STRING, contents: entry.key.bytes)
                contents += try wrap(
                    V_ASN1_SEQUENCE, constructed: true, contents: key + Self.value(entry.value, depth: depth + 1))
            }
            return try wrap(V_ASN1_SEQUENCE, V_ASN1_CONTEXT_SPECIFIC, constructed: true, contents: contents)
        case .array(let values):
            var contents: [UInt8] = []
            for item in values { contents += try Self.value(item, depth: depth + 1) }
            return try wrap(V_ASN1_SEQUENCE, constructed: true, contents: contents)
        case .string(let text): return try wrap(V_ASN1_UTF8STRING, contents: text.bytes)
        case .boolean(let flag): return try wrap(V_ASN1_BOOLEAN, contents: [flag ? 0xFF : 0])
        case .integer(let number): return try wrap(V_ASN1_INTEGER, contents: twosComplement(number))
        case .data(let bytes): return try wrap(V_ASN1_OCTET_STRING, contents: bytes)
        case .unsigned, .real, .date, .uid: throw .notEncodable
        }
    }

    /// Big-endian, without leading bytes that only repeat the sign.
    private static func twosComplement(_ number: Int64) -> [UInt8] {
        let magnitude = number < 0 ? ~number : number
        let count = (Int64.bitWidth - magnitude.leadingZeroBitCount) / 8 + 1
        return (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func wrap(
        _ tag: Int32, _ tagClass: Int32 = V_ASN1_UNIVERSAL, constructed: Bool = false, contents: [UInt8]
    ) throws(EntitlementsFault) -> [UInt8] {
        guard let length = Int32(exactly: contents.count) else { throw .notEncodable }
        let flag: Int32 = constructed ? 1 : 0
        let size = Int(ASN1_object_size(flag, length, tag))
        guard size > contents.count else { throw .notEncodable }
        let header = [UInt8](unsafeUninitializedCapacity: size - contents.count) { buffer, count in
            var cursor = buffer.baseAddress
            ASN1_put_object(&cursor, flag, length, tag, tagClass)
            count = size - contents.count
        }
        return header + contents
    }
}
