/// Cuts the text form of a requirement into words and signs (spec 9.5).
struct RequirementLexer {
    private let text: [UInt8]
    private var cursor = 0

    struct Token: Hashable {
        var kind: Kind
        var offset: Int
    }

    enum Kind: Hashable {
        /// `(`, `[`, `=`, `<=`, …
        case sign(String)
        /// Letters, digits and dots, not in quotes: a keyword or a text.
        case word(String)
        /// A text in quotes, or as hexadecimal digits after `0x`.
        case text([UInt8])
        /// `H"…"`
        case hash([UInt8])
        case integer(String)
        case end
    }

    static func tokens(_ text: [UInt8]) throws(RequirementTextFault) -> [Token] {
        var lexer = RequirementLexer(text: text)
        var tokens: [Token] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private init(text: [UInt8]) { self.text = text }

    private func byte(_ distance: Int = 0) -> UInt8? {
        cursor + distance < text.count ? text[cursor + distance] : nil
    }

    private mutating func next() throws(RequirementTextFault) -> Token {
        try skipBlanks()
        let start = cursor
        guard let first = byte() else { return Token(kind: .end, offset: start) }
        if first == UInt8(ascii: "\"") { return Token(kind: .text(try quoted()), offset: start) }
        if first == UInt8(ascii: "H"), byte(1) == UInt8(ascii: "\"") {
            cursor += 1
            return Token(kind: .hash(try hexadecimal(try quoted(), at: start)), offset: start)
        }
        if first == UInt8(ascii: "0"), byte(1) == UInt8(ascii: "x") {
            cursor += 2
            return Token(kind: .text(try hexadecimal(take(while: Self.isAlphanumeric), at: start)), offset: start)
        }
        if RequirementPrinter.isDigit(first) {
            let digits = take(while: Self.isAlphanumeric)
            guard digits.allSatisfy(RequirementPrinter.isDigit) else {
                throw RequirementTextFault(at: start, "a number with letters in it")
            }
            return Token(kind: .integer(String(decoding: digits, as: UTF8.self)), offset: start)
        }
        if RequirementPrinter.isLetter(first) {
            let word = take { Self.isAlphanumeric($0) || $0 == UInt8(ascii: ".") }
            guard word.last != UInt8(ascii: "."), !word.contains([0x2e, 0x2e]) else {
                throw RequirementTextFault(at: start, "a dot without a word after it")
            }
            return Token(kind: .word(String(decoding: word, as: UTF8.self)), offset: start)
        }
        return Token(kind: .sign(try sign(first)), offset: start)
    }

    private mutating func sign(_ first: UInt8) throws(RequirementTextFault) -> String {
        let one = String(UnicodeScalar(first))
        guard "()[]!=~<>*;-".utf8.contains(first) else {
            // A path name stands for a file of the system that compiles the text.
            throw RequirementTextFault(
                first == UInt8(ascii: "/") ? .undecided : .invalid, at: cursor, "'\(one)' does not belong here")
        }
        cursor += 1
        guard "=<>".utf8.contains(first), byte() == UInt8(ascii: "=") else { return one }
        cursor += 1
        return one + "="
    }

    /// White space and the three kinds of comments.
    private mutating func skipBlanks() throws(RequirementTextFault) {
        while let current = byte() {
            let following = byte(1)
            if current == 0x20 || (0x09...0x0d).contains(current) {
                cursor += 1
            } else if current == UInt8(ascii: "#") || (current == UInt8(ascii: "/") && following == current) {
                _ = take { $0 != 0x0a }
            } else if current == UInt8(ascii: "/"), following == UInt8(ascii: "*") {
                let start = cursor
                cursor += 2
                while byte() != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
                    guard byte() != nil else { throw RequirementTextFault(at: start, "a comment without an end") }
                    cursor += 1
                }
                cursor += 2
            } else {
                return
            }
        }
    }

    private mutating func quoted() throws(RequirementTextFault) -> [UInt8] {
        let start = cursor
        var result: [UInt8] = []
        cursor += 1
        while let current = byte() {
            cursor += 1
            switch current {
            case UInt8(ascii: "\""): return result
            case UInt8(ascii: "\\"):
                guard let escaped = byte(), escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                    throw RequirementTextFault(.undecided, at: cursor - 1, "a backslash that escapes nothing")
                }
                result.append(escaped)
                cursor += 1
            default: result.append(current)
            }
        }
        throw RequirementTextFault(at: start, "a text without its closing quote")
    }

    private func hexadecimal(_ digits: [UInt8], at start: Int) throws(RequirementTextFault) -> [UInt8] {
        var result: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let value = UInt8(String(UnicodeScalar(digit)), radix: 16) else {
                throw RequirementTextFault(at: start, "a hexadecimal number with other signs in it")
            }
            if let upper = high {
                result.append(upper << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil, !digits.isEmpty else {
            throw RequirementTextFault(at: start, "a hexadecimal number without pairs of digits")
        }
        return result
    }

    private mutating func take(while belongs: (UInt8) -> Bool) -> [UInt8] {
        let start = cursor
        while let current = byte(), belongs(current) { cursor += 1 }
        return Array(text[start..<cursor])
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        RequirementPrinter.isLetter(byte) || RequirementPrinter.isDigit(byte)
    }
}
