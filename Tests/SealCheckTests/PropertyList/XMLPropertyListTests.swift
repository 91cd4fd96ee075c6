import Testing

@testable import SealCheck

/// XML as CoreFoundation takes it: what it is lax about, and what it refuses though libplist would not.
@Suite struct XMLPropertyListTests {
    /// Whole files, and what they say. CoreFoundation agrees with every line: ``CoreFoundationAgreementTests``.
    static let accepted: [(file: String, value: PropertyList)] = [
        // The frame around the root.
        ("<plist><true/></plist>", .boolean(true)),
        ("<plist version=\"1.0\" other='x'><true/></plist>", .boolean(true)),
        ("<plist ><true/></plist \n>", .boolean(true)),
        ("\u{FEFF}<plist><true/></plist>", .boolean(true)),
        (" \t\r\n<plist> <true/> </plist>", .boolean(true)),
        ("<dict><key>a</key><true/></dict>", .keyed(["a": .boolean(true)])),
        ("<dict/>", .keyed([:])),
        ("<string>root</string>", .string("root")),
        ("<!-- a -- b --><?pi \" ?><!DOCTYPE plist><?x?><true/>", .boolean(true)),
        ("<!DOCTYPE plist SYSTEM \"x><true/>", .boolean(true)),
        ("<?xml version='1.0' encoding='utf-8'?><true/>", .boolean(true)),
        ("<?xml version='1.0' encoding=\"iso-8859-1\"?><string>plain</string>", .string("plain")),
        // Nothing after the root is looked at, and libplist must not see it: it would add to an empty dictionary.
        ("<plist><dict/></plist><key>a</key><true/>", .keyed([:])),
        ("<dict/><key>a</key><true/>", .keyed([:])),
        ("<array></array></array>\u{0} junk", .array([])),
        // Elements.
        ("<array a=\"/\"><true x/><false></false ></array>", .array([.boolean(true), .boolean(false)])),
        ("<array ><!-- c --><?pi?><true/><?><!-- <dict> --></array>", .array([.boolean(true)])),
        ("<dict><key>a</key><key>b</key></dict>", .keyed(["a": .string("b")])),
        ("<array><key>a</key><key/></array>", .array([.string("a"), .string("")])),
        ("<dict><key></key><string/></dict>", .keyed(["": .string("")])),
        ("<dict><key>CF$UID</key><integer>5</integer></dict>", .uid(5)),
        ("<dict><key>CF$UID</key><string>5</string></dict>", .keyed(["CF$UID": .string("5")])),
        // Text.
        ("<string> a\r\n\tb </string>", .string(" a\r\n\tb ")),
        ("<string>&lt;&gt;&amp;&apos;&quot;&#65;&#x1F600;&#xe9;</string>", .string("<>&'\"A\u{1F600}\u{E9}")),
        ("<string>&amp;lt;</string>", .string("&lt;")),
        ("<string>a<![CDATA[<b>&amp;]]]]><![CDATA[>]]>&lt;</string>", .string("a<b>&amp;]]><")),
        ("<string><![CDATA[]]></string>", .string("")),
        ("<string>]]> > \" '</string>", .string("]]> > \" '")),
        ("<string>\u{1}\u{FFFE}\u{10FFFF}\u{7F}</string>", .string("\u{1}\u{FFFE}\u{10FFFF}\u{7F}")),
        ("<dict><key>a&amp;<![CDATA[&]]></key><true/></dict>", .keyed(["a&&": .boolean(true)])),
        // Numbers.
        ("<integer> \n-0</integer>", .integer(0)),
        ("<integer>+7</integer>", .integer(7)),
        ("<integer>0x1f</integer>", .integer(31)),
        ("<integer>-0X10</integer>", .integer(-16)),
        ("<integer>0x0010</integer>", .integer(16)),
        ("<integer>0xFFFFFFFFFFFFFFFF</integer>", .unsigned(.max)),
        ("<real>1</real>", .real(bits: 1.0.bitPattern)),
        ("<real> -1.5E-3</real>", .real(bits: (-0.0015).bitPattern)),
        ("<real>.5</real>", .real(bits: 0.5.bitPattern)),
        ("<real>+iNf</real>", .real(bits: Double.infinity.bitPattern)),
        ("<real>-infinity</real>", .real(bits: (-Double.infinity).bitPattern)),
        // Data and dates.
        ("<data>\n\tQU\tJD \r</data>", .data([65, 66, 67])),
        ("<data>QQ==</data>", .data([65])),
        ("<data>QU I = </data>", .data([65, 66])),
        ("<data> </data>", .data([])),
        ("<date>2001-01-01T00:00:00Z</date>", .date(bits: 0)),
        ("<date>2000-02-29T23:59:59Z</date>", .date(bits: (-26_438_401.0).bitPattern)),
    ]

