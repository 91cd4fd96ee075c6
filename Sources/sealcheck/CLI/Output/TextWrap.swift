/// Breaks our own prose into lines for a terminal.
///
/// Widths are counted in characters: help and explanations are Latin text. A word that is longer than a line stays whole,
/// since paths and commands are copied.
enum TextWrap {
    /// `text` in lines of at most `width` characters, broken at blanks. Line feeds in it are kept; a line that begins
    /// with blanks is an example or a table, and is left as it is.
    static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [String] in
            paragraph.hasPrefix(" ") ? [String(paragraph)] : fill(paragraph, width: width)
        }
    }

    /// The lines of `text`, each after `indent` blanks, together at most `width` wide.
    static func indented(_ text: String, by indent: Int, width: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        return lines(text, width: max(20, width - indent)).map { $0.isEmpty ? "" : margin + $0 }
    }

    /// Two columns: `left` in the first, which is `column` wide, `right` wrapped in the second. A `left` that does not
    /// fit stands on a line of its own.
    static func columns(_ left: String, _ right: String, column: Int, width: Int) -> [String] {
        if right.isEmpty { return [left] }
        var body = indented(right, by: column, width: width)
        if left.count + 2 > column { return [left] + body }
        let padding = String(repeating: " ", count: column - left.count)
        body[0] = left + padding + body[0].dropFirst(column)
        return body
    }

    private static func fill(_ paragraph: Substring, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var length = 0
        for word in paragraph.split(separator: " ") {
            if length > 0 && length + 1 + word.count > width {
                lines.append(line)
                line = ""
                length = 0
            }
            if length > 0 {
                line += " "
                length += 1
            }
            line += word
            length += word.count
        }
        return lines + [line]
    }
}
