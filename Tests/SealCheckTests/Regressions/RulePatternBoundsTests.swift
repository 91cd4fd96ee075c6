import Testing

@testable import SealCheck

/// Patterns of a seal that would keep the regular expression engine busy for hours, or fill the memory.
struct RulePatternBoundsTests {
    private func compile(_ pattern: String) throws -> RulePattern {
        try RulePattern(ByteString(pattern), limits: .standard)
    }

    private func matches(_ pattern: String, _ path: String) throws -> Bool {
        let compiled = try compile(pattern)
        return (Array(path.utf8) + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map(compiled.matches(terminated:)) ?? false
            }
        }
    }

    /// Each of these has an automaton of about two to the twentieth states.
    @Test(arguments: [
        "(a|b)*a" + String(repeating: "(a|b)", count: 20) + "c", "[ab]*a" + String(repeating: "[ab]", count: 20) + "c",
        "[ab]*a.{20}c", ".*a" + String(repeating: ".", count: 20) + "c",
        "[ab]*a" + String(repeating: "b?a?", count: 20),
        #".*a\w\w\w\w\w\w\w\w\w\w\w\w"#, "a{1,255}", #"(a*)\1"#,
    ])
    func refused(_ pattern: String) {
        #expect(throws: RulePattern.Fault.self) { try compile(pattern) }
    }

    /// Apple's own, the ones that the store adds, and what only looks like a choice.
    @Test(arguments: [
        "^.*", "^[^/]+$",
        "^(Frameworks|SharedFrameworks|PlugIns|Plug-ins|XPCServices|Helpers|MacOS|Library/(Automator|Spotlight|LoginItems))/",
        #".*\.dSYM($|/)"#, #"^(.*/)?\.DS_Store$"#, #"^Resources/.*\.lproj/locversion.plist$"#,
        #"^(Frameworks/[^/]+\.framework/|PlugIns/[^/]+\.appex/|())SC_Info/[^/]+\.(sinf|supf|supp)$"#,
        #"[]|?.][^]|?.]*\|\?\.\.\.\.\.\.\.\.\.\.\.\."#, "[[:alpha:]]*[[.].]]*x",
    ])
    func accepted(_ pattern: String) throws {
        _ = try compile(pattern)
    }

    /// A pattern that is not tied to the start is found wherever it is, with whatever anchors and alternatives it has.
    @Test func floating() throws {
        #expect(try matches(#".*\.dSYM($|/)"#, "a/b.dSYM"))
        #expect(try matches(#"\.dSYM($|/)"#, "a/b.dSYM/c"))
        #expect(try !matches(#"\.dSYM($|/)"#, "a/b.dSYMs"))
        #expect(try matches("x|^a", "abc"))
        #expect(try !matches("x|^b", "abc"))
        #expect(try matches("^b|c$", "abc"))
        #expect(try !matches("^b|b$", "abc"))
        #expect(try matches("(^|/)b", "a/b"))
        #expect(try matches("", "a"))
        #expect(try matches("b\nc", "ab\ncd"))
        #expect(throws: RulePattern.Fault.self) { try compile("a)|(b") }
    }

    /// Time grows with the length of a path and not with its square: a minute and more, were it so.
    @Test func longPaths() throws {
        let path = String(repeating: "ab", count: 2_000)
        let clock = ContinuousClock()
        let time = try clock.measure {
            let pattern = try compile("[ab]*c")
            let found = (Array(path.utf8) + [0]).withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { text in
                    text.baseAddress.map { start in (0..<2_000).count { _ in pattern.matches(terminated: start) } } ?? 0
                }
            }
            #expect(found == 0)
        }
        #expect(time < .seconds(10))
    }
}
