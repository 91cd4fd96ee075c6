import MachOReader
import TestSupport
import Testing

@testable import SealCheck

/// Both forms of entitlements, decoded and encoded, against bytes of the format's description and of another encoder.
@Suite struct EntitlementsTests {
    static let sample: Plist = [
        "get-task-allow": true, "application-identifier": "T.x", "n": .integer(-129), "m": .integer(128),
        "groups": .array(["a", "b"]), "inner": ["z": false, "a": .data([1, 2])],
    ]

    func read(_ xml: [UInt8]?, _ der: [UInt8]?, magic: UInt32 = Blob.entitlementsDER) -> Entitlements {
        Entitlements(
            xml: xml.map { Bytes(Blob.make(Blob.entitlements, $0)) }, der: der.map { Bytes(Blob.make(magic, $0)) })
    }

    @Test func bothFormsSayTheSame() throws {
        let facts = read(Self.sample.encoded(), EntitlementsDER.encode(Self.sample))
        #expect(facts.xmlFault == nil && facts.derFault == nil && facts.derOddities.isEmpty)
        #expect(facts.xml == facts.der && facts.differingKeys.isEmpty)
        #expect(facts["get-task-allow"] == .boolean(true))
        #expect(facts["n"] == .integer(-129))
        #expect(facts["inner"]?["a"] == .data([1, 2]))
        #expect(try EntitlementsEncoder.encode(#require(facts.xml)) == EntitlementsDER.encode(Self.sample))
    }

    @Test func publishedExamples() throws {
        let one: [UInt8] = [0x70, 0x0F, 2, 1, 1, 0xB0, 0x0A, 0x30, 8, 0x0C, 3, 0x6B, 0x65, 0x79, 1, 1, 0xFF]
        #expect(read(nil, one)["key"] == .boolean(true))
        #expect(try EntitlementsEncoder.encode(.dictionary(.init([("key", .boolean(true))]))) == one)
        #expect(try EntitlementsEncoder.encode(.dictionary(.init([]))) == [0x70, 5, 2, 1, 1, 0xB0, 0])
    }

    @Test func differencesAreNamed() {
        let facts = read((["a": true, "b": 1] as Plist).encoded(), EntitlementsDER.encode(["a": false, "c": 1]))
        #expect(facts.differingKeys == ["a", "b", "c"])
        #expect(facts["a"] == .boolean(false), "the DER answers")
    }

    @Test func theXMLAnswersOnlyWithoutDER() {
        let xml = (["a": true] as Plist).encoded()
        #expect(read(xml, nil)["a"] == .boolean(true))
        #expect(read(xml, EntitlementsDER.encode([:]), magic: 1)["a"] == .boolean(true))
        #expect(read(xml, [0x70])["a"] == nil)
    }

    @Test func odditiesAreSeen() {
        let unsorted = EntitlementsDER.encode(["b": 1, "a": 2], sorts: false)
        #expect(read(nil, unsorted).derOddities == [.unsortedKeys])
        #expect(read(nil, EntitlementsDER.encode(["a": 1, "a": 2])).derOddities == [.duplicateKeys])
        #expect(read(nil, EntitlementsDER.encodeOldForm(["a": 1])).derOddities == [.oldForm])
    }

    @Test func everyCutIsRefused() {
        let whole = EntitlementsDER.encode(Self.sample)
        for count in 0..<whole.count { #expect(read(nil, Array(whole.prefix(count))).derFault != nil) }
        #expect(read(nil, whole + [0]).derFault != nil)
    }

    @Test func depthIsBounded() {
        #expect(read(nil, EntitlementsDER.encode(["a": .array([.array([])])])).derFault == nil)
        var nested: [UInt8] = DER.sequence([])
        for _ in 0..<200 { nested = DER.sequence([nested]) }
        let payload = DER.encode(
            0x70, DER.integer(1) + DER.encode(0xB0, DER.sequence([DER.utf8String("a"), nested])))
        #expect(read(nil, payload).derFault == .tooDeep)
    }

    @Test(arguments: [Int64.min, -32769, -32768, -129, -128, -1, 0, 127, 128, 255, 256, 32767, 32768, Int64.max])
    func integers(_ number: Int64) throws {
        #expect(read(nil, EntitlementsDER.encode(["n": .integer(number)]))["n"] == .integer(number))
        let encoded = try EntitlementsEncoder.encode(.dictionary(.init([("n", .integer(number))])))
        #expect(encoded == EntitlementsDER.encode(["n": .integer(number)]))
    }

    @Test func typesWithoutDERAreRefused() {
        #expect(throws: EntitlementsFault.notEncodable) {
            try EntitlementsEncoder.encode(.dictionary(.init([("n", .real(bits: 0))])))
        }
    }
}
