/// Strings and keys: characters, CDATA sections, and references to characters.
extension XMLPrescan {
    /// Moves to the `<` of the end tag.
    ///
    /// Comments are no part of a string (CoreFoundation refuses them, libplist skips them), and neither are references
    /// other than the five of XML and the numeric ones.
    ///
    /// - Parameter keeping: whether to leave the text in ``keyText``.
    mutating func scanText(of element: Element, keeping: Bool) throws(PropertyListFault) {
        if keeping { keyText.removeAll(keepingCapacity: true) }
        // libplist replaces the references in the text between two CDATA sections, one after the other.
        var partStart = offset
        var references = 0
        while true {
            let runStart = offset
            try skipCharacters()
            if keeping { keyText.append(contentsOf: bytes[runStart..<offset]) }
            switch byte(at: offset) {
            case UInt8(ascii: "&"):
                let scalar = try readReference()
                references += 1
                if keeping { keyText.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? []) }
            case UInt8(ascii: "<") where byte(at: offset + 1) == UInt8(ascii: "!"):
                try work.replaceReferences(references, inTextOf: offset - partStart)
                let content = try readCharacterData()
                if keeping { keyText.append(contentsOf: bytes[content]) }
                partStart = offset
                references = 0
            case UInt8(ascii: "<"):
                try work.replaceReferences(references, inTextOf: offset - partStart)
                return
            default:
                throw ending(element.name)
            }
        }
    }

    /// Moves to the next `<` or `&`, or to the end of the file.
    private mutating func skipCharacters() throws(PropertyListFault) {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { return }
            if byte &- 1 < 0x7F { offset += 1 } else { try skipRarerCharacter() }
        }
    }

    /// One character that is not ASCII. libplist ends a string at a NUL, and passes on what is not UTF-8;
    /// CoreFoundation refuses the latter.
    private mutating func skipRarerCharacter() throws(PropertyListFault) {
        guard bytes[offset] != 0 else { throw malformed("a NUL in a text") }
        guard let length = utf8Length(at: offset) else { throw malformed("text that is not UTF-8") }
        offset += length
    }

    /// Reads `<![CDATA[…]]>` and returns where its content is.
    private mutating func readCharacterData() throws(PropertyListFault) -> Range<Int> {
        let start = offset
        guard bytes[offset...].starts(with: "<![CDATA[".utf8) else {
            throw malformed("a text holds what is neither a character nor a CDATA section")
        }
        offset += 9
        guard let end = find("]]>") else { throw malformed("a CDATA section without end", at: start) }
        let content = offset..<end
        while offset < end {
            if bytes[offset] &- 1 < 0x7F { offset += 1 } else { try skipRarerCharacter() }
        }
        offset = end + 3
        return content
    }

    /// Reads `&name;`, `&#10;` or `&#xA;`.
    private mutating func readReference() throws(PropertyListFault) -> Unicode.Scalar {
        let start = offset
        // `&#x10FFFF;` is the longest: libplist refuses eight digits, CoreFoundation nine.
        let name = bytes[(offset + 1)...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
        guard byte(at: name.endIndex) == UInt8(ascii: ";"), name.count <= 8 else {
            throw malformed("a reference without end", at: start)
        }
        offset = name.endIndex + 1
        if name.first != UInt8(ascii: "#") {
            // libplist looks at the first letters only: to it, `&amplitude;` is an ampersand.
            switch String(decoding: name, as: UTF8.self) {
            case "lt": return "<"
            case "gt": return ">"
            case "amp": return "&"
            case "apos": return "'"
            case "quot": return "\""
            default: throw malformed("an unknown reference", at: start)
            }
        }
        let isHex = name.dropFirst().first == UInt8(ascii: "x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        var number: UInt32 = 0
        for digit in digits {
            guard let value = Self.hexDigit(digit), isHex || value < 10 else {
                throw malformed("a numeric reference with a wrong digit", at: start)
            }
            number = number * (isHex ? 16 : 10) + UInt32(value)
        }
        guard !digits.isEmpty, number != 0, let scalar = Unicode.Scalar(number) else {
            throw malformed("a numeric reference to no character", at: start)
        }
        return scalar
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Length of the well-formed sequence of two to four bytes that begins here.
    private func utf8Length(at index: Int) -> Int? {
        func continues(_ distance: Int, from low: UInt8 = 0x80, to high: UInt8 = 0xBF) -> Bool {
            byte(at: index + distance).map { low <= $0 && $0 <= high } ?? false
        }
        let lead = bytes[index]
        switch lead {
        case 0xC2...0xDF:
            return continues(1) ? 2 : nil
        case 0xE0...0xEF:
            // Neither longer than needed, nor half of a surrogate pair.
            let second = continues(1, from: lead == 0xE0 ? 0xA0 : 0x80, to: lead == 0xED ? 0x9F : 0xBF)
            return second && continues(2) ? 3 : nil
        case 0xF0...0xF4:
            let second = continues(1, from: lead == 0xF0 ? 0x90 : 0x80, to: lead == 0xF4 ? 0x8F : 0xBF)
            return second && continues(2) && continues(3) ? 4 : nil
        default:
            return nil
        }
    }
}
