import Testing

@testable import SealCheck

/// The binary format: objects, trailer and offset table.
@Suite struct BinaryPropertyListTests {
    typealias Builder = BinaryListBuilder

    static let accepted: [(object: [UInt8], value: PropertyList)] = [
        ([0x08], .boolean(false)), ([0x09], .boolean(true)),
        // Eight bytes are signed, fewer are not; sixteen never are.
        ([0x10, 0xFF], .integer(255)), ([0x11, 0xFF, 0xFF], .integer(65_535)),
        ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
        ([0x13] + Array(repeating: 0xFF, count: 8), .integer(-1)),
        ([0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], .integer(.min)),
        ([0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8), .unsigned(.max)),
        ([0x14] + Array(repeating: 0, count: 15) + [7], .integer(7)),
        ([0x22, 0x3F, 0xC0, 0, 0], .real(bits: 1.5.bitPattern)),
        ([0x23] + Builder.number(1.5.bitPattern, size: 8), .real(bits: 1.5.bitPattern)),
        ([0x23] + Builder.number(Double.infinity.bitPattern, size: 8), .real(bits: Double.infinity.bitPattern)),
        ([0x33] + Builder.number((-0.123_456_789).bitPattern, size: 8), .date(bits: (-0.123_456_789).bitPattern)),
        ([0x33] + Builder.number(1e17.bitPattern, size: 8), .date(bits: 1e17.bitPattern)),
        (Builder.data([]), .data([])), (Builder.data([0, 1, 0xFF]), .data([0, 1, 0xFF])),
        ([0x4F, 0x10, 2, 7, 8], .data([7, 8])), ([0x4F, 0x11, 0, 2, 7, 8], .data([7, 8])),
        (Builder.ascii(""), .string("")), (Builder.ascii("a\u{7F}\n"), .string("a\u{7F}\n")),
        (Builder.utf16([0xE9, 0x20AC, 0xD83D, 0xDE00]), .string("\u{E9}\u{20AC}\u{1F600}")),
        (Builder.utf16([0xFEFF, 0xFFFE]), .string("\u{FEFF}\u{FFFE}")),
        ([0x80, 5], .uid(5)), ([0x82, 1, 0, 0], .uid(65_536)), ([0x83, 0xFF, 0xFF, 0xFF, 0xFF], .uid(4_294_967_295)),
        ([0x87, 0, 0, 0, 0, 0, 0, 1, 0], .uid(256)),
        (Builder.array([]), .array([])), (Builder.dictionary([], []), .keyed([:])),
    ]

    @Test(arguments: accepted.indices)
    func accepts(_ index: Int) throws {
        let (object, value) = Self.accepted[index]
        #expect(try PropertyList(parsing: Builder([object]).bytes) == value, "\(object)")
    }

    static let refused: [[UInt8]] = [
        [], [0x00], [0x01], [0x0F], [0x07], [0x15, 0], [0x1F], [0x20, 0], [0x21, 0, 0], [0x24], [0x30],
        [0x32, 0, 0, 0, 0],
        [0x70], [0x71, 0x61], [0x90], [0xB0], [0xC0], [0xC1, 0, 0], [0xE0], [0xF0], [0xFF],
        // Cut short.
        [0x10], [0x13, 0, 0, 0], [0x22, 0], [0x33, 0], [0x41], [0x51], [0x61, 0], [0x80], [0xA1, 0], [0xD1, 0, 0, 0],
        [0x4F], [0x4F, 0x10], [0x4F, 0x10, 1], [0x4F, 0x13, 0, 0],
        // Counts that are none, or that nothing can hold.
        [0x4F, 0x20, 0], [0x4F, 0x14] + Array(repeating: 0, count: 16),
        [0x4F, 0x13] + Array(repeating: 0xFF, count: 8),
        [0x5F, 0x12, 0x40, 0, 0, 0], [0x6F, 0x12, 0x40, 0, 0, 0], [0x6F, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0],
        [0xAF, 0x12, 0x40, 0, 0, 0], [0xAF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0],
        // More than 64 bits, or than a UID holds.
        [0x14] + Array(repeating: 0xFF, count: 16), [0x87, 0, 0, 0, 1, 0, 0, 0, 0],
        [0x8F] + Array(repeating: 0, count: 16),
        // Text that libplist would change.
        [0x51, 0x00], [0x51, 0x80], [0x53, 0x61, 0x00, 0x61], BinaryListBuilder.utf16([]), BinaryListBuilder.utf16([0]),
        BinaryListBuilder.utf16([0xD800]), BinaryListBuilder.utf16([0xDC00]), BinaryListBuilder.utf16([0xD800, 0x61]),
        BinaryListBuilder.utf16([0xDC00, 0xD800]), BinaryListBuilder.utf16([0xD800, 0xD800, 0xDC00]),
        // References to nothing, or to itself.
        BinaryListBuilder.array([1]), BinaryListBuilder.array([0xFFFF]), BinaryListBuilder.array([0]),
        BinaryListBuilder.dictionary([1], [1]), BinaryListBuilder.dictionary([0], [0]),
    ]

