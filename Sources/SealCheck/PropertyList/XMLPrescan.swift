/// Holds an XML property list against CoreFoundation's grammar and our limits, before libplist may see it.
///
/// The rules are those of `CFPropertyList.c` (swift-corelibs-foundation). Where it is lax, so is this:
///
/// * a byte order mark of UTF-8 may precede;
/// * the `<plist>` element may be missing: the first element is the root, whichever it is;
/// * whatever follows the end of the root is ignored (``trailingBytes`` counts it, and libplist never gets it: libplist
///   2.2 goes on to fill an empty `<dict/>` from there);
/// * tags may carry attributes, which mean nothing;
/// * a `<key>` where a value belongs is a string;
/// * a key may occur again in a dictionary, and the last value counts.
///
/// It is stricter than CoreFoundation only where libplist would read something else, or nothing, or where no writer
/// goes. All of these are refused: a quotation mark left open in a tag, a processing instruction or the DOCTYPE (libplist
/// then looks for the end elsewhere); `<!---->` before the root (CoreFoundation looks for the end one byte late); `<?>`;
/// a `<plist>` within a `<plist>`; `<key/>` as a key; NUL (libplist cuts the text there); numeric references of more than
/// six digits; whole numbers with a leading zero (libplist reads those as octal); base64 with other characters than its
/// own, or an incomplete last group; dates that are not in the calendar. An internal DTD subset is refused by
/// CoreFoundation too.
///
/// The scan itself is iterative and linear in the file; a stack of open containers is all it keeps.
struct XMLPrescan {
    /// The root element: the bytes that libplist gets. It never sees a declaration or a DOCTYPE.
    private(set) var document = 0..<0
    /// `<key>` elements that are keys. More than there are dictionary entries when some are named again.
    private(set) var keys = 0
    /// Bytes after ``document``, unless they are all white space.
    private(set) var trailingBytes = 0

    let bytes: [UInt8]
    let limits: Limits
    /// The next byte to read.
    var offset = 0

    private let maximumDepth: Int
    private var nodes = 0
    private var containers: [Container] = []
    /// The text of the last key, its entities replaced.
    var keyText: [UInt8] = []
    var work: LibPlistWork
    private let wantsDuplicates: Bool
    private var keysSeen: [Set<ByteString>] = []
    private var duplicates: DuplicateKeys

    /// CoreFoundation's own bound (`_CFPropertyListMaxRecursionDepth`); values are freed by recursion, so no limit may
    /// lift it.
    static let greatestDepth = 512

    static func scan(_ bytes: [UInt8], limits: Limits) throws(PropertyListFault) -> XMLPrescan {
        var scan = XMLPrescan(bytes, limits: limits, wantsDuplicates: false)
        try scan.run()
        return scan
    }

    /// The keys that a dictionary names again.
    static func duplicateKeys(of bytes: [UInt8], limits: Limits) throws(PropertyListFault) -> DuplicateKeys {
        var scan = XMLPrescan(bytes, limits: limits, wantsDuplicates: true)
        try scan.run()
        return scan.duplicates
    }

    private init(_ bytes: [UInt8], limits: Limits, wantsDuplicates: Bool) {
        self.bytes = bytes
        self.limits = limits
        self.wantsDuplicates = wantsDuplicates
        maximumDepth = min(limits.propertyListDepth, Self.greatestDepth)
        work = LibPlistWork()
        duplicates = DuplicateKeys(listing: limits.listedFaults)
    }
}

// MARK: - Elements

extension XMLPrescan {
    /// The elements of a property list, by their names read as a big-endian number.
    enum Element: UInt64 {
        case plist = 0x70_6C69_7374
        case dict = 0x6469_6374
        case array = 0x61_7272_6179
        case key = 0x6B_6579
        case string = 0x7374_7269_6E67
        case data = 0x6461_7461
        case date = 0x6461_7465
        case integer = 0x69_6E74_6567_6572
        case real = 0x7265_616C
        case `true` = 0x7472_7565
        case `false` = 0x66_616C_7365

