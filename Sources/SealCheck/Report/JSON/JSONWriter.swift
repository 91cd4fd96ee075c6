/// Writes a ``JSONValue`` as UTF-8, the same bytes each time.
///
/// Keys are sorted by their UTF-8 bytes, nothing depends on a locale or on the machine, and the time is linear in the size
/// of the document (but for the sorting of each object's few keys). A report can therefore be kept as a golden file.
///
/// Strings are RFC 8259, and inert on top of it, because JSON is looked at in terminals and read line by line by build
/// servers: every scalar of ``HiddenScalars`` is written as `\u…`, and so is a `#` that follows a `#`, which breaks
/// `##[command]`, `##vso[…]` and `##teamcity[…]`. A parser gives back exactly the string that went in. Everything else is
/// written raw. Swift strings hold no lone surrogates; bytes that are not UTF-8 come as ``PathText``.
public struct JSONWriter {
    /// How the document is laid out.
    public enum Layout: Sendable {
        /// One member or element a line, indented by two spaces.
        case pretty
        /// Everything on one line, without blanks: a line of JSON Lines.
        case compact
    }

    /// The bytes of `value` with a line feed at the end.
    public static func document(_ value: JSONValue, _ layout: Layout = .pretty) -> [UInt8] {
        var writer = JSONWriter(layout: layout)
        writer.write(value)
        writer.output.append(UInt8(ascii: "\n"))
        return writer.output
    }

    private let layout: Layout
    private var output: [UInt8] = []
    private var depth = 0

    private init(layout: Layout) { self.layout = layout }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write("null")
        case .bool(let flag): write(flag ? "true" : "false")
        case .integer(let number): write(String(number))
        case .unsigned(let number): write(String(number))
        case .string(let text): writeString(text)
        case .array(let elements): writeArray(elements)
        case .object(let members): writeObject(members)
        }
    }

    private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func writeArray(_ elements: [JSONValue]) {
        if elements.isEmpty { return write("[]") }
        open("[")
        for (index, element) in elements.enumerated() {
            separate(index)
            write(element)
        }
        close("]")
    }

    private mutating func writeObject(_ members: [JSONValue.Member]) {
        if members.isEmpty { return write("{}") }
        open("{")
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated() {
            separate(index)
            writeString(member.key)
            write(layout == .pretty ? ": " : ":")
            write(member.value)
        }
        close("}")
    }

    private mutating func open(_ bracket: String) {
        write(bracket)
        depth += 1
    }

    private mutating func close(_ bracket: String) {
        depth -= 1
        newLine()
        write(bracket)
    }

    private mutating func separate(_ index: Int) {
        if index > 0 { write(",") }
        newLine()
    }

    private mutating func newLine() {
        guard layout == .pretty else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}

/// Strings.
extension JSONWriter {
    private mutating func writeString(_ text: String) {
        output.append(UInt8(ascii: "\""))
        var text = text
        let wasPlain = text.withUTF8 { bytes in
            guard bytes.allSatisfy(Self.isPlain) else { return false }
            output.append(contentsOf: bytes)
            return true
        }
        if !wasPlain { writeScalars(text) }
        output.append(UInt8(ascii: "\""))
    }

    /// Printable ASCII that needs no second look. Nearly every string of a report is all of this.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "#"): false
        default: byte >= 0x20 && byte < 0x7F
        }
    }

    private mutating func writeScalars(_ text: String) {
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": write("\\\"")
            case "\\": write("\\\\")
            case "#" where previous == "#": writeEscape(scalar)
            case _ where HiddenScalars.contains(scalar): writeEscape(scalar)
            default: output.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
            }
            previous = scalar
        }
    }

    /// `\u` and four digits for each UTF-16 unit.
    private mutating func writeEscape(_ scalar: Unicode.Scalar) {
        for unit in UTF16.encode(scalar) ?? Unicode.UTF16.encodedReplacementCharacter {
            let digits = String(unit, radix: 16)
            write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
    }
}
