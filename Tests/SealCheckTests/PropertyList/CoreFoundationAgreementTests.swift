import Foundation
import Testing

@testable import SealCheck

/// Whatever is accepted here is accepted by CoreFoundation, and means the same to it. On Linux that is the CoreFoundation
/// of swift-corelibs-foundation, which the rules were taken from; on macOS, the system's.
@Suite struct CoreFoundationAgreementTests {
    @Test(arguments: XMLPropertyListTests.accepted.indices)
    func agreesOnXML(_ index: Int) throws {
        try expectAgreement(Array(XMLPropertyListTests.accepted[index].file.utf8))
    }

    @Test(arguments: XMLPropertyListTests.refused)
    func refusesTheSameXML(_ file: String) {
        // The OpenStep form takes over where XML fails, and reads these as an empty dictionary, a string, and data.
        if file.allSatisfy(\.isWhitespace) || file == "text" || file == "<>" { return }
        #expect(throws: (any Error).self, "\(file)") { try Self.foundation(Array(file.utf8)) }
    }

    #if os(Linux)
        /// So that a rule that is stricter than CoreFoundation is known to be, and goes when it no longer needs to be.
        @Test(arguments: XMLPropertyListTests.refusedHereOnly)
        func acceptsWhatIsRefusedHereOnly(_ file: String) {
            #expect(throws: Never.self, "\(file)") { try Self.foundation(Array(file.utf8)) }
        }
    #endif

    @Test(arguments: BinaryPropertyListTests.accepted.indices)
    func agreesOnBinary(_ index: Int) throws {
        try expectAgreement(BinaryListBuilder([BinaryPropertyListTests.accepted[index].object]).bytes)
    }

    /// Files that are changed at random, always the same ones.
    @Test(arguments: PlistlibFixtures.all.indices)
    func agreesOnDamagedFiles(_ index: Int) throws {
        let fixture = PlistlibFixtures.all[index]
        var random = SplitMix(state: UInt64(index))
        let parts = XMLPropertyListTests.accepted.map { Array($0.file.utf8) } + [fixture.xmlBytes]
        for bytes in [fixture.xmlBytes, fixture.binaryBytes] {
            for _ in 0..<400 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<damaged.count, using: &random)
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: damaged[place] = .random(in: 0...255, using: &random)
                    case 1: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 2 where damaged.count > 1: damaged.remove(at: place)
                    case 3: damaged.insert(damaged[place], at: place)
                    default:
                        let part = parts.randomElement(using: &random) ?? []
                        let start = Int.random(in: 0..<part.count, using: &random)
                        damaged.insert(contentsOf: part[start...].prefix(12), at: place)
                    }
                }
                if (try? PropertyList(parsing: damaged)) != nil { try expectAgreement(damaged) }
            }
        }
    }

    private func expectAgreement(_ bytes: [UInt8]) throws {
        let ours = try PropertyList(parsing: bytes)
        let theirs = try Self.foundation(bytes)
        #expect(Self.agree(ours, theirs), "\(ours) is \(theirs): \(String(decoding: bytes, as: UTF8.self))")
    }

    private static func foundation(_ bytes: [UInt8]) throws -> Any {
        try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
    }

    private static func agree(_ ours: PropertyList, _ theirs: Any) -> Bool {
        switch ours {
        case .dictionary(let dictionary):
            guard let other = theirs as? [String: Any] else { return false }
            // Swift's own dictionary takes normal forms of one text for one key.
            guard other.count == Set(dictionary.entries.map(\.key.lossyText)).count else { return false }
            return other.count < dictionary.count
                || other.allSatisfy { key, value in dictionary[ByteString(key)].map { agree($0, value) } ?? false }
        case .array(let array):
            guard let other = theirs as? [Any], other.count == array.count else { return false }
            return zip(array, other).allSatisfy { agree($0, $1) }
        case .string(let text): return (theirs as? String).map { ByteString($0) == text } ?? false
        case .data(let bytes): return (theirs as? Data).map { Array($0) == bytes } ?? false
        case .boolean(let value): return theirs as? Bool == value
        case .integer(let value):
            return (theirs as? NSNumber).map { $0.int64Value == value && $0.stringValue == String(value) } ?? false
        case .unsigned(let value): return (theirs as? NSNumber)?.uint64Value == value
        case .real(let bits):
            let value = Double(bitPattern: bits)
            return (theirs as? NSNumber).map { $0.doubleValue == value || value.isNaN && $0.doubleValue.isNaN } ?? false
        case .date(let bits):
            let value = Double(bitPattern: bits)
            return (theirs as? Date).map { $0.timeIntervalSinceReferenceDate == value || value.isNaN } ?? false
        case .uid:
            // Foundation has no public type for it.
            return true
        }
    }
}

/// A random number generator that gives the same numbers every time.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
