/// Compiles the text form of a requirement (spec 9.5).
struct RequirementParser {
    private let tokens: [RequirementLexer.Token]
    private var position = 0

    init(_ text: [UInt8]) throws(RequirementTextFault) { tokens = try RequirementLexer.tokens(text) }

    /// One requirement and nothing after it but semicolons.
    mutating func requirement() throws(RequirementTextFault) -> RequirementExpression {
        let expression = try disjunction(depth: 0)
        while take(sign: ";") {}
        guard current.kind == .end else { throw unexpected("the end") }
        return expression
    }

    // MARK: Expressions

    private mutating func disjunction(depth: Int) throws(RequirementTextFault) -> RequirementExpression {
        var expression = try conjunction(depth: depth)
        var links = depth
        while take(word: "or") {
            links += 1
            try check(links)
            expression = .or(expression, try conjunction(depth: links))
        }
        return expression
    }

    private mutating func conjunction(depth: Int) throws(RequirementTextFault) -> RequirementExpression {
        var expression = try primary(depth: depth)
        var links = depth
        while take(word: "and") {
            links += 1
            try check(links)
            expression = .and(expression, try primary(depth: links))
        }
        return expression
    }

    /// Operators in a row group to the left, so each adds to the depth of the first one.
    private func check(_ depth: Int) throws(RequirementTextFault) {
        guard depth < RequirementExpression.maximumDepth else {
            throw RequirementTextFault(.undecided, at: current.offset, "too many expressions in each other")
        }
    }

    private mutating func primary(depth: Int) throws(RequirementTextFault) -> RequirementExpression {
        try check(depth)
        if take(sign: "!") { return .not(try primary(depth: depth + 1)) }
        if take(sign: "(") {
            let mark = position
            if let name = value(), take(sign: ")") { return .named(name) }
            position = mark
            let expression = try disjunction(depth: depth + 1)
            try expect(sign: ")")
            return expression
        }
        guard case .word(let word) = current.kind else { throw unexpected("a condition") }
        position += 1
        switch word {
        case "always", "true": return .always
        case "never", "false": return .never
        case "notarized": return .notarized
        case "legacy": return .legacy
        case "identifier":
            takeEqual()
            return .identifier(try text())
        case "cdhash":
            takeEqual()
            return .cdhash(try hash())
        case "platform":
            guard takeEqual() else { throw unexpected("=") }
            return .platform(try integer())
        case "anchor": return try anchor()
        case "certificate", "cert": return try certificate(slot())
        case "info":
            let key = try key()
            return .info(key: key, try match())
        case "entitlement":
            let key = try key()
            return .entitlement(key: key, try match())
        default:
            position -= 1
            throw unexpected("a condition")
        }
    }

    private mutating func anchor() throws(RequirementTextFault) -> RequirementExpression {
        if take(word: "trusted") { return .anchorTrusted }
        if take(word: "generic") {
            guard take(word: "apple") else { throw unexpected("apple") }
            return .anchorAppleGeneric
        }
        guard take(word: "apple") else { return try certificate(-1) }
        if take(word: "generic") { return .anchorAppleGeneric }
        return value().map { .namedAnchor($0) } ?? .anchorApple
    }

    private mutating func certificate(_ slot: Int32) throws(RequirementTextFault) -> RequirementExpression {
        if take(word: "trusted") { return .certificateTrusted(slot: slot) }
        if takeEqual() { return .certificateHash(slot: slot, hash: try hash()) }
        let offset = current.offset
        let key = try key()
        let name = String(decoding: key, as: UTF8.self)
        guard let dot = name.firstIndex(of: "."), ["field", "policy", "timestamp"].contains(name[..<dot]) else {
            return .certificateField(slot: slot, key: key, try match())
        }
        guard let oid = ObjectIdentifierText.bytes(name[name.index(after: dot)...]) else {
            throw RequirementTextFault(.undecided, at: offset, "'\(name)' has no object identifier")
        }
        switch name[..<dot] {
        case "field": return .certificateExtension(slot: slot, oid: oid, try match())
        case "policy": return .certificatePolicy(slot: slot, oid: oid, try match())
        default: return .certificateTimestamp(slot: slot, oid: oid, try match())
        }
    }

    // MARK: Parts

