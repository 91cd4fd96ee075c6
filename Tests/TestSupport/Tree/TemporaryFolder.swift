public import Foundation

/// A folder of its own for one test, removed with everything in it when the value goes away.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/sealcheck-test-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw BuildError("no temporary folder could be made") }
        url = URL(fileURLWithPath: String(cString: made), isDirectory: true)
    }

    deinit {
        Self.remove(Array(url.path.utf8CString))
    }

    /// The place of a file or folder with that name in here.
    public func appending(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Writes `bytes` into a file of that name and returns its place.
    public func write(_ name: String, _ bytes: [UInt8]) throws -> URL {
        try FileTree([RawPath(name): .file(bytes)]).write(to: url)
        return appending(name)
    }

    /// Removes bottom up, without following links. Unlike FileManager this takes names that are not UTF-8.
    private static func remove(_ path: [CChar]) {
        if unlink(path) == 0 { return }
        chmod(path, 0o700)
        guard let folder = opendir(path) else { return }
        var children: [[CChar]] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) }
            if name == [46] || name == [46, 46] { continue }
            children.append(path.dropLast() + [47] + name + [0])
        }
        closedir(folder)
        for child in children { remove(child) }
        rmdir(path)
    }
}
