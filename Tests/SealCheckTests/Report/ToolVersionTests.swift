import SealCheck
import Testing

@Suite("Versions")
struct ToolVersionTests {
    @Test("each library names itself")
    func libraries() {
        let all = LibraryVersion.all
        #expect(all.map(\.name) == ["libcrypto", "libzip", "libplist", "libdeflate"])
        #expect(all.allSatisfy { $0.version.contains { $0.isNumber } })
    }

    @Test("an unknown symbol belongs to no library")
    func unknown() {
        #expect(LibraryVersion(name: "x", loadedFromSymbol: "sealcheck_no_such_symbol").version == "(version unknown)")
    }
}
