/// Prints the binary form of a requirement as `csreq -r- -t` does.
///
/// It walks the bytes and not the decoded tree, because Apple's printer and reader part ways over unknown opcodes: the
/// printer does not pass over their data (spec 9.2). Sources: reqdumper.cpp; spec 9.2 to 9.4.
struct RequirementPrinter {
    private var reader: RequirementReader
    private(set) var text = ""

    /// How tightly an operand is bound by what is around it: what is looser gets parentheses.
    private enum Level: Int {
        case primary
        case and
        case or
        case top
    }

    init(_ bytes: Bytes) { reader = RequirementReader(bytes) }

    /// - Throws: ``FormatFault`` where the form ends early or is nested too deeply.
    mutating func print() throws(FormatFault) { try expression(.top, depth: 0) }

    private mutating func expression(_ level: Level, depth: Int) throws(FormatFault) {
        guard depth <= RequirementExpression.maximumDepth else {
            throw FormatFault(
                .limit, at: reader.bytes.place(reader.cursor), in: RequirementReader.structure, field: "nesting",
                limit: UInt64(RequirementExpression.maximumDepth))
        }
        let word = try reader.word("opcode")
        let number = word & RequirementOpcode.mask
        guard let opcode = RequirementOpcode(rawValue: number) else {
            if word & RequirementOpcode.falseFlag != 0 {
                text += " false /* opcode \(number) */"
            } else if word & RequirementOpcode.skipFlag != 0 {
                text += " /* opcode \(number) */"
            } else {
                text += "OPCODE \(number) NOT UNDERSTOOD (ending print)"
            }
            return
        }
        switch opcode {
        case .never: text += "never"
        case .always: text += "always"
        case .identifier:
            text += "identifier "
            try data()
        case .anchorApple: text += "anchor apple"
        case .certificateHash:
            try certificate()
            text += " = "
            try hash()
        case .infoString:
            try key("info")
            text += " = "
            try data()
        case .and: try pair(" and ", .and, around: level, depth: depth)
        case .or: try pair(" or ", .or, around: level, depth: depth)
        case .cdhash:
            text += "cdhash "
            try hash()
        case .not:
            text += "! "
            try expression(.primary, depth: depth + 1)
        case .info:
            try key("info")
            try match()
        case .certificateField:
            try certificate()
            try key("")
            try match()
        case .certificateTrusted:
            try certificate()
            // No space: so Apple's printer has it.
            text += "trusted"
        case .anchorTrusted: text += "anchor trusted"
        case .certificateExtension: try certificate(field: "field")
        case .anchorAppleGeneric: text += "anchor apple generic"
        case .entitlement:
            try key("entitlement")
            try match()
        case .certificatePolicy: try certificate(field: "policy")
        case .namedAnchor:
            text += "anchor apple "
            try data()
        case .named:
            text += "("
            try data()
            text += ")"
        case .platform: text += "platform = \(Int32(bitPattern: try reader.word("platform")))"
        case .notarized: text += "notarized"
        case .certificateTimestamp: try certificate(field: "timestamp")
        case .legacy: text += "legacy"
        }
    }

    private mutating func pair(
        _ word: String, _ own: Level, around level: Level, depth: Int
    ) throws(FormatFault) {
        let isLoose = level.rawValue < own.rawValue
        if isLoose { text += "(" }
        try expression(own, depth: depth + 1)
        text += word
        try expression(own, depth: depth + 1)
        if isLoose { text += ")" }
    }

    private mutating func certificate() throws(FormatFault) {
        text += "certificate"
        switch try reader.slot() {
        case 0: text += " leaf"
        case -1: text += " root"
        case let slot: text += " \(slot)"
        }
    }

    private mutating func certificate(field: String) throws(FormatFault) {
        try certificate()
        text += "[\(field).\(ObjectIdentifierText.dotted(try reader.data("OID")))]"
        try match()
    }

    private mutating func key(_ name: String) throws(FormatFault) {
        text += "\(name)["
        try data(dots: true)
        text += "]"
    }

    private mutating func match() throws(FormatFault) {
        switch try reader.match() {
        case .exists: text += " /* exists */"
        case .absent: text += " absent "
        case .equal(let data): text += " = " + Self.quoted(data)
        case .contains(let data): text += " ~ " + Self.quoted(data)
        case .beginsWith(let data): text += " = " + Self.quoted(data) + "*"
        case .endsWith(let data): text += " = *" + Self.quoted(data)
        case .less(let data): text += " < " + Self.quoted(data)
        case .greater(let data): text += " > " + Self.quoted(data)
        case .lessOrEqual(let data): text += " <= " + Self.quoted(data)
        case .greaterOrEqual(let data): text += " >= " + Self.quoted(data)
        case .date(let relation, let time): text += " \(relation.symbol) \(RequirementDate.text(time))"
        case .notUnderstood(let operation, _): text += "MATCH OPCODE \(operation) NOT UNDERSTOOD"
        }
    }

    private mutating func data(dots: Bool = false) throws(FormatFault) {
        text += Self.quoted(try reader.data("text"), dots: dots)
    }

    private mutating func hash() throws(FormatFault) { text += "H\"\(Self.hexadecimal(try reader.data("hash")))\"" }

    /// A text bare, in quotes, or as hexadecimal digits, whichever is the plainest that reads back (spec 9.4).
    static func quoted(_ data: [UInt8], dots: Bool = false) -> String {
        guard let first = data.first else { return "\"\"" }
        let isBare = data.allSatisfy { isLetter($0) || isDigit($0) || (dots && $0 == UInt8(ascii: ".")) }
        let plain = String(decoding: data, as: UTF8.self)
        if isBare, !isDigit(first), !RequirementWords.reserved.contains(plain) {
            // Apple's printer has room for 255 characters of a bare word.
            return String(plain.prefix(255))
        }
        let isPrintable = data.allSatisfy { (0x20...0x7e).contains($0) || (0x09...0x0d).contains($0) }
        guard isPrintable else { return "0x" + hexadecimal(data) }
        return "\"" + plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension RequirementMatch.DateRelation {
    /// The relation as it is printed.
    var symbol: String {
        switch self {
        case .on: "="
        case .before: "<"
        case .after: ">"
        case .onOrBefore: "<="
        case .onOrAfter: ">="
        }
    }
}

/// The words that mean something in the text form, and so are texts only in quotes (spec 9.4).
enum RequirementWords {
    static let reserved: Set<String> = [
        "guest", "host", "designated", "library", "plugin", "or", "and", "always", "true", "never", "false",
        "identifier", "cdhash", "platform", "notarized", "legacy", "anchor", "apple", "generic", "certificate", "cert",
        "trusted", "info", "entitlement", "exists", "absent", "leaf", "root", "timestamp",
    ]
}

extension RequirementExpression: CustomStringConvertible {
    /// The text form, as `csreq -r- -t` prints it. Leading white space of a whole text is dropped.
    public var text: String {
        var printer = RequirementPrinter(Bytes(encoded))
        // What was encoded here ends where it must; only unknown opcodes can be printed astray, by Apple's tool too.
        try? printer.print()
        return String(printer.text.drop { $0 == " " })
    }

    public var description: String { text }
}