    @Test(arguments: accepted.indices)
    func accepts(_ index: Int) throws {
        let (file, value) = Self.accepted[index]
        #expect(try PropertyList(parsing: Array(file.utf8)) == value, "\(file)")
    }

    /// Refused by CoreFoundation, and mostly not by libplist 2.2.
    static let refused: [String] = [
        // The frame around the root.
        "", " ", "<", "<plist", "<plist>", "<plist/>", "<plist></plist>", "<plist> <!-- --> </plist>", "text",
        "<plist><true/>", "<plist><true/></plis", "<plist><true/></plist", "<plist><true/></dict>",
        "<plist><true/><true/></plist>", "<plist><dict/><key>a</key><true/></plist>", "<Plist><true/></Plist>",
        "<?xml encoding=\"utf-16\"?><true/>",
        "<!-- <true/>", "<?xml <true/>", "<?><true/>", "<!DOCTYPE plist <true/", "<!doctype plist><true/>",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><true/>", "<![CDATA[x]]><true/>", "<!ENTITY><true/>",
        // Elements.
        "<dict>", "<dict><key>a</key><true/>", "<array><dict></array></dict>", "<dict></array>", "</dict>",
        "<dict></dict x>", "<dict></ dict>", "< dict></dict>", "<dict/ >", "<DICT></DICT>", "<Dict/>", "<dicts/>",
        "<\u{0}dict/>", "<dict></\u{0}dict>", "<dict\u{0B}/>", "<set/>", "<null/>", "<>", "</>", "<//>",
        "<integers>1</integers>", "<abcdefghijklmnop/>", "<array>text</array>", "<array>&amp;</array>",
        "<array><!DOCTYPE plist></array>", "<array><![CDATA[ ]]></array>", "<array><?pi</array>",
        "<array><!-- -</array>",
        "<dict><true/></dict>", "<dict><string>a</string><true/></dict>", "<dict><key>a</key></dict>",
        "<dict><key>a</key><true/><key>b</key></dict>", "<true>x</true>", "<true> </true>", "<true><!----></true>",
        "<true></false>", "<true>",
        // Text.
        "<string>a", "<string>a</strin", "<string>a<b/></string>", "<string>a<!-- --></string>",
        "<string>a<?pi?></string>",
        "<string>a</key>", "<string>&</string>", "<string>&;</string>", "<string>&lt</string>", "<string>&LT;</string>",
        "<string>&nbsp;</string>", "<string>&amplitude;</string>",
        "<string>&#1a;</string>", "<string>&#xD800;</string>", "<string>&#x110000;</string>", "<string>&#-1;</string>",
        "<string>&# 65;</string>", "<string><![CDATA[a]]</string>", "<string><![cdata[a]]></string>",
        "<string>&#4294967361;</string>",
        // Numbers.
        "<integer/>", "<integer></integer>", "<integer> </integer>", "<integer>-</integer>", "<integer>0x</integer>",
        "<integer>1 </integer>", "<integer>1a</integer>", "<integer>0xg</integer>", "<integer>1.5</integer>",
        "<integer>--1</integer>", "<integer>18446744073709551616</integer>", "<integer>-9223372036854775809</integer>",
        "<integer>0x10000000000000000</integer>", "<integer>&#49;</integer>", "<integer><!-- -->1</integer>",
        "<real/>", "<real></real>", "<real>x</real>", "<real>1.5x</real>", "<real>1.5 </real>", "<real>1e</real>",
        "<real>.</real>", "<real>-nan</real>", "<real> nan</real>", "<real>0x10</real>", "<real>1,5</real>",
        // Data and dates.
        "<data/>", "<data>QQ\u{E9}==</data>", "<data><!-- --></data>", "<data>QQ==", "<date/>", "<date></date>",
        "<date>2001-01-01</date>", "<date>2001-1-1T00:00:00Z</date>", "<date>2001-01-01T00:00:00</date>",
        "<date>2001-01-01 00:00:00Z</date>", "<date> 2001-01-01T00:00:00Z</date>", "<date>2001-01-01T00:00:00Z </date>",
        "<date>yesterday</date>",
    ]

