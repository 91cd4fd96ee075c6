import Foundation
import SealCheck
import Testing

@Suite("JSON is the same bytes each time, and safe to look at")
struct JSONWriterTests {
    private func written(_ value: JSONValue, _ layout: JSONWriter.Layout = .compact) -> String {
        String(decoding: JSONWriter.document(value, layout), as: UTF8.self)
    }

    /// What an independent reader makes of a string that we wrote.
    private func readBack(_ text: String) throws -> String? {
        let data = Data(JSONWriter.document(["s": .string(text)]))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return object?["s"] as? String
    }

    @Test("scalars and empty containers")
    func scalars() {
        #expect(written(nil) == "null\n")
        #expect(written(true) == "true\n")
        #expect(written(.integer(.min)) == "-9223372036854775808\n")
        #expect(written(.unsigned(.max)) == "18446744073709551615\n")
        #expect(written([]) == "[]\n")
        #expect(written([:]) == "{}\n")
        #expect(written([[], [:]], .pretty) == "[\n  [],\n  {}\n]\n")
    }

    @Test("absent values are null")
    func absent() {
        #expect(written(JSONValue(nil as String?)) == "null\n")
        #expect(written(JSONValue(nil as UInt64?)) == "null\n")
        #expect(written(JSONValue(7 as Int?)) == "7\n")
        #expect(written(JSONValue(["a", "b"])) == "[\"a\",\"b\"]\n")
    }

    @Test("keys are sorted by bytes, not by Unicode order")
    func keyOrder() {
        // Composed é is C3 A9, decomposed is 65 CC 81; Swift's own order calls them equal.
        let value: JSONValue = ["é": 1, "e\u{301}": 2, "z": 3, "Z": 4, "\u{FF5E}": 5, "\u{1F600}": 6, "": 7]
        #expect(written(value) == "{\"\":7,\"Z\":4,\"e\u{301}\":2,\"z\":3,\"é\":1,\"\u{FF5E}\":5,\"\u{1F600}\":6}\n")
    }

    @Test("pretty is two spaces a level, one member a line")
    func pretty() {
        let value: JSONValue = ["b": [1, ["c": nil]], "a": "x"]
        let expected = """
            {
              "a": "x",
              "b": [
                1,
                {
                  "c": null
                }
              ]
            }

            """
        #expect(written(value, .pretty) == expected)
    }

    /// A loop and not `arguments:`: build servers would read these strings in the names of the test cases.
    @Test("escapes")
    func escapes() throws {
        let table: [(text: String, expected: String)] = [
            ("plain", "plain"),
            ("\"\\/", "\\\"\\\\/"),
            ("\u{0}\u{1B}\n\t\u{1F}", "\\u0000\\u001b\\u000a\\u0009\\u001f"),
            ("\u{7F}\u{80}\u{9B}\u{9F}\u{A0}", "\\u007f\\u0080\\u009b\\u009f\u{A0}"),
            ("a\u{202E}b\u{200B}\u{2066}\u{FEFF}", "a\\u202eb\\u200b\\u2066\\ufeff"),
            ("\u{E0041}\u{2028}", "\\udb40\\udc41\\u2028"),
            ("##[error]x", "#\\u0023[error]x"),
            ("###", "#\\u0023\\u0023"),
            ("C# und Größe 日本 🙂 \u{F8FF}", "C# und Größe 日本 🙂 \u{F8FF}"),
        ]
        for (text, expected) in table {
            #expect(written(.string(text)).utf8.elementsEqual("\"\(expected)\"\n".utf8))
            let back = try #require(try readBack(text))
            #expect(back.unicodeScalars.elementsEqual(text.unicodeScalars))
        }
    }

    @Test("every scalar below U+3000, and every hidden one, survives an independent reader")
    func roundTrip() throws {
        var all = String.UnicodeScalarView()
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if value < 0x3000 || HiddenScalars.contains(scalar) { all.append(scalar) }
        }
        let back = try #require(try readBack(String(all)))
        #expect(back.unicodeScalars.elementsEqual(all))
        let document = JSONWriter.document(.string(String(all)))
        #expect(
            String(decoding: document.dropLast(), as: UTF8.self).unicodeScalars.allSatisfy {
                !HiddenScalars.contains($0)
            })
    }

    @Test("a compact document is one line")
    func oneLine() {
        let document = JSONWriter.document(["a": "x\ny\r\u{2028}\u{85}", "b": [1, 2]], .compact)
        #expect(document.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(document.last == UInt8(ascii: "\n"))
    }

    @Test("a large document takes linear time", .timeLimit(.minutes(1)))
    func large() {
        let finding: JSONValue = [
            "id": "resource-altered", "severity": "error", "path": "Payload/A.app/é.png", "n": 17,
        ]
        let value: JSONValue = ["findings": .array(Array(repeating: finding, count: 20_000))]
        #expect(JSONWriter.document(value).count > 1_600_000)
    }

    @Test("members can be looked up by the bytes of their key")
    func lookUp() {
        let value: JSONValue = ["e\u{301}": 1]
        #expect(value["é"] == nil)
        #expect(value["e\u{301}"] != nil)
    }
}