        var name: String {
            withUnsafeBytes(of: rawValue.bigEndian) { String(decoding: $0.drop { $0 == 0 }, as: UTF8.self) }
        }
    }

    /// An element whose end tag has yet to come.
    private struct Container {
        var element: Element
        /// Objects so far; keys do not count.
        var objects = 0
        /// In a dictionary: a key has come, its value has not.
        var awaitsValue = false
    }

    private mutating func run() throws(PropertyListFault) {
        try skipByteOrderMarkAndProlog()
        let start = offset
        repeat { try readElementOrEnd() } while !containers.isEmpty
        document = start..<offset
        if bytes[offset...].contains(where: { !Self.isWhitespace($0) }) { trailingBytes = bytes.count - offset }
    }

    /// One start tag with all that belongs to it, or one end tag of a container.
    private mutating func readElementOrEnd() throws(PropertyListFault) {
        try skipMisc()
        guard offset < bytes.count else { throw ending(containers.last?.element.name) }
        guard bytes[offset] == UInt8(ascii: "<") else { throw unexpected("an element") }
        if let container = containers.last, byte(at: offset + 1) == UInt8(ascii: "/") {
            try close(container)
        } else {
            try open()
        }
    }

    private mutating func close(_ container: Container) throws(PropertyListFault) {
        if container.awaitsValue { throw malformed("a key has no value") }
        if container.element == .plist, container.objects == 0 { throw malformed("<plist> is empty") }
        try readEndTag(of: container.element)
        containers.removeLast()
        if container.element == .dict {
            try work.closeDictionary()
            if wantsDuplicates { keysSeen.removeLast() }
        }
    }

    private mutating func open() throws(PropertyListFault) {
        let start = offset
        let (element, isEmpty) = try readStartTag()
        let isKey = try place(element, at: start)
        if element != .plist { try countNode() }
        switch element {
        case .plist, .dict, .array:
            if isEmpty {
                if element == .plist { throw malformed("<plist> is empty", at: start) }
                return
            }
            let depth = containers.count + (containers.first?.element == .plist || element == .plist ? 0 : 1)
            guard depth <= maximumDepth else {
                throw .limit(
                    .init("levels of the property list", value: UInt64(depth), limit: UInt64(maximumDepth)))
            }
            containers.append(Container(element: element))
            if element == .dict {
                work.openDictionary()
                if wantsDuplicates { keysSeen.append([]) }
            }
        case .key where isKey:
            // CoreFoundation takes <key/> as the empty key; libplist 2.2 takes it as a value.
            if isEmpty { throw malformed("<key/> is no key", at: start) }
            try scanText(of: element, keeping: true)
            try readEndTag(of: element)
            try noteKey()
        case .key, .string:
            if isEmpty { return }
            try scanText(of: element, keeping: false)
            try readEndTag(of: element)
        case .true, .false:
            if !isEmpty { try readEndTag(of: element) }
        case .integer, .real, .date, .data:
            // CoreFoundation refuses these four, libplist makes zeros of them.
            if isEmpty { throw malformed("<\(element.name)/> has no value", at: start) }
            try scanScalar(element)
            try readEndTag(of: element)
        }
    }

    /// Whether `element` may stand here, and whether it is a key.
    private mutating func place(_ element: Element, at start: Int) throws(PropertyListFault) -> Bool {
        guard let last = containers.indices.last else { return false }
        if element == .plist { throw malformed("<plist> within <\(containers[last].element.name)>", at: start) }
        switch containers[last].element {
        case .dict where !containers[last].awaitsValue:
            guard element == .key else { throw malformed("<\(element.name)> where a key belongs", at: start) }
            containers[last].awaitsValue = true
            return true
        case .dict:
            containers[last].awaitsValue = false
        case .plist where containers[last].objects > 0:
            throw malformed("<plist> has more than one object", at: start)
        default:
            break
        }
        containers[last].objects += 1
        return false
    }