    @Test(arguments: refused)
    func refuses(_ object: [UInt8]) {
        // As the only object, it would otherwise be too short to have an offset table in its place.
        #expect(isMalformed(Builder([object]).bytes), "\(object)")
    }

    @Test func refusesKeysThatAreNoStrings() throws {
        for key in [[0x09], [0x10, 1], Builder.data([1]), Builder.array([]), Builder.dictionary([], [])] as [[UInt8]] {
            #expect(isMalformed(Builder([Builder.dictionary([1], [1]), key]).bytes))
            // Known already when it is met as a key.
            let known = [Builder.array([2, 1]), Builder.dictionary([2], [2]), key]
            #expect(isMalformed(Builder(known).bytes))
        }
        #expect(throws: Never.self) {
            try PropertyList(parsing: Builder([Builder.dictionary([1], [1]), Builder.ascii("a")]).bytes)
        }
    }

    @Test func readsNumbersOfEverySize() throws {
        let objects = { size in [Builder.array([1, 2, 1], size: size), [0x09] as [UInt8], Builder.ascii("x")] }
        for size in 1...8 {
            var list = Builder(objects(size))
            list.referenceSize = size
            list.offsetSize = size
            #expect(
                try PropertyList(parsing: list.bytes) == .array([.boolean(true), .string("x"), .boolean(true)]),
                "\(size)")
        }
        for size in [0, 9, 16, 255] {
            var list = Builder(objects(max(size, 1)))
            list.referenceSize = size
            #expect(isMalformed(list.bytes))
            list.referenceSize = 1
            list.offsetSize = size
            #expect(isMalformed(list.bytes))
        }
    }

    @Test func refusesTrailersThatDoNotFit() {
        let sound = Builder([[0x09]])
        #expect(!isMalformed(sound.bytes))
        let faults: [(inout Builder) -> Void] = [
            { $0.magic = "bplist01" }, { $0.magic = "bplist15" }, { $0.root = 1 }, { $0.root = .max },
            { $0.objectCount = 0 }, { $0.objectCount = 2 }, { $0.objectCount = .max }, { $0.objectCount = 1 << 62 },
            { $0.objectCount = 1 << 32 }, { $0.tableShift = -1 }, { $0.tableShift = 1 }, { $0.tableShift = -9 },
            { $0.tableShift = 1_000 }, { $0.tableShift = Int.max - 9 }, { $0.padding = [0] }, { $0.offsets = [0] },
            { $0.offsets = [7] }, { $0.offsets = [9] }, { $0.offsets = [0xFFFF_FFFF] }, { $0.offsets = [] },
            // 256 objects cannot be told apart by one byte.
            {
                $0.objects = Array(repeating: [0x09], count: 256)
                $0.referenceSize = 1
            },
            // An offset of one byte does not reach.
            {
                $0.objects = [Builder.data(Array(repeating: 0, count: 300))]
                $0.offsetSize = 1
            },
            // Not reached from the root, and looked at all the same.
            {
                $0.objects = [[0x09], [0x08]]
                $0.offsets = [8, 7]
            },
        ]
        for (number, fault) in faults.enumerated() {
            var list = sound
            fault(&list)
            #expect(isMalformed(list.bytes), "\(number)")
        }
    }

    @Test func keepsTheFirstOfKeysThatOccurAgain() throws {
        let list = Builder([
            Builder.dictionary([1, 2, 3, 4], [5, 6, 6, 6]), Builder.ascii("a"), Builder.ascii("b"), Builder.ascii("a"),
            Builder.utf16([0x61]), [0x09], [0x08],
        ])
        let document = try PropertyListDocument(parsing: list.bytes)
        #expect(document.value == .keyed(["a": .boolean(true), "b": .boolean(false)]))
        #expect(document.duplicateKeyCount == 2)
        #expect(document.duplicateKeys == ["a", "a"])
    }

    @Test func followsSharedObjects() throws {
        let list = Builder([Builder.array([1, 1, 2]), Builder.array([2, 2]), Builder.ascii("x")])
        let pair = PropertyList.array([.string("x"), .string("x")])
        #expect(try PropertyList(parsing: list.bytes) == .array([pair, pair, .string("x")]))
    }
}
