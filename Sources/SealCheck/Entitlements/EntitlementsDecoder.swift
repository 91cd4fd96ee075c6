/// Decodes the DER form of entitlements (spec 8.2).
enum EntitlementsDecoder {
    /// Dictionaries and arrays inside one another. Real entitlements have three or four; the bound guards the stack.
    static let maximalDepth = 64

    /// - Parameter payload: slot 7 without its blob header.
    static func decode(
        _ payload: [UInt8]
    ) throws(EntitlementsFault) -> (value: PropertyList, oddities: Set<EntitlementsOddity>) {
        var oddities: Set<EntitlementsOddity> = []
        var rest = payload[...]
        guard let top = try DERElement.next(&rest), rest.isEmpty else { throw .malformedDER(offset: rest.startIndex) }
        switch top.identifier {
        case 0x31:
            oddities.insert(.oldForm)
            return (try value(top, depth: 0, &oddities), oddities)
        case 0x70:
            var inside = top.contents
            guard let version = try DERElement.next(&inside), version.identifier == 0x02,
                let body = try DERElement.next(&inside), inside.isEmpty
            else { throw .malformedDER(offset: inside.startIndex) }
            let number = try integer(version)
            guard number == 1 else { throw .unknownVersion(number) }
            guard body.identifier == 0xB0 else { throw .notDictionary }
            return (try value(body, depth: 0, &oddities), oddities)
        default: throw .unknownType(top.identifier, offset: top.offset)
        }
    }

    private static func value(
        _ element: DERElement, depth: Int, _ oddities: inout Set<EntitlementsOddity>
    ) throws(EntitlementsFault) -> PropertyList {
        guard depth < maximalDepth else { throw .tooDeep }
        switch element.identifier {
        case 0xB0, 0x31: return .dictionary(try dictionary(element, depth: depth, &oddities))
        case 0x30:
            var rest = element.contents
            var values: [PropertyList] = []
            while let next = try DERElement.next(&rest) { values.append(try value(next, depth: depth + 1, &oddities)) }
            return .array(values)
        case 0x0C: return .string(try text(element))
        case 0x01:
            guard element.contents.count == 1, let byte = element.contents.first, byte == 0 || byte == 0xFF else {
                throw .malformedDER(offset: element.offset)
            }
            return .boolean(byte == 0xFF)
        case 0x02: return .integer(try integer(element))
        case 0x04: return .data(Array(element.contents))
        default: throw .unknownType(element.identifier, offset: element.offset)
        }
    }

    private static func dictionary(
        _ element: DERElement, depth: Int, _ oddities: inout Set<EntitlementsOddity>
    ) throws(EntitlementsFault) -> PropertyList.Dictionary {
        var rest = element.contents
        var entries: [(key: ByteString, value: PropertyList)] = []
        while let pair = try DERElement.next(&rest) {
            var inside = pair.contents
            guard pair.identifier == 0x30, let name = try DERElement.next(&inside), name.identifier == 0x0C,
                let content = try DERElement.next(&inside), inside.isEmpty
            else { throw .malformedDER(offset: pair.offset) }
            let key = try text(name)
            if let last = entries.last, key < last.key { oddities.insert(.unsortedKeys) }
            entries.append((key, try value(content, depth: depth + 1, &oddities)))
        }
        let dictionary = PropertyList.Dictionary(entries)
        if dictionary.count != entries.count { oddities.insert(.duplicateKeys) }
        return dictionary
    }

    private static func text(_ element: DERElement) throws(EntitlementsFault) -> ByteString {
        guard String(validating: element.contents, as: UTF8.self) != nil else {
            throw .malformedDER(offset: element.offset)
        }
        return ByteString(bytes: element.contents)
    }

    /// Two's complement in as few bytes as possible, at most eight (spec 8.2).
    private static func integer(_ element: DERElement) throws(EntitlementsFault) -> Int64 {
        let bytes = Array(element.contents.prefix(9))
        guard let first = bytes.first, bytes.count <= 8 else { throw .malformedDER(offset: element.offset) }
        if let second = bytes.dropFirst().first,
            (first == 0 && second < 0x80) || (first == 0xFF && second >= 0x80)
        {
            throw .malformedDER(offset: element.offset)
        }
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }
}
