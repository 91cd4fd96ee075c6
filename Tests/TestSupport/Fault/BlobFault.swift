/// One of the blobs that a CodeDirectory hashes is not what it was.
///
/// ``Fault`` has the blobs that every app has; this has all of them. ``Demo/everyBlob`` is the app to try it on.
public struct BlobFault: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A byte of the payload is another one.
        case flipped
        /// The index of the SuperBlob no longer has it.
        case dropped
        /// It is there, and no CodeDirectory hashes it.
        case unhashed
    }

    public var slot: Int
    public var kind: Kind

    public init(_ slot: Int, _ kind: Kind) {
        self.slot = slot
        self.kind = kind
    }

    public var description: String { "blob of slot \(slot) \(kind.rawValue)" }

    /// Every kind for each of the embedded slots.
    public static let all = [2, 4, 5, 6, 7, 8, 9, 10, 11].flatMap { slot in
        Kind.allCases.map { BlobFault(slot, $0) }
    }

    /// Puts the fault into every slice of the code object at `path`.
    public func put(
        into bundle: inout BundleBuilder, at path: RawPath, rebuilding: BundleBuilder.Rebuild = .all
    ) throws {
        let executable = try bundle.place(path).executable
        try bundle.edit(path, rebuilding: rebuilding) { tree in
            try tree.edit(executable) { file in
                try SignedCode.edit(&file) { image in
                    switch kind {
                    case .flipped: try image.flipBlob(UInt32(slot))
                    case .dropped: try image.dropBlob(UInt32(slot))
                    case .unhashed:
                        _ = try image.blob(UInt32(slot))
                        try image.setSpecialSlot(slot, to: nil)
                    }
                }
            }
        }
    }

    /// `demo` with the fault in it.
    public func build(from demo: BundleBuilder, at path: RawPath = .root) throws -> SealedBundle {
        var bundle = demo
        try put(into: &bundle, at: path)
        return try bundle.sealed()
    }
}
