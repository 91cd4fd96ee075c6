import MachOReader
import TestSupport
import Testing

/// The binary form and the text form of requirements against what the spec gives for each opcode (spec 9.2 to 9.5). The
/// bytes are made by a builder that shares no code with the reader.
@Suite struct RequirementCodingTests {
    /// 1.2.840.113635.100.6.2.6
    static let oid: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x02, 0x06]
    static let hash = [UInt8](0x00...0x13)
    static let digits = "000102030405060708090a0b0c0d0e0f10111213"

    /// A requirement and how it is printed.
    struct Row: Sendable {
        let made: RequirementBuilder
        let text: String
        /// What is printed for people only is not compiled back.
        let compiles: Bool

        init(_ made: RequirementBuilder, _ text: String, compiles: Bool = true) {
            (self.made, self.text, self.compiles) = (made, text, compiles)
        }
    }

    static let table: [Row] = [
        Row(.never, "never"),
        Row(.always, "always"),
        Row(.identifier("com.example.demo"), "identifier \"com.example.demo\""),
        Row(.identifier("demo"), "identifier demo"),
        Row(.identifier("1demo"), "identifier \"1demo\""),
        Row(.identifier("generic"), "identifier \"generic\""),
        Row(.identifier(""), "identifier \"\""),
        Row(.identifier("a\"b\\c"), "identifier \"a\\\"b\\\\c\""),
        Row(.identifier("d\u{e9}j\u{e0}"), "identifier 0x64c3a96ac3a0"),
        Row(.anchorApple, "anchor apple"),
        Row(.certificateHash(slot: 0, hash), "certificate leaf = H\"\(digits)\""),
        Row(.certificateHash(slot: -1, hash), "certificate root = H\"\(digits)\""),
        Row(.certificateHash(slot: 2, hash), "certificate 2 = H\"\(digits)\""),
        Row(.infoEquals("CFBundleName", "Demo"), "info[CFBundleName] = Demo", compiles: false),
        Row(.cdhash(hash), "cdhash H\"\(digits)\""),
        Row(.not(.always), "! always"),
        Row(.info("CFBundleName", .exists), "info[CFBundleName] /* exists */"),
        Row(.info("CFBundleName", .absent), "info[CFBundleName] absent "),
        Row(.info("a.b", .equal("x.y")), "info[a.b] = \"x.y\""),
        Row(.info("a b", .contains("x")), "info[\"a b\"] ~ x"),
        Row(.info("a", .beginsWith("x")), "info[a] = x*"),
        Row(.info("a", .endsWith("x")), "info[a] = *x"),
        Row(.info("a", .less("1")), "info[a] < \"1\""),
        Row(.info("a", .greater("1")), "info[a] > \"1\""),
        Row(.info("a", .lessOrEqual("1")), "info[a] <= \"1\""),
        Row(.info("a", .greaterOrEqual("1")), "info[a] >= \"1\""),
        Row(.info("a", .date(opcode: 9, 818_235_000)), "info[a] = <2026-12-06 07:30:00Z>", compiles: false),
        Row(.info("a", .date(opcode: 10, -26_438_401)), "info[a] < <2000-02-29 23:59:59Z>", compiles: false),
        Row(.info("a", .date(opcode: 11, -31_708_800)), "info[a] > <1999-12-31 00:00:00Z>", compiles: false),
        Row(.info("a", .date(opcode: 12, 3_129_278_401)), "info[a] <= <2100-03-01 12:00:01Z>", compiles: false),
        Row(.info("a", .date(opcode: 13, 0)), "info[a] >= <2001-01-01 00:00:00Z>", compiles: false),
        Row(
            .info("a", .raw([0, 0, 0, 99, 0, 0, 0, 1, 0x78, 0, 0, 0])), "info[a]MATCH OPCODE 99 NOT UNDERSTOOD",
            compiles: false),
        Row(.certificateField(slot: 0, "subject.OU", .equal("TEAM")), "certificate leaf[subject.OU] = TEAM"),
        Row(.certificateTrusted(slot: 1), "certificate 1trusted", compiles: false),
        Row(.anchorTrusted, "anchor trusted"),
        Row(
            .certificateGeneric(slot: 1, oid: oid, .exists),
            "certificate 1[field.1.2.840.113635.100.6.2.6] /* exists */"),
        Row(.anchorAppleGeneric, "anchor apple generic"),
        Row(
            .entitlement("com.apple.security.app-sandbox", .exists),
            "entitlement[\"com.apple.security.app-sandbox\"] /* exists */"),
        Row(
            .certificatePolicy(slot: 0, oid: oid, .exists),
            "certificate leaf[policy.1.2.840.113635.100.6.2.6] /* exists */"),
        Row(.namedAnchor("test"), "anchor apple test"),
        Row(.namedCode("test"), "(test)"),
        Row(.platform(13), "platform = 13"),
        Row(.platform(-1), "platform = -1"),
        Row(.notarized, "notarized"),
        Row(
            .certificateTimestamp(slot: 0, oid: oid, .absent),
            "certificate leaf[timestamp.1.2.840.113635.100.6.2.6] absent "),
        Row(.legacy, "legacy"),
        // Levels (spec 9.4).
        Row(.or(.and(.always, .never), .legacy), "always and never or legacy"),
        Row(.and(.or(.always, .never), .legacy), "(always or never) and legacy"),
        Row(.not(.and(.always, .never)), "! (always and never)"),
        Row(.not(.or(.always, .never)), "! (always or never)"),
        Row(.not(.not(.always)), "! ! always"),
        Row(.or(.or(.always, .never), .legacy), "always or never or legacy"),
        Row(.and(.and(.always, .never), .legacy), "always and never and legacy"),
        Row(.and(.not(.always), .legacy), "! always and legacy"),
        // Grouped to the right it prints alike, and compiles to the other grouping.
        Row(.or(.always, .or(.never, .legacy)), "always or never or legacy", compiles: false),
    ]

    @Test(arguments: table.indices)
    func forms(_ row: Int) throws {
        let (made, text, compiles) = (Self.table[row].made, Self.table[row].text, Self.table[row].compiles)
        let expression = try RequirementExpression(decoding: Bytes(made.expression))
        #expect(expression.encoded == made.expression)
        #expect(expression.blob == made.blob)
        #expect(expression.text == text)
        guard compiles else { return }
        #expect(try RequirementExpression(compiling: text.utf8) == expression)
        #expect(try RequirementExpression(compiling: "/* a */ \(text) # b\n;;".utf8) == expression)
    }

    /// Opcodes that this reader does not know: taken for false, passed over, or not passed over (spec 9.2).
    @Test func unknownOpcodes() throws {
        let data: [UInt8] = [0, 0, 0, 2, 1, 2, 0, 0]
        let isFalse = try RequirementExpression(decoding: Bytes([0x80, 0, 0, 40] + data))
        #expect(isFalse == .unknownFalse(opcode: 0x8000_0028, data: [1, 2]))
        #expect(isFalse.text == "false /* opcode 40 */")
        let skipped = try RequirementExpression(decoding: Bytes([0x40, 0, 0, 41] + data + [0, 0, 0, 1]))
        #expect(skipped == .unknownSkipped(opcode: 0x4000_0029, data: [1, 2], .always))
        #expect(skipped.text == "/* opcode 41 */")
        #expect(skipped.encoded == [0x40, 0, 0, 41] + data + [0, 0, 0, 1])
        let stop = try RequirementExpression(decoding: Bytes([0, 0, 0, 42]))
        #expect(stop == .notUnderstood(opcode: 42))
        #expect(stop.text == "OPCODE 42 NOT UNDERSTOOD (ending print)")
        // A known opcode is known with flags too.
        #expect(try RequirementExpression(decoding: Bytes([0x80, 0, 0, 1])) == .always)
    }

    /// However a requirement is cut short, it is refused and nothing else happens.
    @Test(arguments: table.indices)
    func truncated(_ row: Int) {
        let bytes = Self.table[row].made.expression
        for count in 0..<bytes.count {
            #expect(throws: FormatFault.self) { try RequirementExpression(decoding: Bytes(Array(bytes[..<count]))) }
        }
    }

    @Test func nesting() throws {
        func chain(_ count: Int) -> Bytes {
            Bytes(Array([[UInt8]](repeating: [0, 0, 0, 9], count: count).joined()) + [0, 0, 0, 1])
        }
        #expect(try RequirementExpression(decoding: chain(400)).text.hasSuffix("! always"))
        #expect(throws: FormatFault.self) { try RequirementExpression(decoding: chain(100_000)) }
        let row = [String](repeating: "always", count: 100_000).joined(separator: " or ")
        #expect(throws: RequirementTextFault.self) { try RequirementExpression(compiling: row.utf8) }
        let parentheses = String(repeating: "(", count: 100_000)
        #expect(throws: RequirementTextFault.self) { try RequirementExpression(compiling: parentheses.utf8) }
    }

    /// Other ways to write the same.
    @Test(arguments: [
        ("true", "always"), ("false", "never"), ("identifier = demo", "identifier demo"),
        ("identifier == \"demo\"", "identifier demo"),
        ("identifier com.example.demo", "identifier \"com.example.demo\""),
        ("cdhash = H\"\(digits)\"", "cdhash H\"\(digits)\""),
        ("cdhash H\"\(digits.uppercased())\"", "cdhash H\"\(digits)\""),
        ("anchor generic apple", "anchor apple generic"), ("cert leaf trusted", "certificate leaftrusted"),
        ("anchor = H\"\(digits)\"", "certificate root = H\"\(digits)\""), ("info [a]", "info[a] /* exists */"),
        ("info[a] exists", "info[a] /* exists */"), ("info[a] = *x*", "info[a] ~ x"),
        ("always // and never\n or never", "always or never"), ("(always)", "always"), ("((demo))", "(demo)"),
        ("always and (never or legacy)", "always and (never or legacy)"),
    ])
    func otherSpellings(_ text: String, _ printed: String) throws {
        #expect(try RequirementExpression(compiling: text.utf8).text == printed)
    }

    /// What Apple's compiler refuses, which in a seal is ResourcesInvalid.
    @Test(arguments: [
        "", ";", "and", "always and", "always or or never", "always always", "identifier", "(always", "always)", "! ",
        "cdhash", "cdhash H\"\"", "cdhash H\"00\"", "cdhash H\"\(digits)00\"", "cdhash H\"\(digits.dropLast())g\"",
        "certificate leaf = H\"1234\"", "info", "info[a", "info[]", "platform", "platform = x", "identifier \"demo",
        "/* always", "anchor generic", "demo", "identifier 0x123", "always ? never", "identifier a..b",
    ])
    func refused(_ text: String) {
        let fault = #expect(throws: RequirementTextFault.self) { try RequirementExpression(compiling: text.utf8) }
        #expect(fault?.reason == .invalid)
        #expect((fault?.offset ?? -1) <= text.utf8.count)
    }

    /// A set as slot 2 has it.
    @Test func sets() throws {
        let bytes = RequirementBuilder.set([3: .identifier("demo"), 1: .anchorApple, 9: .never])
        let set = try RequirementSet(parsing: Bytes(bytes))
        #expect(set[.designated] == .value(.expression(.identifier(Array("demo".utf8)))))
        #expect(set[.host]?.value?.text == "anchor apple")
        #expect(set[.library] == nil)
        #expect(set.entries.map(\.type) == [1, 3, 9])
        #expect(set.entries.map(\.kind) == [.host, .designated, nil])
        #expect(try RequirementSet(parsing: Bytes(RequirementBuilder.emptySet)).entries.isEmpty)
        for count in 0..<bytes.count {
            #expect(throws: FormatFault.self) { try RequirementSet(parsing: Bytes(Array(bytes[..<count]))) }
        }
    }

    @Test func blobs() throws {
        let lightweight = Blob.make(Blob.requirement, [0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 0])
        #expect(try RequirementBlob(parsing: Bytes(lightweight)) == .lightweight([1, 2, 3]))
        for (blob, kind): ([UInt8], FormatFault.Kind) in [
            (Blob.make(Blob.requirement, [0, 0, 0, 3]), .unsupported), (Blob.make(Blob.requirement, []), .badSize),
            (Blob.make(Blob.wrapper, [0, 0, 0, 1, 0, 0, 0, 1]), .badMagic),
            (Blob.make(Blob.requirement, [0, 0, 0, 1, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff]), .truncated),
        ] {
            let fault = #expect(throws: FormatFault.self) { try RequirementBlob(parsing: Bytes(blob)) }
            #expect(fault?.kind == kind)
        }
    }
}
