/// Text in XML 1.0. One character outside of what XML allows, even written as a reference, loses the whole report in
/// some readers; so text is made inert first, which shows such characters as escapes, and never put into CDATA.
enum XMLText {
    /// `text` for an attribute in double quotes, or for the contents of an element. Line feeds that are ours must be
    /// outside of `text`: within it they are shown as escapes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in Inert.text(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
