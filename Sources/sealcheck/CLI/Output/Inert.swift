import SealCheck

/// The one door out for untrusted text: makes any bytes safe for terminals and for the logs of build servers.
///
/// Names inside an input are chosen by whoever made it. Raw, a name can move the cursor, clear the screen or set the
/// title (ESC, and C1 controls, of which U+009B alone is CSI), read backwards (bidi overrides), pose as another
/// (zero-width scalars), break a line in two, or command the build server that reads our output: GitHub takes
/// `::command::` at the start of a line and `##[command]` anywhere in one, Azure `##vso[`, TeamCity `##teamcity[`.
///
/// What is unsafe becomes a visible escape and is never dropped: `\x1B` for a byte (C0, DEL, bytes that are not UTF-8, an
/// ASCII character of a command that had to be broken), `\u{202E}` for a scalar. Ordinary names, ASCII or not, stay
/// readable, and so do the backslashes of rules such as `\.lproj/`. Only a backslash that would read as one of our
/// escapes is itself escaped (`\x5C`), so that an escape always means what it says.
///
/// Commands do not call this: ``InertText`` applies it to whatever is interpolated.
enum Inert {
    /// `bytes` made inert.
    static func text(_ bytes: [UInt8]) -> String {
        if bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
        var result = String.UnicodeScalarView()
        for piece in UTF8Walk(escapingBackslashes(in: bytes)) {
            switch piece {
            case .invalid(let byte): result.append(contentsOf: escape(byte))
            case .scalar(let scalar) where HiddenScalars.contains(scalar): result.append(contentsOf: escape(scalar))
            case .scalar(let scalar): result.append(scalar)
            }
        }
        return breakingCommands(in: String(result))
    }

    /// `text` made inert.
    static func text(_ text: String) -> String { Self.text(Array(text.utf8)) }

    /// A path made inert, and quoted where it could not be told from the text around it otherwise: when it is empty, has
    /// a blank at either end, or begins with a quote itself.
    static func path(_ bytes: [UInt8]) -> String {
        let inert = text(bytes)
        let scalars = inert.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return "\"\"" }
        guard isBlank(first) || isBlank(last) || first == "\"" else { return inert }
        return "\"" + inert.replacing("\"", with: "\\x22") + "\""
    }

    /// `text`, which may hold several lines, with every build server command broken: a `:` or `#` of it becomes an
    /// escape. A broken command stays broken, so applying this again changes nothing.
    ///
    /// ``text(_:)-([UInt8])`` does this for each value; ``OutputWriter`` does it again for whole lines, since two harmless
    /// values can make one command.
    static func breakingCommands(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "#")) else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var isLineStart = true
        var isStyling = false
        for (index, scalar) in scalars.enumerated() {
            if isLineStart, scalar == ":", index + 1 < scalars.count, scalars[index + 1] == ":" {
                result.append(contentsOf: "\\x3A".unicodeScalars)
            } else if scalar == "#", index > 0, scalars[index - 1] == "#", opensCommand(scalars[(index + 1)...]) {
                result.append(contentsOf: "\\x23".unicodeScalars)
            } else {
                result.append(scalar)
            }
            // Our own colours (ESC [ … m) at the start of a line do not end it: a reader may strip them first.
            if scalar == "\n" {
                isLineStart = true
            } else if scalar == "\u{1B}" {
                isStyling = true
            } else if isStyling {
                isStyling = scalar != "m"
            } else if !isBlank(scalar) {
                isLineStart = false
            }
        }
        return String(result)
    }

    /// Whether what follows `##` makes it a command: letters, or none, and `[`. That is wider than the three commands
    /// known today, in any case of letters.
    private static func opensCommand(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        let afterWord = rest.prefix(32).drop { $0.properties.isAlphabetic && $0.isASCII }
        return afterWord.first == "["
    }

    /// Printable ASCII that can be part of no command and no escape. Nearly every name is all of this.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: ":"): false
        default: byte >= 0x20 && byte < 0x7F
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Escapes each backslash that, with what follows it, looks like one of our escapes.
    private static func escapingBackslashes(in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            result.append(byte)
            guard byte == UInt8(ascii: "\\") else { continue }
            let next = bytes[(index + 1)...].prefix(3)
            let looksLikeByte =
                next.first == UInt8(ascii: "x") && next.count == 3 && next.dropFirst().allSatisfy(isDigit)
            let looksLikeScalar = next.starts(with: "u{".utf8)
            if looksLikeByte || looksLikeScalar { result.append(contentsOf: "x5C".utf8) }
        }
        return result
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }

    private static func escape(_ byte: UInt8) -> String.UnicodeScalarView {
        let digits = String(byte, radix: 16, uppercase: true)
        return ("\\x" + (byte < 0x10 ? "0" : "") + digits).unicodeScalars
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        if scalar.isASCII { return escape(UInt8(truncatingIfNeeded: scalar.value)) }
        return ("\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}").unicodeScalars
    }
}
