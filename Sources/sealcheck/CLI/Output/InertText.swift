import SealCheck

/// Text for people that is safe to print, by construction.
///
/// Everything human that leaves the program is an `InertText`: ``OutputWriter`` prints nothing else. Its literals are our
/// own words and stand as they are; whatever is interpolated goes through ``Inert`` first. So
/// `"\(path: entry.path): \(finding.message)"` is safe without anybody having to remember it, and printing a bare
/// `String` does not compile.
struct InertText: Sendable {
    /// What is printed.
    let rendered: String

    fileprivate init(trusting rendered: String) { self.rendered = rendered }

    /// Text of several lines, such as a catalogue entry: each line made inert, the line feeds kept.
    init(lines text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        rendered = lines.map { Inert.text(String($0)) }.joined(separator: "\n")
    }

    /// Words of our own that are not a literal where they are printed.
    static func own(_ text: StaticString) -> InertText { InertText(trusting: "\(text)") }

    /// This text between two control sequences of our own. Only ``Style`` has a reason to call it.
    func wrapped(before: StaticString, after: StaticString) -> InertText {
        InertText(trusting: "\(before)\(rendered)\(after)")
    }

    /// The parts with `separator` between them.
    static func joined(_ parts: some Sequence<InertText>, separator: StaticString = ", ") -> InertText {
        InertText(trusting: parts.map(\.rendered).joined(separator: "\(separator)"))
    }

    static func + (left: InertText, right: InertText) -> InertText {
        InertText(trusting: left.rendered + right.rendered)
    }

    var isEmpty: Bool { rendered.isEmpty }
}

extension InertText: ExpressibleByStringInterpolation, CustomStringConvertible {
    var description: String { rendered }

    init(stringLiteral value: String) { rendered = value }

    init(stringInterpolation: StringInterpolation) { rendered = stringInterpolation.rendered }

    /// Literal parts are trusted, everything else is made inert.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var rendered = ""

        init(literalCapacity: Int, interpolationCount: Int) { rendered.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { rendered += literal }
        mutating func appendInterpolation(_ text: InertText) { rendered += text.rendered }
        mutating func appendInterpolation(_ text: String) { rendered += Inert.text(text) }
        mutating func appendInterpolation(_ text: Substring) { rendered += Inert.text(String(text)) }
        mutating func appendInterpolation(_ number: some BinaryInteger) { rendered += String(number) }
        mutating func appendInterpolation(bytes: [UInt8]) { rendered += Inert.text(bytes) }
        /// A path, quoted where that is needed.
        mutating func appendInterpolation(path: BundlePath) { rendered += Inert.path(path.bytes) }
        /// A word of the command line, for a sentence that puts it between quotes itself.
        mutating func appendInterpolation(_ word: Word) { rendered += Inert.text(word.bytes) }
        /// A word of the command line that is a path, quoted where that is needed.
        mutating func appendInterpolation(path: Word) { rendered += Inert.path(path.bytes) }
    }
}
