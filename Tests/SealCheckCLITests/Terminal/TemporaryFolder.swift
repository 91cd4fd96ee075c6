import Foundation

@testable import SealCheckCLI

/// A folder of a test's own that goes away with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        // Links followed: that is how the product names what it finds there.
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        path = "\(base)/sealcheck-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func word(_ name: String) -> Word { Word("\(path)/\(name)") }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func makeLink(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    /// The names in the folder, sorted.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// `--output NAME`, checked.
    func target(_ name: String, inputs: [String] = []) throws(UsageError) -> OutputTarget {
        let arguments = ParsedArguments(command: VerifyOptions.row, occurrences: [], operands: [])
        return try OutputTarget(
            name.hasPrefix("/") || name == "-" ? Word(name) : word(name), option: CommonOptions.output,
            inputs: inputs.map(word), of: arguments)
    }
}
