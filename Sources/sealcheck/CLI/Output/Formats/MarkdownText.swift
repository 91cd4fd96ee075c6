import SealCheck

/// Untrusted text in Markdown: it shows what it says, and is never markup, a link, a mention or HTML.
enum MarkdownText {
    /// Text in the flow of a sentence.
    static func prose(_ text: String) -> String {
        var result = ""
        let characters = Array(Inert.text(text))
        for (index, character) in characters.enumerated() {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "$": result += "\\\(character)"
            // An empty comment keeps what follows from being read as a mention or an address.
            case "@": result += "@<!-- -->"
            case ":" where index + 1 < characters.count && characters[index + 1] == "/": result += ":<!-- -->"
            case "." where index >= 3 && String(characters[index - 3..<index]).lowercased() == "www":
                result += "<!-- -->."
            default: result.append(character)
            }
        }
        return result
    }

    /// A name or path as code: a fence longer than any in it.
    static func code(_ bytes: [UInt8], inTable: Bool = false) -> String {
        var text = Inert.text(bytes)
        if text.isEmpty { return "` `" }
        if inTable { text = text.replacing("|", with: "\\|") }
        let longest = text.split(omittingEmptySubsequences: true) { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        let needsBlank = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") || text.hasSuffix(" ")
        return needsBlank ? "\(fence) \(text) \(fence)" : fence + text + fence
    }
}
