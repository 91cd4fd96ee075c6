import Foundation

@testable import SealCheck

/// A folder for one test, removed with the value that made it.
final class ScratchFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "sealcheck-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        if (try? FileManager.default.removeItem(atPath: path)) != nil { return }
        // A folder that a test has made unreadable has to become readable again first.
        _ = try? Self.run("/bin/chmod", ["-R", "u+rwx", path])
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    func write(_ name: String, _ contents: [UInt8], mode: Int = 0o644) throws -> String {
        let path = self(name)
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(contents).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @discardableResult
    func write(_ name: String, _ contents: String, mode: Int = 0o644) throws -> String {
        try write(name, Array(contents.utf8), mode: mode)
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
    }

    func makeLink(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: target)
    }

    /// Runs a program in `folder` and returns its exit status; its output goes nowhere.
    @discardableResult
    static func run(_ program: String, _ arguments: [String], in folder: String? = nil) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The path of a program, or nil where it is not installed.
    static func program(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// The tree of an archive made of `bytes`: in memory, or on a file if `system` shall have a say.
func archiveTree(_ bytes: [UInt8], limits: Limits = .standard, system: System? = nil) throws -> ArchiveTree {
    if let system {
        let folder = try ScratchFolder()
        return try archiveTree(at: try folder.write("archive", bytes), limits: limits, system: system)
    }
    let descriptor = Descriptor(owning: -1, system: .memory(bytes))
    return try ArchiveTree(try ArchiveFile(descriptor), limits: limits)
}

extension System {
    /// A system whose every descriptor is a file with these contents.
    static func memory(_ bytes: [UInt8]) -> System {
        var system = System.live
        system.status = { _ in
            FileStatus(
                kind: .file, mode: 0o644, size: UInt64(bytes.count), modified: .init(seconds: 0, nanoseconds: 0))
        }
        system.read = { _, buffer, offset in
            let part = bytes.dropFirst(Int(clamping: offset)).prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }
        system.close = { _ in }
        return system
    }
}

func archiveTree(at path: String, limits: Limits = .standard, system: System = .live) throws -> ArchiveTree {
    let descriptor = Descriptor(owning: try system.open(Array(path.utf8), .file), system: system)
    return try ArchiveTree(try ArchiveFile(descriptor), limits: limits)
}

func directoryTree(at path: String, limits: Limits = .standard, system: System = .live) throws -> DirectoryTree {
    let descriptor = Descriptor(owning: try system.open(Array(path.utf8), .directory), system: system)
    let name = Array((path as NSString).lastPathComponent.utf8)
    return try DirectoryTree(directory: descriptor, name: name, limits: limits)
}

extension BundleTree {
    func entry(_ path: BundlePath) -> TreeEntry? { entries.first { $0.path == path } }

    var paths: [String] { entries.map(\.path.lossyText) }

    /// Everything in one entry.
    func contents(_ path: BundlePath) throws -> [UInt8] {
        guard let entry = entry(path) else { throw ReadFault.notAFile }
        return try makeReader().open(entry).all()
    }
}

extension EntryContents {
    /// Everything, by way of the chunks.
    func all() throws(ReadFault) -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachChunk { (chunk, _) throws(ReadFault) in bytes += Array(chunk) }
        return bytes
    }
}
