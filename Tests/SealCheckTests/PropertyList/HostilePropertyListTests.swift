import Testing

@testable import SealCheck

/// Small files that would make a reader work without end, and limits.
@Suite(.timeLimit(.minutes(1))) struct HostilePropertyListTests {
    typealias Builder = BinaryListBuilder

    static let levels = "levels of the property list"
    static let nodes = "nodes of the property list"
    static let steps = "steps to read the property list"

    @Test func nestingIsBounded() throws {
        for (open, close) in [("<array>", "</array>"), ("<dict><key>k</key>", "</dict>")] {
            let deep = XMLText.repeated(open, 100_000) + "<true/>" + XMLText.repeated(close, 100_000)
            #expect(exceeded(Array(deep.utf8))?.what == Self.levels)
            #expect(exceeded(XMLText.file(deep)) == .init(Self.levels, value: 257, limit: 256))
            // Not even a limit that is lifted lets libplist recurse for ever.
            var limits = Limits()
            limits.propertyListDepth = .max
            #expect(exceeded(Array(deep.utf8), limits) == .init(Self.levels, value: 513, limit: 512))
            let most = XMLText.repeated(open, 256) + "<true/>" + XMLText.repeated(close, 256)
            #expect(exceeded(XMLText.file(most)) == nil)
        }
        // Never closed.
        #expect(exceeded(Array(XMLText.repeated("<array>", 100_000).utf8))?.what == Self.levels)

        var chain = Builder((1...60_000).map { Builder.array([$0]) } + [[0x09]])
        #expect(exceeded(chain.bytes)?.what == Self.levels)
        chain.objects = (1...256).map { Builder.array([$0]) } + [[0x09]]
        #expect(exceeded(chain.bytes) == nil)
        // The inner half is known before the outer half is met.
        chain.objects = [Builder.array([130, 1])] + (2...256).map { Builder.array([$0]) } + [[0x09]]
        #expect(exceeded(chain.bytes)?.what == nil)
        chain.objects = [Builder.array([130, 1])] + (2...257).map { Builder.array([$0]) } + [[0x09]]
        #expect(exceeded(chain.bytes)?.what == Self.levels)
    }

    @Test func sharedObjectsAreCountedAsWrittenOut() {
        // Ten to the thirtieth in 700 bytes.
        let laughs = Builder((1...30).map { Builder.array(Array(repeating: $0, count: 10)) } + [[0x09]])
        #expect(exceeded(laughs.bytes)?.what == Self.nodes)
        let dictionaries = Builder(
            (1...30).map { Builder.dictionary(Array(repeating: 31, count: 9), Array(repeating: $0, count: 9)) }
                + [[0x09], Builder.ascii("k")])
        #expect(exceeded(dictionaries.bytes)?.what == Self.nodes)
        // A megabyte of text, a thousand times.
        let texts = Builder([
            Builder.array(Array(repeating: 1, count: 1_000)), Builder.data(Array(repeating: 0, count: 1 << 20)),
        ])
        #expect(exceeded(texts.bytes)?.what == "bytes of the property list when written out")
        // Dates, each of which libplist has to write out again.
        let dates = Builder([
            Builder.array(Array(repeating: 1, count: 400_000)), [0x33] + Builder.number(1.5.bitPattern, size: 8),
        ])
        #expect(exceeded(dates.bytes)?.what == Self.steps)
    }

    @Test func overlappingObjectsAreNotReadAgainAndAgain() {
        // Two thousand arrays on the same bytes, each of two thousand references to the others.
        var list = Builder([Builder.array(Array(1...2_000))])
        list.offsets = Array(repeating: 8, count: 2_001)
        list.objectCount = 2_001
        #expect(isMalformed(list.bytes))
        // The same without a cycle: two thousand squared.
        list = Builder([Builder.array(Array(1...2_000)), Builder.array(Array(repeating: 2_001, count: 2_000)), [0x09]])
        let second = UInt64(8 + list.objects[0].count)
        list.offsets = [8] + Array(repeating: second, count: 2_000) + [second + UInt64(list.objects[1].count)]
        list.objectCount = 2_002
        var limits = Limits()
        limits.propertyListNodes = 100_000
        #expect(exceeded(list.bytes, limits)?.what == Self.nodes)
    }

    @Test func cyclesAreRefused() {
        #expect(isMalformed(Builder([Builder.array([1]), Builder.array([0])]).bytes))
        #expect(isMalformed(Builder([Builder.dictionary([1], [2]), Builder.ascii("k"), Builder.array([1, 0])]).bytes))
        var alias = Builder([Builder.array([1])])
        alias.offsets = [8, 8]
        alias.objectCount = 2
        #expect(isMalformed(alias.bytes))
    }

    @Test func keysThatCollideAreBounded() {
        // "aB" and "b!" have one hash in libplist's table, and so has every text of them.
        let keys = (0..<16_384).map { number in
            (0..<14).map { number >> $0 & 1 == 0 ? "aB" : "b!" }.joined()
        }
        let text = keys.map { "<key>\($0)</key><true/>" }.joined()
        #expect(exceeded(Array("<dict>\(text)</dict>".utf8))?.what == Self.steps)
        // As many that do not collide.
        let plain = (0..<16_384).map { "<key>\($0)</key><true/>" }.joined()
        #expect(exceeded(Array("<dict>\(plain)</dict>".utf8)) == nil)
    }

    @Test func keysThatOccurAgainAreBounded() {
        let text = (0..<6_000).map { "<key>\($0)</key><true/>" }.joined()
        let again = XMLText.repeated("<key>5999</key><true/>", 6_000)
        #expect(exceeded(Array("<dict>\(text)\(again)</dict>".utf8))?.what == Self.steps)
    }

    @Test func referencesAreBounded() {
        let text = XMLText.repeated("&lt;", 100_000)
        #expect(exceeded(Array("<string>\(text)</string>".utf8))?.what == Self.steps)
        #expect(exceeded(Array("<string>\(text.prefix(40_000))</string>".utf8)) == nil)
        // Text between CDATA sections is replaced by itself.
        let parts = XMLText.repeated("&lt;&lt;<![CDATA[x]]>", 50_000)
        #expect(exceeded(Array("<string>\(parts)</string>".utf8)) == nil)
    }

    @Test func limitsCanBeLowered() {
        let xml = XMLText.file("<dict><key>a</key><array><true/><true/></array></dict>")
        let binary = Builder([
            Builder.dictionary([1], [2]), Builder.ascii("a"), Builder.array([3, 3]), [0x09],
        ]).bytes
        for bytes in [xml, binary] {
            var limits = Limits()
            limits.propertyListNodes = 5
            limits.propertyListDepth = 2
            limits.propertyListBytes = UInt64(bytes.count)
            #expect(exceeded(bytes, limits) == nil)
            limits.propertyListNodes = 4
            #expect(exceeded(bytes, limits) == .init(Self.nodes, value: 5, limit: 4))
            limits.propertyListNodes = 5
            limits.propertyListDepth = 1
            #expect(exceeded(bytes, limits) == .init(Self.levels, value: 2, limit: 1))
            limits.propertyListDepth = 0
            #expect(exceeded(bytes, limits) == .init(Self.levels, value: 1, limit: 0))
            limits.propertyListDepth = 2
            limits.propertyListBytes -= 1
            #expect(
                exceeded(bytes, limits)
                    == .init("bytes of the property list", value: UInt64(bytes.count), limit: UInt64(bytes.count - 1)))
        }
    }

    @Test func largeSealsPass() throws {
        let entries = (0..<50_000).map {
            "<key>Frameworks/App.framework/\($0).png</key><data>AAECAwQFBgcICQoLDA0ODxAREhM=</data>"
        }
        let file = XMLText.file("<dict><key>files</key><dict>\(entries.joined(separator: "\n"))</dict></dict>")
        let list = try PropertyList(parsing: file)
        #expect(list["files"]?.dictionary?.count == 50_000)
    }
}
