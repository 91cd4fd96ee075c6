import Testing

@testable import SealCheck

@Suite struct InputMagicTests {
    @Test func machO() {
        let heads: [[UInt8]] = [
            [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE], [0xCF, 0xFA, 0xED, 0xFE],
            [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2], [0xCA, 0xFE, 0xBA, 0xBF, 0, 0, 0, 2],
        ]
        for head in heads { #expect(InputMagic(head) == .machO) }
    }

    @Test func others() {
        let rows: [([UInt8], InputMagic)] = [
            ([], .empty),
            (Array("PK\u{3}\u{4}".utf8), .zip),
            (Array("PK\u{5}\u{6}".utf8), .zip),
            ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52], .other("a Java class")),
            (Array("xar!".utf8), .other("a xar archive (a macOS .pkg)")),
            ([0x1F, 0x8B, 8], .other("a gzip file")),
            ([0x7F, 0x45, 0x4C, 0x46], .other("an ELF file (a program for Linux or Android)")),
            (Array("\n <!DOCTYPE HTML><html>".utf8), .other("a web page (did a download fail?)")),
            (Array("<HTML>".utf8), .other("a web page (did a download fail?)")),
            ([UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8), .other("a tar archive")),
            (Array("P".utf8), .other(nil)),
            (Array("nothing known".utf8), .other(nil)),
            ([0xFF, 0xFE, 0xFD], .other(nil)),
        ]
        for (head, magic) in rows { #expect(InputMagic(head) == magic) }
    }
}
