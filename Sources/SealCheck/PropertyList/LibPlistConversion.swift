import CLibPlist

/// Turns what libplist has read into a ``PropertyList``. Only for bytes that a prescan has passed.
///
/// libplist 2.2 hands dates out as 32-bit seconds (wrong after 2069) and whole numbers without their sign, which it
/// does know: -1 is kept in 8 bytes and 18446744073709551615 in 16, from XML as from binary. Both show when the node is
/// written out again in binary form, and that is how they are read here. What no version can tell: how many bytes a
/// number had in the file, and whether one up to `Int64.max` was meant as signed.
///
/// `<real>` goes through `atof`, so the process must stay in the C locale for numbers.
struct LibPlistConversion {
    private(set) var value: PropertyList
    /// Entries of all dictionaries, before any that are named again are dropped.
    private(set) var entries: Int
    private(set) var duplicates: DuplicateKeys

    /// - Parameter range: the root element.
    static func xml(
        _ bytes: [UInt8], in range: Range<Int>, limits: Limits
    ) throws(PropertyListFault) -> LibPlistConversion {
        let root = bytes[range].withUnsafeBytes { buffer in
            sealcheck_plist_from_xml(buffer.baseAddress, UInt32(clamping: buffer.count))
        }
        return try LibPlistConversion(root, isXML: true, limits: limits)
    }

    static func binary(_ bytes: [UInt8], limits: Limits) throws(PropertyListFault) -> LibPlistConversion {
        let root = bytes.withUnsafeBytes { buffer in
            sealcheck_plist_from_bin(buffer.baseAddress, UInt32(clamping: buffer.count))
        }
        return try LibPlistConversion(root, isXML: false, limits: limits)
    }

    private init(_ root: plist_t?, isXML: Bool, limits: Limits) throws(PropertyListFault) {
        guard let root else { throw .malformed("libplist cannot read it") }
        defer { plist_free(root) }
        var nodes = Nodes(isXML: isXML, duplicates: DuplicateKeys(listing: limits.listedFaults))
        value = try nodes.value(of: root, depth: 0)
        entries = nodes.entries
        duplicates = nodes.duplicates
    }

    /// The walk over libplist's tree.
    private struct Nodes {
        let isXML: Bool
        var entries = 0
        var duplicates: DuplicateKeys

        mutating func value(of node: plist_t, depth: Int) throws(PropertyListFault) -> PropertyList {
            // The prescans have made sure of this.
            guard depth <= XMLPrescan.greatestDepth + 1 else { throw .malformed("containers nest too deep") }
            switch plist_get_node_type(node) {
            case PLIST_DICT: return try dictionary(node, depth: depth)
            case PLIST_ARRAY: return try array(node, depth: depth)
            case PLIST_STRING:
                var length: UInt64 = 0
                let text = plist_get_string_ptr(node, &length)
                return .string(ByteString(bytes: UnsafeRawBufferPointer(start: text, count: Int(length))))
            case PLIST_DATA:
                var length: UInt64 = 0
                let data = sealcheck_plist_data(node, &length)
                return .data(Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(length))))
            case PLIST_BOOLEAN:
                var bit: UInt8 = 0
                plist_get_bool_val(node, &bit)
                return .boolean(bit != 0)
            case PLIST_REAL:
                var number = 0.0
                plist_get_real_val(node, &number)
                return .real(bits: number.bitPattern)
            case PLIST_UID:
                var number: UInt64 = 0
                plist_get_uid_val(node, &number)
                return .uid(number)
            case PLIST_DATE:
                return .date(bits: try WrittenObject(node, marker: 0x33).low)
            case _ where sealcheck_plist_is_integer(node) != 0:
                return try integer(node)
            default:
                throw .malformed("libplist found a value of an unknown type")
            }
        }

        private func integer(_ node: plist_t) throws(PropertyListFault) -> PropertyList {
            var bits: UInt64 = 0
            plist_get_uint_val(node, &bits)
            if let number = Int64(exactly: bits) { return .integer(number) }
            let written = try WrittenObject(node, marker: nil)
            return written.marker == 0x14 ? .unsigned(bits) : .integer(Int64(bitPattern: bits))
        }

        private mutating func array(_ node: plist_t, depth: Int) throws(PropertyListFault) -> PropertyList {
            var iterator: plist_array_iter?
            plist_array_new_iter(node, &iterator)
            defer { free(iterator) }
            var values: [PropertyList] = []
            values.reserveCapacity(Int(plist_array_get_size(node)))
            while true {
                var item: plist_t?
                plist_array_next_item(node, iterator, &item)
                guard let item else { return .array(values) }
                values.append(try value(of: item, depth: depth + 1))
            }
        }

        private mutating func dictionary(_ node: plist_t, depth: Int) throws(PropertyListFault) -> PropertyList {
            var iterator: plist_dict_iter?
            plist_dict_new_iter(node, &iterator)
            defer { free(iterator) }
            var pairs: [(key: ByteString, value: PropertyList)] = []
            pairs.reserveCapacity(Int(plist_dict_get_size(node)))
            while true {
                var key: UnsafeMutablePointer<CChar>?
                var item: plist_t?
                plist_dict_next_item(node, iterator, &key, &item)
                defer { free(key) }
                guard let key, let item else { break }
                // libplist cannot give a key's length; the prescans have seen that no NUL cuts it.
                let text = ByteString(bytes: UnsafeRawBufferPointer(start: key, count: strlen(key)))
                pairs.append((text, try value(of: item, depth: depth + 1)))
            }
            entries += pairs.count
            if isXML, let uid = Self.uid(pairs) { return uid }
            let dictionary = PropertyList.Dictionary(pairs)
            if dictionary.count != pairs.count { noteDuplicates(in: pairs) }
            return .dictionary(dictionary)
        }

        /// XML has no element for a UID. CoreFoundation reads a dictionary with this one key as one.
        private static func uid(_ pairs: [(key: ByteString, value: PropertyList)]) -> PropertyList? {
            guard pairs.count == 1, let pair = pairs.first, pair.key == "CF$UID" else { return nil }
            guard case .integer(let number) = pair.value else { return nil }
            return UInt32(exactly: number).map { .uid(UInt64($0)) }
        }

        private mutating func noteDuplicates(in pairs: [(key: ByteString, value: PropertyList)]) {
            var seen: Set<ByteString> = []
            for pair in pairs where !seen.insert(pair.key).inserted { duplicates.add(pair.key) }
        }
    }

    /// The one object of a binary property list that libplist writes for a scalar.
    private struct WrittenObject {
        let marker: UInt8
        /// The last eight bytes of the object, or the eight after the marker when there are no more.
        let low: UInt64

        init(_ node: plist_t, marker expected: UInt8?) throws(PropertyListFault) {
            var length: UInt32 = 0
            let written = sealcheck_plist_to_bin(node, &length)
            defer { free(written) }
            let bytes = UnsafeRawBufferPointer(start: written, count: written == nil ? 0 : Int(length))
            // Magic, marker, eight bytes, and more.
            guard bytes.count > 17, expected == nil || bytes[8] == expected else {
                throw .malformed("libplist cannot write a value out again")
            }
            marker = bytes[8]
            low = bytes[9..<17].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
