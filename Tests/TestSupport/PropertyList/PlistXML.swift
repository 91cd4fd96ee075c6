import Foundation

/// Writes property lists as XML the way Apple's serialiser lays them out.
enum PlistXML {
    static func encode(_ value: Plist) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        write(value, indent: "", into: &text)
        text += "</plist>\n"
        return Array(text.utf8)
    }

    private static func write(_ value: Plist, indent: String, into text: inout String) {
        switch value {
        case .string(let string): text += "\(indent)<string>\(escape(string))</string>\n"
        case .integer(let number): text += "\(indent)<integer>\(number)</integer>\n"
        case .real(let number): text += "\(indent)<real>\(realText(number))</real>\n"
        case .bool(let flag): text += "\(indent)<\(flag)/>\n"
        case .data(let bytes):
            text += "\(indent)<data>\n\(indent)\(Data(bytes).base64EncodedString())\n\(indent)</data>\n"
        case .date(let seconds): text += "\(indent)<date>\(dateText(seconds))</date>\n"
        case .uid(let number):
            write(.dict([.init("CF$UID", .integer(Int64(number)))]), indent: indent, into: &text)
        case .array(let values):
            text += values.isEmpty ? "\(indent)<array/>\n" : "\(indent)<array>\n"
            for value in values { write(value, indent: indent + "\t", into: &text) }
            if !values.isEmpty { text += "\(indent)</array>\n" }
        case .dict(let entries):
            text += entries.isEmpty ? "\(indent)<dict/>\n" : "\(indent)<dict>\n"
            for entry in entries {
                text += "\(indent)\t<key>\(escape(entry.key))</key>\n"
                write(entry.value, indent: indent + "\t", into: &text)
            }
            if !entries.isEmpty { text += "\(indent)</dict>\n" }
        }
    }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A whole number is written without a fraction (`<real>1000</real>`), as Apple's signer does for rule weights.
    private static func realText(_ number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        return String(number)
    }

    private static func dateText(_ seconds: Double) -> String {
        var time = time_t(seconds) + 978_307_200
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}
