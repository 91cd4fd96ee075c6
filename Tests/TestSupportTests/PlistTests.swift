import Foundation
import TestSupport
import Testing

/// Property lists are read back with Foundation, which shares no code with the writer.
@Suite struct PlistTests {
    static let everything: Plist = [
        "text": "Grüße & <Küsse>", "empty": "", "emoji": "🦭", "small": 7, "byte": 255, "word": 65535,
        "long": 4_294_967_295,
        "huge": 9_223_372_036_854_775_807, "negative": -1, "real": 1.5, "whole": .real(1000), "yes": true, "no": false,
        "data": .data([0, 1, 254, 255]), "nothing": .data([]), "date": .date(86400), "list": [1, ["inner"], [:]],
        "many": .array((0..<300).map { .integer($0) }),
    ]

    @Test(arguments: Plist.Form.allCases) func readBack(_ form: Plist.Form) throws {
        let bytes = Self.everything.encoded(as: form)
        let read = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        let dictionary = try #require(read as? [String: Any])
        #expect(dictionary.count == Self.everything.entries.count)
        #expect(dictionary["text"] as? String == "Grüße & <Küsse>")
        #expect(dictionary["emoji"] as? String == "🦭")
        #expect(dictionary["long"] as? Int == 4_294_967_295)
        #expect(dictionary["huge"] as? Int == .max)
        #expect(dictionary["negative"] as? Int == -1)
        #expect(dictionary["real"] as? Double == 1.5)
        #expect(dictionary["whole"] as? Double == 1000)
        #expect(dictionary["yes"] as? Bool == true)
        #expect(dictionary["data"] as? Data == Data([0, 1, 254, 255]))
        #expect(dictionary["date"] as? Date == Date(timeIntervalSinceReferenceDate: 86400))
        #expect((dictionary["many"] as? [Int])?.count == 300)
        #expect((dictionary["list"] as? [Any])?.count == 3)
    }

    @Test func keysKeepOrderAndMayRepeat() {
        let twice = Plist.dict([.init("b", 1), .init("a", 2), .init("b", 3)])
        let text = String(decoding: twice.encoded(), as: UTF8.self)
        #expect(text.components(separatedBy: "<key>b</key>").count == 3)
        #expect(twice["b"] == 1)
        #expect(twice.sorted().entries.map(\.key) == ["a", "b", "b"])
    }

    @Test func keysAreComparedByBytes() {
        var names: Plist = ["é": 1]
        names["e\u{301}"] = 2
        #expect(names.entries.count == 2)
        names["é"] = nil
        #expect(names.entries == [.init("e\u{301}", 2)])
    }
}
