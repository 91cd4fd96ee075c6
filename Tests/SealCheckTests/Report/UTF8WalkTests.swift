import SealCheck
import Testing

@Suite("Bytes that may be UTF-8 are walked without loss")
struct UTF8WalkTests {
    @Test("scalars and stray bytes are told apart")
    func pieces() {
        let bytes: [UInt8] = [0x61, 0x9B, 0xC3, 0xA9, 0xF0, 0x9F, 0x62, 0xE2, 0x82]
        let expected: [UTF8Walk.Piece] = [
            .scalar("a"), .invalid(0x9B), .scalar("é"), .invalid(0xF0), .invalid(0x9F), .scalar("b"), .invalid(0xE2),
            .invalid(0x82),
        ]
        #expect(Array(UTF8Walk(bytes)) == expected)
    }

    @Test("every pair and many triples of bytes come back whole")
    func lossless() {
        let third: [UInt8] = [0x00, 0x41, 0x80, 0xBF, 0xC2, 0xED, 0xF4, 0xFF]
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for last in third {
                    let bytes = [first, second, last]
                    var back: [UInt8] = []
                    for piece in UTF8Walk(bytes) {
                        switch piece {
                        case .scalar(let scalar): back += Array(String(scalar).utf8)
                        case .invalid(let byte): back.append(byte)
                        }
                    }
                    if back != bytes { Issue.record("\(bytes) came back as \(back)") }
                }
            }
        }
    }

    @Test("hidden and ordinary scalars")
    func hidden() {
        let hidden: String.UnicodeScalarView =
            "\u{0}\u{7F}\u{9B}\u{AD}\u{200D}\u{202E}\u{2069}\u{FEFF}\u{E007F}\u{FFFF}\u{10FFFE}".unicodeScalars
        for scalar in hidden where !HiddenScalars.contains(scalar) {
            Issue.record("U+\(String(scalar.value, radix: 16)) is let through")
        }
        for scalar in " ~\u{A0}e\u{301}日한ع\u{F8FF}\u{FE0F}🙂\u{FFFD}".unicodeScalars where HiddenScalars.contains(scalar)
        {
            Issue.record("U+\(String(scalar.value, radix: 16)) is hidden")
        }
    }

    /// The table is our own so that reports do not change with the toolchain; it must still cover what Unicode calls
    /// controls and format characters today.
    @Test("every control, format and separator scalar of Unicode is hidden")
    func unicode() {
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                if !HiddenScalars.contains(scalar) { Issue.record("U+\(String(value, radix: 16)) is let through") }
            default: break
            }
        }
    }
}
