import TestSupport
import Testing

/// Known answers for everything that is written byte by byte.
@Suite struct EncodingTests {
    @Test func digests() {
        let abc = Array("abc".utf8)
        #expect(hex(Sha.sha1.digest(abc)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            hex(Sha.sha256.digest(abc)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Sha.sha256Truncated.digest(abc) == Array(Sha.sha256.digest(abc).prefix(20)))
        #expect(Sha.sha384.digest(abc).count == 48)
        #expect(Sha.allCases.map(\.sealKey) == ["hash", "hash2", "hash3", "hash4", "hash5"])
    }

    @Test func entitlements() {
        #expect(hex(EntitlementsDER.encode([:])) == "70050201" + "01b000")
        #expect(hex(EntitlementsDER.encode(["key": true])) == "700f020101b00a30080c036b65790101ff")
        #expect(
            EntitlementsDER.encode(["b": 1, "a": 2]) == EntitlementsDER.encode(["a": 2, "b": 1]),
            "keys are written in ascending order")
        #expect(EntitlementsDER.encode(["b": 1, "a": 2], sorts: false) != EntitlementsDER.encode(["a": 2, "b": 1]))
        #expect(hex(DER.integer(-129)) == "0202ff7f")
        #expect(hex(DER.integer(128)) == "02020080")
        #expect(DER.encode(0x04, [UInt8](repeating: 0, count: 300)).prefix(4) == [0x04, 0x82, 0x01, 0x2C])
    }

    @Test func requirements() {
        #expect(hex(RequirementBuilder.emptySet) == "fade0c010000000c00000000")
        #expect(
            hex(RequirementBuilder.identifier("abcde").blob)
                == "fade0c00" + "0000001c" + "00000001" + "00000002" + "00000005" + "6162636465000000")
        let designated = RequirementBuilder.set([3: .and(.anchorApple, .not(.always))])
        #expect(
            hex(designated.prefix(24)) == "fade0c01" + "00000030" + "00000001" + "00000003" + "00000014" + "fade0c00")
        #expect(hex(designated.suffix(16)) == "00000006" + "00000003" + "00000009" + "00000001")
    }

    /// The digest of the empty requirement set stands in every ad-hoc signature that Apple's signer makes.
    @Test func theKnownHashOfTheEmptySet() {
        #expect(
            hex(Sha.sha256.digest(RequirementBuilder.emptySet))
                == "987920904eab650e75788c054aa0b0524e6a80bfc71aa32df8d237a61743f986")
    }

    @Test func numbersInBothOrders() throws {
        var bytes: [UInt8] = [0, 0, 0, 0, 0]
        try bytes.store(UInt32(0x0102_0304), at: 1, .big)
        #expect(bytes == [0, 1, 2, 3, 4])
        #expect(try bytes.load(UInt16.self, at: 3, .little) == 0x0403)
        #expect(throws: BuildError.self) { try bytes.flipByte(at: 5) }
        #expect(throws: BuildError.self) { try bytes.store(UInt32(0), at: 2, .big) }
    }

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
