import SealCheck
import TestSupport
import Testing

/// What stands in a file without a usable signature.
extension ParityConditions {
    @Test("condition 021: no LC_CODE_SIGNATURE")
    func condition021() async throws {
        let dylib = CodeFile.dylib("libTool.dylib")
        try await Self.expect(file: try dylib.build(), named: "libTool.dylib", "valid", [])
        var unsigned = dylib
        unsigned.eachSlice { $0.signature = nil }
        try await Self.expect(
            file: try unsigned.build(), named: "libTool.dylib", "Unsigned", architecture: "arm64",
            ["error unsigned"])
    }
}
