import SealCheck
import Testing

@testable import SealCheckCLI

/// The corpus is walked in loops and not through `arguments:`: build servers would read it in the names of the cases.
@Suite("Untrusted text is made inert")
struct InertTests {
    private static let esc: UInt8 = 0x1B

    @Test("ordinary names stay as they are")
    func ordinary() {
        let names = [
            "", "Payload/App.app/Info.plist", "Größe 日本語 한국어 עברית عربي.png", "e\u{301}.txt", "🙂 \u{2764}\u{FE0F}",
            "\u{F8FF} Watch", "C#", "a:b", "std::vector", "\\", "a\\b", "^.*\\.lproj/", "\\xyz", "\\u0041", "x ##",
            "[a]",
            "# [x]", "## x", "##1[", "say \"hi\"", "<script>", "]]>", "|`*_", "100%",
        ]
        for name in names {
            #expect(Inert.text(name) == name)
            #expect(Inert.text(Array(name.utf8)) == name)
        }
    }

    @Test("what is unsafe becomes a visible escape")
    func escapes() {
        let table: [(bytes: [UInt8], expected: String)] = [
            ([0x00, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x1B, 0x1F], "\\x00\\x07\\x08\\x09\\x0A\\x0D\\x1B\\x1F"),
            (Array("a\u{7F}b".utf8), "a\\x7Fb"),
            (Array("\u{1B}]0;title\u{7}\u{1B}[2J".utf8), "\\x1B]0;title\\x07\\x1B[2J"),
            (Array("\u{80}\u{9B}31m\u{9F}".utf8), "\\u{80}\\u{9B}31m\\u{9F}"),
            ([0x9B, 0x33, 0x31, 0x6D], "\\x9B31m"),
            ([0xFF, 0xFE, 0x41], "\\xFF\\xFEA"),
            ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
            ([0xC0, 0xAF], "\\xC0\\xAF"),
            ([0xE2, 0x82], "\\xE2\\x82"),
            (Array("gpj.\u{202E}exe".utf8), "gpj.\\u{202E}exe"),
            (Array("\u{2066}\u{2069}\u{200F}\u{61C}".utf8), "\\u{2066}\\u{2069}\\u{200F}\\u{61C}"),
            (Array("App\u{200B}.app\u{FEFF}\u{AD}\u{200D}".utf8), "App\\u{200B}.app\\u{FEFF}\\u{AD}\\u{200D}"),
            (Array("a\u{2028}b\u{2029}c\u{85}".utf8), "a\\u{2028}b\\u{2029}c\\u{85}"),
            (Array("\u{E0041}\u{10FFFF}".utf8), "\\u{E0041}\\u{10FFFF}"),
            (Array("line one\nline two".utf8), "line one\\x0Aline two"),
        ]
        for (bytes, expected) in table { #expect(Inert.text(bytes) == expected) }
    }

    @Test("an escape that was in the name already is told from one of ours")
    func backslashes() {
        #expect(Inert.text("\\x1B[31m") == "\\x5Cx1B[31m")
        #expect(Inert.text("\\u{202E}") == "\\x5Cu{202E}")
        #expect(Inert.text("\\x5C") == "\\x5Cx5C")
        #expect(Inert.text("\\\\x41") == "\\\\x5Cx41")
        #expect(Inert.text("\\x4") == "\\x4")
        #expect(Inert.text("\\\u{1B}") == "\\\\x1B")
        #expect(Inert.text("\\xé0") == "\\xé0")
    }

    @Test("commands of build servers are broken")
    func commands() {
        let table: [(text: String, expected: String)] = [
            ("::error::x", "\\x3A:error::x"),
            ("  ::stop-commands::t", "  \\x3A:stop-commands::t"),
            ("\u{A0}\u{3000}::x", "\u{A0}\u{3000}\\x3A:x"),
            (":::x", "\\x3A::x"),
            ("a ::error::x", "a ::error::x"),
            ("x##[error]y", "x#\\x23[error]y"),
            ("##vso[task.complete]", "#\\x23vso[task.complete]"),
            ("##VSO[a]", "#\\x23VSO[a]"),
            ("##teamcity[x]", "#\\x23teamcity[x]"),
            ("###[x]", "##\\x23[x]"),
            ("####[x]", "###\\x23[x]"),
            ("##[##[x", "#\\x23[#\\x23[x"),
            ("##é[x]", "##é[x]"),
        ]
        for (text, expected) in table {
            #expect(Inert.text(text) == expected)
            #expect(Inert.breakingCommands(in: expected) == expected)
        }
    }

    @Test("every line of a text is looked at, past our own colours")
    func lines() {
        #expect(Inert.breakingCommands(in: "a\n ::b\n::c") == "a\n \\x3A:b\n\\x3A:c")
        #expect(Inert.breakingCommands(in: "\u{1B}[31m::b\u{1B}[0m") == "\u{1B}[31m\\x3A:b\u{1B}[0m")
    }

    @Test("a path is quoted where its ends could not be seen")
    func paths() {
        let table: [(text: String, expected: String)] = [
            ("a b", "a b"), ("", "\"\""), (" a", "\" a\""), ("a ", "\"a \""), ("a\u{A0}", "\"a\u{A0}\""),
            ("\"a\"", "\"\\x22a\\x22\""), ("a\"", "a\""), ("a\n", "a\\x0A"), ("\u{3000}\"", "\"\u{3000}\\x22\""),
        ]
        for (text, expected) in table { #expect(Inert.path(Array(text.utf8)) == expected) }
    }

    @Test("nothing unsafe is left of any short string")
    func exhaustive() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let text = Inert.text([first, second, 0x23, 0x5B])
                if text.unicodeScalars.contains(where: HiddenScalars.contains) || text.contains("##[") {
                    Issue.record("bytes \(first) \(second) are let through")
                }
            }
        }
    }

    @Test("escapes give the bytes back")
    func invertible() {
        let alphabet: [UInt8] = Array("\\xu{}1A:#[ \"".utf8) + [0x1B, 0x80, 0xC3, 0xA9, 0xFF]
        var random = SplitMix(state: 7)
        for _ in 0..<20_000 {
            let length = Int(random.next() % 9)
            let bytes = (0..<length).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            let text = Inert.text(bytes)
            if decode(text) != bytes { Issue.record("\(bytes) became \(Array(text.utf8))") }
        }
    }

    /// Reads our escapes from left to right; every other backslash is one.
    private func decode(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let character = rest.unicodeScalars.first {
            if let match = rest.prefixMatch(of: #/\\x([0-9A-Fa-f]{2})/#), let byte = UInt8(match.1, radix: 16) {
                bytes.append(byte)
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: #/\\u\{([0-9A-F]+)\}/#), let value = UInt32(match.1, radix: 16),
                let scalar = Unicode.Scalar(value)
            {
                bytes += Array(String(scalar).utf8)
                rest = rest[match.range.upperBound...]
            } else {
                bytes += Array(String(character).utf8)
                rest = Substring(rest.unicodeScalars.dropFirst())
            }
        }
        return bytes
    }
}

/// Random numbers that are the same each time.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