    /// Accepted by CoreFoundation; see ``XMLPrescan`` for why each is refused here.
    static let refusedHereOnly: [String] = [
        "<dict a=\"></dict>", "<dict <></dict>", "<array><?pi \"?></array>", "<!----><!-- --><true/>",
        "<plist><plist><true/></plist></plist>", "<dict><key/><true/></dict>", "<string>\u{0}</string>",
        "<string><![CDATA[\u{0}]]></string>", "<string>&#0;</string>", "<string>&#;</string>", "<string>&#x;</string>",
        "<string>&#00000065;</string>",
        "<integer>010</integer>", "<integer>00</integer>", "<integer>- 1</integer>", "<data>QQ</data>",
        "<data>QUJ</data>", "<data>QQ==QQ==</data>", "<data>Q===</data>", "<data>QQ.==</data>", "<data>=QQQ</data>",
        "<date>10000-01-01T00:00:00Z</date>", "<date>-001-01-01T00:00:00Z</date>", "<date>2001-02-29T00:00:00Z</date>",
        "<date>2001-13-01T00:00:00Z</date>", "<date>2001-01-00T00:00:00Z</date>", "<date>2001-01-01T24:00:00Z</date>",
        "<date>2001-01-01T00:00:60Z</date>", "<?xml encoding=\"iso-8859-1\"?><string>\u{E9}</string>",
    ]

    @Test(arguments: refused + refusedHereOnly)
    func refuses(_ file: String) {
        #expect(isMalformed(Array(file.utf8)), "\(file)")
    }

    @Test func refusesTextThatIsNotUTF8() {
        let sequences: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE2, 0x82],
            [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xFF],
        ]
        for sequence in sequences {
            for (start, end) in [("<string>", "</string>"), ("<string><![CDATA[", "]]></string>")] {
                #expect(isMalformed(Array(start.utf8) + sequence + Array(end.utf8)), "\(sequence)")
            }
        }
        // Where nobody looks they do no harm.
        #expect(throws: Never.self) {
            try PropertyList(parsing: Array("<!-- ".utf8) + [0xFF] + Array("--><true/>".utf8))
        }
    }

    @Test func saysWhere() {
        #expect(throws: PropertyListFault.malformed("unknown element, at byte 7")) {
            try PropertyList(parsing: Array("<array><set/></array>".utf8))
        }
        #expect(throws: PropertyListFault.malformed("the file ends within dict")) {
            try PropertyList(parsing: Array("<dict>".utf8))
        }
        #expect(throws: PropertyListFault.malformed("<integer> has no proper value, at byte 9")) {
            try PropertyList(parsing: Array("<integer>010</integer>".utf8))
        }
    }

    @Test func namesKeysThatOccurAgain() throws {
        let text = "<dict><key>a</key><true/><key>b</key><dict><key>x</key><true/><key>&#120;</key><false/></dict>"
        let document = try PropertyListDocument(
            parsing: Array(
                "\(text)<key>c</key><true/><key>a</key><string>last</string><key>a</key><false/></dict>".utf8))
        // The last one counts, as in CoreFoundation, in the place of the first.
        #expect(document.value["a"] == .boolean(false))
        #expect(document.value["b"]?["x"] == .boolean(false))
        #expect(document.value.dictionary?.entries.map(\.key) == ["a", "b", "c"])
        #expect(document.duplicateKeyCount == 3)
        #expect(document.duplicateKeys == ["x", "a", "a"])

        var limits = Limits()
        limits.listedFaults = 1
        let short = try PropertyListDocument(
            parsing: Array("<dict><key>a</key><true/><key>a</key><true/><key>a</key><true/></dict>".utf8),
            limits: limits)
        #expect(short.duplicateKeyCount == 2)
        #expect(short.duplicateKeys == ["a"])
        // The same key in two dictionaries is none.
        let two = "<array><dict><key>a</key><true/></dict><dict><key>a</key><true/></dict></array>"
        #expect(try PropertyListDocument(parsing: Array(two.utf8)).duplicateKeyCount == 0)
        // A UID is not a dictionary in the end.
        let uid = "<dict><key>CF$UID</key><integer>1</integer></dict>"
        #expect(try PropertyListDocument(parsing: Array(uid.utf8)).duplicateKeyCount == 0)
    }

    @Test func countsWhatFollowsTheRoot() throws {
        #expect(try PropertyListDocument(parsing: Array("<true/> \n".utf8)).trailingBytes == 0)
        #expect(try PropertyListDocument(parsing: Array("<true/> x\n".utf8)).trailingBytes == 3)
        #expect(try PropertyListDocument(parsing: Array("<plist><true/></plist><!-- -->".utf8)).trailingBytes == 8)
    }
}
