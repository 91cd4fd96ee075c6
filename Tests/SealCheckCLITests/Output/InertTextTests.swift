import SealCheck
import Testing

@testable import SealCheckCLI

@Suite("Text for people is inert by construction")
struct InertTextTests {
    @Test("literals are ours, values are not")
    func interpolation() {
        let evil = "a\u{1B}[31m\nb"
        #expect(("\u{2713} \(evil)\n" as InertText).rendered == "\u{2713} a\\x1B[31m\\x0Ab\n")
        #expect(("\(bytes: [0x41, 0xFF])" as InertText).rendered == "A\\xFF")
        #expect(("\(path: BundlePath(" x"))" as InertText).rendered == "\" x\"")
        #expect(("'\(Word(" x"))', \(path: Word(" x"))" as InertText).rendered == "' x', \" x\"")
        #expect(("\(12 as UInt64) of \(-3)" as InertText).rendered == "12 of -3")
    }

    @Test("inert text is not made inert twice")
    func nesting() {
        let inner: InertText = "\("\u{1B}")"
        #expect(("[\(inner)]" as InertText).rendered == "[\\x1B]")
        #expect((inner + inner).rendered == "\\x1B\\x1B")
        #expect(InertText.joined([inner, "x"], separator: " / ").rendered == "\\x1B / x")
    }

    @Test("several lines keep their line feeds and nothing else")
    func lines() {
        #expect(InertText(lines: "a\n\n::b\u{1B}\u{85}").rendered == "a\n\n\\x3A:b\\x1B\\u{85}")
    }

    @Test("two harmless values cannot make a command together")
    func joins() {
        let writer = OutputWriter()
        writer.line("\("##")\("[error]")")
        writer.line("\("")  \(":")\(":error")")
        #expect(writer.contents == "#\\x23[error]\n  \\x3A:error\n")
    }

    @Test("styles wrap text, and vanish without colour")
    func styles() {
        #expect(Style.plain.red("x").rendered == "x")
        #expect(Style.ansi.bold("x").rendered == "\u{1B}[1mx\u{1B}[0m")
        #expect(Style.ansi.red("").rendered.isEmpty)
        #expect(Style.ansi.red("\("\u{1B}[0m")").rendered == "\u{1B}[31m\\x1B[0m\u{1B}[0m")
        let all: [InertText] = [
            Style.ansi.dim("x"), Style.ansi.green("x"), Style.ansi.yellow("x"), Style.ansi.bold("x"),
            Style.ansi.red("x"),
        ]
        #expect(Set(all.map(\.rendered)).count == all.count)
    }

    @Test("prose is wrapped at blanks; long words and indented lines stay whole")
    func wrapping() {
        #expect(TextWrap.lines("aa bb cc", width: 5) == ["aa bb", "cc"])
        #expect(TextWrap.lines("a verylongword b", width: 5) == ["a", "verylongword", "b"])
        #expect(TextWrap.lines("a\n\n  x  y z  w\nb", width: 5) == ["a", "", "  x  y z  w", "b"])
        #expect(TextWrap.columns("  -a", "one two three", column: 6, width: 26) == ["  -a  one two three"])
        #expect(TextWrap.columns("  --long", "one", column: 6, width: 40) == ["  --long", "      one"])
        #expect(TextWrap.columns("  -a", "", column: 6, width: 40) == ["  -a"])
    }
}
