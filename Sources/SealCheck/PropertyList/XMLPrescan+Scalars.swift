/// Numbers, dates and data. Each moves to the `<` that ends it, and leaves no room for two readings.
extension XMLPrescan {
    mutating func scanScalar(_ element: Element) throws(PropertyListFault) {
        let start = offset
        let isWellFormed =
            switch element {
            case .integer: try scanInteger()
            case .real: scanReal()
            case .date: try scanDate()
            default: scanBase64()
            }
        guard isWellFormed else { throw malformed("<\(element.name)> has no proper value", at: start) }
    }

    /// White space, a sign, and digits of a number that fits 64 bits, signed or not.
    ///
    /// CoreFoundation knows white space after the sign and decimal numbers with leading zeros too. The latter are octal
    /// to libplist, which otherwise stops at the first character that it does not like, and takes the largest number for
    /// one that is too large.
    private mutating func scanInteger() throws(PropertyListFault) -> Bool {
        skipWhitespace()
        let isNegative = byte(at: offset) == UInt8(ascii: "-")
        if isNegative || byte(at: offset) == UInt8(ascii: "+") { offset += 1 }
        var radix: UInt64 = 10
        if byte(at: offset) == UInt8(ascii: "0"), let next = byte(at: offset + 1) {
            if next == UInt8(ascii: "x") || next == UInt8(ascii: "X") {
                radix = 16
                offset += 2
            } else if next != UInt8(ascii: "<") {
                return false
            }
        }
        var magnitude: UInt64 = 0
        var digits = 0
        while let digit = byte(at: offset), digit != UInt8(ascii: "<") {
            guard let value = Self.hexDigit(digit), UInt64(value) < radix else { return false }
            let (product, overflows) = magnitude.multipliedReportingOverflow(by: radix)
            let (sum, overflowsAgain) = product.addingReportingOverflow(UInt64(value))
            if overflows || overflowsAgain { return false }
            magnitude = sum
            digits += 1
            offset += 1
        }
        if isNegative || magnitude > UInt64(Int64.max) { try work.writeOut() }
        return digits > 0 && (!isNegative || magnitude <= UInt64(Int64.max) + 1)
    }

    /// A decimal number with fraction and exponent, or one of the words for what is no number.
    private mutating func scanReal() -> Bool {
        skipWhitespace()
        let start = offset
        let text = bytes[offset...].prefix { $0 != UInt8(ascii: "<") }
        offset = text.endIndex
        if let last = text.last, last | 0x20 >= UInt8(ascii: "a"), text.count <= 9 {
            // CoreFoundation's list, in any case. There is no -nan in it.
            let words: Set = ["nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"]
            return words.contains(String(decoding: text, as: UTF8.self).lowercased())
        }
        offset = start
        skipSign()
        let whole = skipDigits()
        var fraction = 0
        if byte(at: offset) == UInt8(ascii: ".") {
            offset += 1
            fraction = skipDigits()
        }
        guard whole + fraction > 0 else { return false }
        if let mark = byte(at: offset), mark | 0x20 == UInt8(ascii: "e") {
            offset += 1
            skipSign()
            guard skipDigits() > 0 else { return false }
        }
        return offset == text.endIndex
    }

    private mutating func skipSign() {
        if let sign = byte(at: offset), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { offset += 1 }
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while let digit = byte(at: offset), let value = Self.hexDigit(digit), value < 10 { offset += 1 }
        return offset - start
    }

    /// `YYYY-MM-DDThh:mm:ssZ`, in the calendar.
    ///
    /// CoreFoundation also knows years of other lengths or before the first, and days that no month has.
    private mutating func scanDate() throws(PropertyListFault) -> Bool {
        try work.writeOut()
        let text = bytes[offset...].prefix(20)
        let form = "0000-00-00T00:00:00Z".utf8
        guard text.count == form.count else { return false }
        var fields: [Int] = [0]
        for (character, expected) in zip(text, form) {
            if expected != UInt8(ascii: "0") {
                guard character == expected else { return false }
                fields.append(0)
            } else {
                guard let value = Self.hexDigit(character), value < 10 else { return false }
                fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int(value)
            }
        }
        offset += form.count
        let (year, month, day) = (fields[0], fields[1], fields[2])
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year > 0, days.indices.contains(month - 1) else { return false }
        return (1...days[month - 1]).contains(day) && fields[3] < 24 && fields[4] < 60 && fields[5] < 60
    }

    /// Base64 in whole groups, and white space anywhere.
    ///
    /// Both readers pass over foreign characters and drop an incomplete group, each counting in its own way.
    private mutating func scanBase64() -> Bool {
        var characters = 0
        var padding = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                if padding > 0 { return false }
                characters += 1
            case UInt8(ascii: "="):
                padding += 1
                characters += 1
            case UInt8(ascii: "<"):
                return characters.isMultiple(of: 4) && padding <= 2
            case _ where Self.isWhitespace(byte):
                break
            default:
                return false
            }
            offset += 1
        }
        return false
    }
}
