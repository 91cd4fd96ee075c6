public import Foundation

/// A finished bundle in memory.
public struct SealedBundle: Sendable {
    public var name: String
    /// Everything in the bundle, relative to its folder.
    public var tree: FileTree

    public init(name: String, tree: FileTree) {
        self.name = name
        self.tree = tree
    }

    /// The ruling cdhash of the first slice of the code at `path`.
    public func cdhash(of path: RawPath) throws -> [UInt8] {
        guard let hash = try SignedCode.rulingCDHashes(tree.bytes(path)).first else {
            throw BuildError("no image in \(path)")
        }
        return hash
    }

    /// Writes the bundle into `folder` and returns its place.
    @discardableResult
    public func write(to folder: URL) throws -> URL {
        let place = folder.appendingPathComponent(name, isDirectory: true)
        try tree.write(to: place)
        return place
    }

    /// The bundle as an `.ipa`, open to changes.
    public func archive(payload: RawPath = "Payload") -> ZipBuilder {
        ZipBuilder(tree.zipEntries(below: payload / RawPath(name)))
    }

    /// Writes the bundle as an `.ipa` named after it into `folder` and returns its place.
    @discardableResult
    public func writeIPA(to folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let place = folder.appendingPathComponent(RawPath(name).stem + ".ipa")
        try Data(archive().build()).write(to: place)
        return place
    }
}