    private mutating func countNode() throws(PropertyListFault) {
        nodes += 1
        guard nodes <= limits.propertyListNodes else {
            throw .limit(
                .init("nodes of the property list", value: UInt64(nodes), limit: UInt64(limits.propertyListNodes)))
        }
    }

    private mutating func noteKey() throws(PropertyListFault) {
        keys += 1
        work.addKey(keyText)
        guard wantsDuplicates, let level = keysSeen.indices.last else { return }
        let key = ByteString(bytes: keyText)
        if !keysSeen[level].insert(key).inserted { duplicates.add(key) }
    }
}

// MARK: - Tags

extension XMLPrescan {
    /// Reads `<name …>` or `<name …/>`.
    private mutating func readStartTag() throws(PropertyListFault) -> (Element, isEmpty: Bool) {
        let start = offset
        var name: UInt64 = 0
        var nameLength = 0
        var inName = true
        var quotes = 0
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: ">") {
                var isEmpty = false
                // An empty element has its slash right before the end, in CoreFoundation as in libplist.
                if bytes[offset - 1] == UInt8(ascii: "/") {
                    isEmpty = true
                    if inName {
                        name >>= 8
                        nameLength -= 1
                    }
                }
                // CoreFoundation ends a tag at the first `>`, libplist at the first outside of quotation marks.
                guard quotes.isMultiple(of: 2) else {
                    throw malformed("a quotation mark left open in a tag", at: start)
                }
                guard nameLength <= 7, let element = Element(rawValue: name) else {
                    throw malformed("unknown element", at: start)
                }
                offset += 1
                return (element, isEmpty)
            }
            if Self.isWhitespace(byte) {
                inName = false
            } else if byte == UInt8(ascii: "<") {
                throw malformed("a tag within a tag", at: start)
            } else if inName {
                nameLength += 1
                // Longer than any name and its slash.
                guard nameLength <= 8 else { throw malformed("unknown element", at: start) }
                name = name << 8 | UInt64(byte)
            } else if byte == UInt8(ascii: "\"") {
                quotes += 1
            }
            offset += 1
        }
        throw ending("a tag")
    }

    /// Reads `</name>`, with white space before the `>` at most.
    private mutating func readEndTag(of element: Element) throws(PropertyListFault) {
        let start = offset
        guard byte(at: offset) == UInt8(ascii: "<"), byte(at: offset + 1) == UInt8(ascii: "/") else {
            throw offset < bytes.count ? malformed("</\(element.name)> was expected") : ending(element.name)
        }
        offset += 2
        var name: UInt64 = 0
        var nameLength = 0
        while let byte = byte(at: offset), byte != UInt8(ascii: ">"), !Self.isWhitespace(byte), nameLength < 8 {
            name = name << 8 | UInt64(byte)
            nameLength += 1
            offset += 1
        }
        skipWhitespace()
        guard name == element.rawValue, byte(at: offset) == UInt8(ascii: ">") else {
            throw malformed("</\(element.name)> was expected", at: start)
        }
        offset += 1
    }
}

// MARK: - What stands between elements

