import SealCheck
import Testing

@Suite("Paths become JSON text and back without losing a byte")
struct PathTextTests {
    private func members(_ paths: KeyValuePairs<String, BundlePath?>) -> String {
        String(decoding: JSONWriter.document(.object(PathText.members(paths)), .compact).dropLast(), as: UTF8.self)
    }

    @Test("UTF-8 stands as it is, percent signs and hidden scalars included")
    func plain() {
        let path: BundlePath = "Payload/Größe 100%25\u{202E}.png"
        let text = PathText([path])
        #expect(text.texts == ["Payload/Größe 100%25\u{202E}.png"])
        #expect(text.encoding == nil)
    }

    @Test("one bad byte encodes every bad byte and every percent sign, and nothing else")
    func percent() {
        let text = PathText([BundlePath(bytes: Array("é 5%/".utf8) + [0xFF, 0xC3, 0x0A])])
        #expect(text.texts == ["é 5%25/%FF%C3\n"])
        #expect(text.encoding == .percent)
    }

    @Test("surrogates, overlong forms and cut sequences are bad bytes")
    func malformed() {
        let text = PathText([BundlePath(bytes: [0xED, 0xA0, 0x80, 0x2F, 0xC0, 0xAF, 0x2F, 0xF0, 0x9F, 0x98])])
        #expect(text.texts == ["%ED%A0%80/%C0%AF/%F0%9F%98"])
    }

    @Test("one marker speaks for all paths of an object")
    func shared() {
        let bad = BundlePath(bytes: [0x80])
        #expect(
            members(["path": bad, "code": "50%.app"]) == #"{"code":"50%25.app","path":"%80","pathEncoding":"percent"}"#)
        #expect(members(["path": "a", "code": "50%.app"]) == #"{"code":"50%.app","path":"a"}"#)
        #expect(members(["path": bad, "code": nil]) == #"{"code":null,"path":"%80","pathEncoding":"percent"}"#)
    }

    @Test("text and marker give the bytes back")
    func inverse() {
        var bytes: [UInt8] = []
        for first in UInt8.min...UInt8.max {
            bytes += [first, UInt8(ascii: "%")]
            for path in [[first], [0xC3, first], bytes] {
                let text = PathText([BundlePath(bytes: path)])
                #expect(text.texts.compactMap { PathText.bytes(of: $0, encoding: text.encoding) } == [path])
            }
        }
    }

    @Test("malformed percent encoding is refused", arguments: ["%", "%4", "%G0", "a%0x"])
    func refused(text: String) {
        #expect(PathText.bytes(of: text, encoding: .percent) == nil)
        #expect(PathText.bytes(of: text, encoding: nil) == Array(text.utf8))
    }
}
