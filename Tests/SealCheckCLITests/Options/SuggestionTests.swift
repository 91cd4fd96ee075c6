import Testing

@testable import SealCheckCLI

@Suite("What was probably meant")
struct SuggestionTests {
    private static let names = ["verify", "inspect", "diff", "rewrite-identifiers", "seal", "explain", "policy"]

    @Test(
        "close ones are found",
        arguments: [
            ("verfy", "verify"), ("verifiy", "verify"), ("evrify", "verify"), ("VERIFY", "verify"), ("sael", "seal"),
            ("dif", "diff"), ("rewrite", "rewrite-identifiers"), ("explian", "explain"), ("insp", "inspect"),
        ])
    func close(typed: String, meant: String) {
        #expect(Suggestion.closest(to: typed, among: Self.names) == meant)
    }

    @Test("others are not", arguments: ["", "x", "sign", "install", "verifications-of-a-kind"])
    func far(typed: String) {
        #expect(Suggestion.closest(to: typed, among: Self.names) == nil)
    }

    @Test("a beginning that fits two names is judged by distance, the first of equals wins")
    func ambiguous() {
        #expect(Suggestion.closest(to: "jso", among: ["jsonl", "json"]) == "json")
        #expect(Suggestion.closest(to: "ab", among: ["abc", "abd"]) == "abc")
        #expect(Suggestion.closest(to: "all", among: ["all-digests", "all"]) == "all")
        #expect(Suggestion.closest(to: "x", among: []) == nil)
    }

    @Test("a very long word costs nothing")
    func bounded() {
        #expect(Suggestion.closest(to: String(repeating: "v", count: 1_000_000), among: Self.names) == nil)
    }
}