    private mutating func slot() throws(RequirementTextFault) -> Int32 {
        if take(word: "leaf") { return 0 }
        if take(word: "root") { return -1 }
        return try integer()
    }

    private mutating func match() throws(RequirementTextFault) -> RequirementMatch {
        if take(word: "exists") { return .exists }
        if take(word: "absent") { return .absent }
        if takeEqual() {
            let hasLeading = take(sign: "*")
            let value = try text()
            switch (hasLeading, take(sign: "*")) {
            case (false, false): return .equal(value)
            case (false, true): return .beginsWith(value)
            case (true, false): return .endsWith(value)
            case (true, true): return .contains(value)
            }
        }
        if take(sign: "~") { return .contains(try text()) }
        if take(sign: "<") { return .less(try text()) }
        if take(sign: ">") { return .greater(try text()) }
        if take(sign: "<=") { return .lessOrEqual(try text()) }
        if take(sign: ">=") { return .greaterOrEqual(try text()) }
        return .exists
    }

    private mutating func key() throws(RequirementTextFault) -> [UInt8] {
        try expect(sign: "[")
        let key = try text()
        try expect(sign: "]")
        return key
    }

    /// A text: in quotes, as hexadecimal digits, or a word that means nothing else.
    private mutating func text() throws(RequirementTextFault) -> [UInt8] {
        if let value = value() { return value }
        switch current.kind {
        case .integer, .sign("<"), .word("timestamp"):
            throw RequirementTextFault(.undecided, at: current.offset, "a value that is no text")
        default: throw unexpected("a text")
        }
    }

    private mutating func value() -> [UInt8]? {
        let result: [UInt8]
        switch current.kind {
        case .text(let bytes): result = bytes
        case .word(let word) where !RequirementWords.reserved.contains(word): result = Array(word.utf8)
        default: return nil
        }
        position += 1
        return result
    }

    private mutating func hash() throws(RequirementTextFault) -> [UInt8] {
        guard case .hash(let hash) = current.kind else {
            if case .text = current.kind {
                throw RequirementTextFault(.undecided, at: current.offset, "a hash in another form than H\"…\"")
            }
            throw unexpected("a hash")
        }
        guard hash.count == 20 else {
            throw RequirementTextFault(at: current.offset, "a hash of \(hash.count) bytes, where 20 are needed")
        }
        position += 1
        return hash
    }

    private mutating func integer() throws(RequirementTextFault) -> Int32 {
        let isNegative = take(sign: "-")
        guard case .integer(let digits) = current.kind else { throw unexpected("a number") }
        guard let value = Int32((isNegative ? "-" : "") + digits) else {
            throw RequirementTextFault(.undecided, at: current.offset, "a number beyond 32 bits")
        }
        position += 1
        return value
    }

    // MARK: Tokens

    private var current: RequirementLexer.Token { tokens[min(position, tokens.count - 1)] }

    private mutating func take(sign: String) -> Bool { take(.sign(sign)) }
    private mutating func take(word: String) -> Bool { take(.word(word)) }

    private mutating func take(_ kind: RequirementLexer.Kind) -> Bool {
        guard current.kind == kind else { return false }
        position += 1
        return true
    }

    @discardableResult private mutating func takeEqual() -> Bool { take(sign: "=") || take(sign: "==") }

    private mutating func expect(sign: String) throws(RequirementTextFault) {
        guard take(sign: sign) else { throw unexpected(sign) }
    }

    private func unexpected(_ wanted: String) -> RequirementTextFault {
        let met =
            switch current.kind {
            case .sign(let sign): "'\(sign)'"
            case .word(let word): "'\(word)'"
            case .text: "a text"
            case .hash: "a hash"
            case .integer(let digits): "'\(digits)'"
            case .end: "the end"
            }
        return RequirementTextFault(at: current.offset, "\(met) where \(wanted) should be")
    }
}

extension RequirementExpression {
    /// Compiles the text form, such as `identifier "com.example.app" and anchor apple`, byte for byte as `csreq` does.
    ///
    /// - Throws: ``RequirementTextFault``
    public init(compiling text: some Sequence<UInt8>) throws(RequirementTextFault) {
        var parser = try RequirementParser(Array(text))
        self = try parser.requirement()
    }
}
