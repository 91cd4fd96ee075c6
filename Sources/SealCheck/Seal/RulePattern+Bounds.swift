/// What is told of a pattern before it is compiled.
///
/// The engine builds an automaton of all sets of places in the pattern that it can be at. Patterns of rules need some
/// dozens of them, but `(a|b)*a(a|b)(a|b)…` needs two to the number of its choices, at a few kilobytes each. And a
/// pattern that is not tied to the start of the path is tried from each byte of it, so that time grows with the square
/// of a path's length.
struct RulePatternBounds {
    /// Why the pattern is refused, or nil.
    private(set) var refusal: String?
    /// Whether a match can begin elsewhere than at the start of the path.
    private(set) var isFloating: Bool

    /// Alternatives, optional parts, and single bytes that may be several, none of them repeated. Apple's own patterns
    /// have 9 at most.
    private var choices = 0
    static let largestChoices = 10

    init(_ pattern: [UInt8]) {
        isFloating = pattern.first != UInt8(ascii: "^")
        var depth = 0
        var counts = 0
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { break }
                // POSIX extended expressions do not have back-references at all; the engine does, and runs for ever.
                if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(escaped) { refusal = "it has a back-reference" }
                // `\w`, `\W`, `\s`, `\S` are classes to the engine.
                if [0x77, 0x57, 0x73, 0x53].contains(escaped) { addClass(before: rest) }
            case UInt8(ascii: "["):
                Self.skipBracket(&rest)
                addClass(before: rest)
            case UInt8(ascii: "."): addClass(before: rest)
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "|"):
                choices += 1
                if depth <= 0 { isFloating = true }
            case UInt8(ascii: "?"): choices += 1
            case UInt8(ascii: "{"):
                counts += 1
                choices += Self.number(in: rest)
            default: break
            }
            if choices > Self.largestChoices, refusal == nil {
                refusal = "it has more than \(Self.largestChoices) choices"
            }
        }
        if counts > 2, refusal == nil { refusal = "it has more than two repetition counts" }
    }

    /// Counts a place that takes several bytes. One that is repeated without bound is but one more place to be at.
    private mutating func addClass(before rest: ArraySlice<UInt8>) {
        if rest.first != UInt8(ascii: "*"), rest.first != UInt8(ascii: "+") { choices += 1 }
    }

    /// Passes over a bracket expression; `rest` begins after its opening bracket.
    private static func skipBracket(_ rest: inout ArraySlice<UInt8>) {
        if rest.first == UInt8(ascii: "^") { rest = rest.dropFirst() }
        var isFirst = true
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "]"), !isFirst { return }
            isFirst = false
            // `[:alpha:]`, `[.x.]`, `[=x=]` may hold a closing bracket of their own.
            guard byte == UInt8(ascii: "["), let kind = rest.first, [0x3A, 0x2E, 0x3D].contains(kind) else { continue }
            rest = rest.dropFirst()
            var last: UInt8 = 0
            while let inner = rest.popFirst() {
                if last == kind, inner == UInt8(ascii: "]") { break }
                last = inner
            }
        }
    }

    /// The largest number of a repetition count; `rest` begins after its brace.
    private static func number(in rest: ArraySlice<UInt8>) -> Int {
        let inside = rest.prefix { $0 != UInt8(ascii: "}") }
        return inside.split(separator: UInt8(ascii: ",")).map { digits in
            digits.prefix(4).reduce(0) { $0 * 10 + Int($1 &- 48) }
        }.max() ?? 0
    }
}
