/// Reads JSON that people wrote by hand, and remembers where everything stands.
///
/// Strict RFC 8259: no comments, no trailing commas, no doubled keys. The position of each value lets a fault be told
/// with its line, which is what somebody with an editor wants to know.
public struct JSONNode: Sendable {
    public enum Value: Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    /// A key, where it stands, and its value.
    public struct Member: Sendable {
        public var key: String
        public var line: Int
        public var value: JSONNode
    }

    public var value: Value
    /// From 1.
    public var line: Int

    /// What is wrong, and in which line.
    public struct Fault: Error, Hashable, Sendable {
        public var line: Int
        public var message: String
    }

    /// Values inside values, at the most. A policy has four.
    static let maximumDepth = 64

    init(value: Value, line: Int) {
        self.value = value
        self.line = line
    }

    /// - Throws: ``Fault``.
    public init(parsing bytes: [UInt8]) throws(Fault) {
        var reader = Reader(bytes: bytes)
        self = try reader.document()
    }

    public subscript(key: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    public var string: String? {
        if case .string(let text) = value { return text }
        return nil
    }

    /// What a value is, in words.
    public var kindName: String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

private struct Reader {
    let bytes: [UInt8]
    var position = 0
    var line = 1

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONNode.Fault) -> JSONNode {
        let node = try value(depth: 0)
        skipBlanks()
        guard position == bytes.count else { throw fault("there is something after the end") }
        return node
    }

    private func fault(_ message: String) -> JSONNode.Fault { JSONNode.Fault(line: line, message: message) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) {
            if byte == 0x0a { line += 1 }
            position += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) throws(JSONNode.Fault) {
        skipBlanks()
        guard next == UInt8(ascii: character) else { throw fault("“\(character)” is missing here") }
        position += 1
    }

    private mutating func value(depth: Int) throws(JSONNode.Fault) -> JSONNode {
        guard depth < JSONNode.maximumDepth else { throw fault("values are nested too deep") }
        skipBlanks()
        let start = line
        switch next {
        case UInt8(ascii: "{"): return JSONNode(value: .object(try members(depth)), line: start)
        case UInt8(ascii: "["): return JSONNode(value: .array(try elements(depth)), line: start)
        case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), line: start)
        case UInt8(ascii: "t"): return JSONNode(value: .bool(true), line: try word("true"))
        case UInt8(ascii: "f"): return JSONNode(value: .bool(false), line: try word("false"))
        case UInt8(ascii: "n"): return JSONNode(value: .null, line: try word("null"))
        case nil: throw fault("the text ends too early")
        default: return JSONNode(value: .number(try number()), line: start)
        }
    }

    private mutating func word(_ text: String) throws(JSONNode.Fault) -> Int {
        guard bytes[position...].starts(with: text.utf8) else { throw fault("this is no JSON value") }
        position += text.utf8.count
        return line
    }

    private mutating func number() throws(JSONNode.Fault) -> Double {
        let start = position
        while let byte = next, "+-0123456789.eE".utf8.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite, text.first != "+", text.last != "." else {
            throw fault("this is no JSON value")
        }
        return value
    }

    private mutating func elements(_ depth: Int) throws(JSONNode.Fault) -> [JSONNode] {
        try take("[")
        var elements: [JSONNode] = []
        skipBlanks()
        if next == UInt8(ascii: "]") {
            position += 1
            return []
        }
        while true {
            elements.append(try value(depth: depth + 1))
            skipBlanks()
            if next == UInt8(ascii: ",") {
                position += 1
                continue
            }
            try take("]")
            return elements
        }
    }

    private mutating func members(_ depth: Int) throws(JSONNode.Fault) -> [JSONNode.Member] {
        try take("{")
        var members: [JSONNode.Member] = []
        skipBlanks()
        if next == UInt8(ascii: "}") {
            position += 1
            return []
        }
        while true {
            skipBlanks()
            let start = line
            guard next == UInt8(ascii: "\"") else { throw fault("a key in quotes is missing here") }
            let key = try string()
            guard !members.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
                throw fault("the key “\(key)” is there twice")
            }
            try take(":")
            members.append(JSONNode.Member(key: key, line: start, value: try value(depth: depth + 1)))
            skipBlanks()
            if next == UInt8(ascii: ",") {
                position += 1
                continue
            }
            try take("}")
            return members
        }
    }

    private mutating func string() throws(JSONNode.Fault) -> String {
        try take("\"")
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw fault("a text is not UTF-8") }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            case 0..<0x20: throw fault("a text holds a raw control character; a quote may be missing")
            default: text.append(byte)
            }
        }
        throw fault("a text is not closed")
    }

    private mutating func escape() throws(JSONNode.Fault) -> [UInt8] {
        guard let byte = next else { throw fault("a text is not closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]),
                bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
            {
                position += 2
                units.append(try unit())
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw fault("a text holds half a surrogate pair")
            }
            return Array(text.utf8)
        default: throw fault("a text holds an escape that JSON does not know")
        }
    }

    private mutating func unit() throws(JSONNode.Fault) -> UInt16 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw fault("a text holds an escape that JSON does not know")
        }
        position += 4
        return unit
    }
}
