import Foundation
import Testing

@testable import SealCheck

/// Every type, in both formats, as another program writes them.
@Suite struct PropertyListTypesTests {
    static let expected: [String: PropertyList] = [
        "string": .string("plain text"),
        "markup": .string("<a href=\"x\">&amp;'</a>"),
        "unicode": .string("\u{E9} e\u{301} \u{1F600}"),
        "emptyString": .string(""),
        "true": .boolean(true),
        "false": .boolean(false),
        "zero": .integer(0),
        "one": .integer(1),
        "minusOne": .integer(-1),
        "byte": .integer(255),
        "short": .integer(65535),
        "word": .integer(4_294_967_295),
        "largest": .integer(.max),
        "smallest": .integer(.min),
        "unsigned": .unsigned(.max),
        "unsignedLeast": .unsigned(1 << 63),
        "real": .real(bits: 1.5.bitPattern),
        "negativeReal": .real(bits: (-0.25).bitPattern),
        "largeReal": .real(bits: 1e300.bitPattern),
        "data": .data(Array(0..<48)),
        "emptyData": .data([]),
        "date": .date(bits: 604_713_598.0.bitPattern),
        "farDate": .date(bits: 63_113_904_000.0.bitPattern),
        "oldDate": .date(bits: (-3_125_865_600.0).bitPattern),
        "array": .array([.integer(1), .array([.integer(2), .array([])]), .string("x")]),
        "emptyArray": .array([]),
        "dictionary": .keyed([
            "z": .integer(1), "a": .keyed(["m": .boolean(true)]), "k": .array([.boolean(false)]),
        ]),
        "emptyDictionary": .keyed([:]),
        "longArray": .array((0..<20).map { .integer($0) }),
        "longString": .string(ByteString(String(repeating: "0123456789", count: 30))),
    ]

    @Test(arguments: PlistlibFixtures.all)
    func readsWhatPlistlibWrites(_ fixture: PlistlibFixtures.Fixture) throws {
        let expected = try #require(Self.expected[fixture.name])
        let xml = try PropertyListDocument(parsing: fixture.xmlBytes)
        #expect(xml.value == expected)
        #expect(xml.format == .xml)
        let binary = try PropertyListDocument(parsing: fixture.binaryBytes)
        #expect(binary.value == expected)
        #expect(binary.format == .binary)
    }

    @Test(arguments: PlistlibFixtures.all)
    func refusesEveryPrefix(_ fixture: PlistlibFixtures.Fixture) throws {
        for bytes in [fixture.xmlBytes, fixture.binaryBytes] {
            // What follows the last `>` of the XML is white space.
            let whole = bytes.last == UInt8(ascii: "\n") ? bytes.count - 1 : bytes.count
            for length in 0..<whole {
                #expect(isMalformed(Array(bytes.prefix(length))), "\(fixture.name), \(length) of \(bytes.count) bytes")
            }
        }
    }

    @Test func keepsTheOrderOfEntries() throws {
        let fixture = try #require(PlistlibFixtures.all.first { $0.name == "dictionary" })
        for bytes in [fixture.xmlBytes, fixture.binaryBytes] {
            let list = try PropertyList(parsing: bytes)
            #expect(list.dictionary?.entries.map(\.key) == ["z", "a", "k"])
        }
        let many = (0..<2_000).map { "\($0 * 7_919 % 2_000)" }
        let text = many.map { "<key>\($0)</key><true/>" }.joined()
        let list = try PropertyList(parsing: XMLText.file("<dict>\(text)</dict>"))
        #expect(list.dictionary?.entries.map(\.key.lossyText) == many)
        #expect(list["1234"] == .boolean(true))
    }

    @Test func tellsNormalFormsApart() throws {
        let xml = XMLText.file("<dict><key>\u{E9}</key><true/><key>e\u{301}</key><false/></dict>")
        let binary = BinaryListBuilder([
            BinaryListBuilder.dictionary([1, 2], [3, 4]), BinaryListBuilder.utf16([0xE9]),
            BinaryListBuilder.utf16([0x65, 0x301]), [0x09], [0x08],
        ]).bytes
        for bytes in [xml, binary] {
            let document = try PropertyListDocument(parsing: bytes)
            #expect(document.value.dictionary?.count == 2)
            #expect(document.value["\u{E9}"] == .boolean(true))
            #expect(document.value["e\u{301}"] == .boolean(false))
            #expect(document.duplicateKeyCount == 0)
        }
    }

    @Test func tellsTheFormat() {
        #expect(PropertyList.format(of: Array("bplist00".utf8)) == .binary)
        #expect(PropertyList.format(of: Array("bplist15".utf8)) == .binary)
        #expect(PropertyList.format(of: Array("\u{FEFF} \n<dict/>".utf8)) == .xml)
        #expect(PropertyList.format(of: Array("{ a = b; }".utf8)) == nil)
        #expect(PropertyList.format(of: []) == nil)
        #expect(PropertyList.format(of: [0xFE, 0xFF, 0x00, 0x3C]) == nil)
    }

    @Test func namesWhatItDoesNotRead() {
        #expect(throws: PropertyListFault.malformed("the file is empty")) { try PropertyList(parsing: []) }
        #expect(throws: PropertyListFault.malformed("text in UTF-16 or UTF-32 is not read")) {
            try PropertyList(parsing: [0xFF, 0xFE, 0x3C, 0x00])
        }
        #expect(throws: PropertyListFault.malformed("neither XML nor binary")) {
            try PropertyList(parsing: Array("{ a = b; }".utf8))
        }
    }
}

extension PlistlibFixtures.Fixture {
    var xmlBytes: [UInt8] { XMLText.file(String(decoding: Data(base64Encoded: xml) ?? Data(), as: UTF8.self)) }
    var binaryBytes: [UInt8] { Array(Data(base64Encoded: binary) ?? Data()) }
}

extension PropertyList {
    /// A dictionary, for short.
    static func keyed(_ entries: KeyValuePairs<ByteString, PropertyList>) -> PropertyList {
        .dictionary(Dictionary(entries.map { (key: $0.key, value: $0.value) }))
    }
}

/// Whether reading fails since the file is malformed, and not for a limit.
func isMalformed(_ bytes: [UInt8]) -> Bool {
    do throws(PropertyListFault) {
        _ = try PropertyList(parsing: bytes)
        return false
    } catch {
        if case .malformed = error { return true }
        return false
    }
}

/// The limit that reading exceeds.
func exceeded(_ bytes: [UInt8], _ limits: Limits = .standard) -> Limits.Exceeded? {
    do throws(PropertyListFault) {
        _ = try PropertyList(parsing: bytes, limits: limits)
        return nil
    } catch {
        if case .limit(let exceeded) = error { return exceeded }
        return nil
    }
}