extension XMLPrescan {
    private mutating func skipByteOrderMarkAndProlog() throws(PropertyListFault) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 } else { try checkDeclaredEncoding() }
        while true {
            skipWhitespace()
            guard byte(at: offset) == UInt8(ascii: "<") else { throw unexpected("an element") }
            switch byte(at: offset + 1) {
            case UInt8(ascii: "?"):
                try skipProcessingInstruction()
            case UInt8(ascii: "!"):
                if bytes[offset...].starts(with: "<!--".utf8) {
                    // CoreFoundation goes one byte too far before it looks for the end, here and not below the root.
                    if bytes[offset...].starts(with: "<!---->".utf8) { throw malformed("an empty comment") }
                    try skipComment()
                } else {
                    try skipDocumentType()
                }
            default:
                return
            }
        }
    }

    /// White space, comments and processing instructions.
    private mutating func skipMisc() throws(PropertyListFault) {
        while true {
            skipWhitespace()
            guard byte(at: offset) == UInt8(ascii: "<") else { return }
            switch byte(at: offset + 1) {
            case UInt8(ascii: "?"):
                try skipProcessingInstruction()
            case UInt8(ascii: "!"):
                guard bytes[offset...].starts(with: "<!--".utf8) else {
                    throw malformed("neither an element nor a comment")
                }
                try skipComment()
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(PropertyListFault) {
        let start = offset
        offset += 4
        guard let end = find("-->") else { throw malformed("a comment without end", at: start) }
        offset = end + 3
    }

    private mutating func skipProcessingInstruction() throws(PropertyListFault) {
        let start = offset
        offset += 2
        guard let end = find("?>"), byte(at: offset) != UInt8(ascii: ">") else {
            throw malformed("a processing instruction without end", at: start)
        }
        // libplist looks for the end outside of quotation marks only.
        guard areQuotesClosed(in: offset..<end) else {
            throw malformed("a quotation mark left open in a processing instruction", at: start)
        }
        offset = end + 2
    }

    private mutating func skipDocumentType() throws(PropertyListFault) {
        let start = offset
        guard bytes[offset...].starts(with: "<!DOCTYPE".utf8) else {
            throw malformed("neither an element nor a comment nor a DOCTYPE")
        }
        while offset < bytes.count, bytes[offset] != UInt8(ascii: ">") {
            // Entities are declared there. CoreFoundation refuses it as well.
            if bytes[offset] == UInt8(ascii: "[") { throw malformed("a DOCTYPE with an internal subset", at: start) }
            offset += 1
        }
        guard offset < bytes.count, areQuotesClosed(in: start..<offset) else {
            throw malformed("a DOCTYPE without end", at: start)
        }
        offset += 1
    }

    /// Refuses a declared encoding in which the bytes would mean something else than in UTF-8, which is what libplist
    /// takes everything for. Looks where `encodingForXMLData` looks.
    private func checkDeclaredEncoding() throws(PropertyListFault) {
        guard bytes.starts(with: "<?xml".utf8) else { return }
        var index = 5
        let label = Array("encoding=".utf8)
        while index < bytes.count, !bytes[index...].starts(with: label) {
            if bytes[index] == UInt8(ascii: "?") || bytes[index] == UInt8(ascii: ">") { return }
            index += 1
        }
        index += label.count
        guard let quote = byte(at: index), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return }
        let name = String(decoding: bytes[(index + 1)...].prefix { $0 != quote }.prefix(32), as: UTF8.self)
        switch name.lowercased() {
        case "utf-8":
            return
        case "us-ascii", "iso-8859-1":
            if bytes.allSatisfy({ $0 < 0x80 }) { return }
            fallthrough
        default:
            throw malformed("text in the encoding \(name) is not read", at: index)
        }
    }

    private func areQuotesClosed(in range: Range<Int>) -> Bool {
        bytes[range].count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
    }
}

// MARK: - Bytes

extension XMLPrescan {
    /// XML's white space, in CoreFoundation as in libplist.
    static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    mutating func skipWhitespace() {
        while offset < bytes.count, Self.isWhitespace(bytes[offset]) { offset += 1 }
    }

    func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Where `mark` begins, from ``offset`` on.
    func find(_ mark: StaticString) -> Int? {
        let length = mark.utf8CodeUnitCount
        return mark.withUTF8Buffer { mark in
            guard let first = mark.first, bytes.count >= length else { return nil }
            var index = offset
            while index <= bytes.count - length {
                if bytes[index] == first, bytes[index..<(index + length)].elementsEqual(mark) { return index }
                index += 1
            }
            return nil
        }
    }

    func malformed(_ text: String, at place: Int? = nil) -> PropertyListFault {
        .malformed("\(text), at byte \(place ?? offset)")
    }

    func unexpected(_ wanted: String) -> PropertyListFault {
        offset < bytes.count ? malformed("\(wanted) was expected") : ending(nil)
    }

    func ending(_ inside: String?) -> PropertyListFault {
        .malformed(inside.map { "the file ends within \($0)" } ?? "the file ends before its root element")
    }
}
