#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A path inside an input, as bytes.
///
/// Components are separated by `/`; there is no leading and no trailing slash, and the empty path is the root of the
/// tree. Two paths are equal when their bytes are: Swift's `String ==` folds Unicode normal forms, and a file whose
/// name was re-encoded from NFC to NFD would look untouched (spec 5.11).
public struct BundlePath: Hashable, Comparable, Sendable {
    /// The raw name bytes, in whatever encoding the input used.
    public let bytes: [UInt8]

    /// The root of the tree.
    public static let root = BundlePath(bytes: [])

    /// Wraps bytes that already follow the rules above. The caller has normalised them.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The UTF-8 bytes of `text`.
    public init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    public var isRoot: Bool { bytes.isEmpty }

    /// The components in order; none for the root.
    public var components: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
    }

    /// The number of components; 0 for the root.
    public var depth: Int {
        isRoot ? 0 : bytes.reduce(1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) }
    }

    /// The bytes after the last slash; empty for the root.
    public var lastComponent: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// The path without its last component; the root for a single component, nil for the root.
    public var parent: BundlePath? {
        if isRoot { return nil }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .root }
        return BundlePath(bytes: Array(bytes[..<slash]))
    }

    /// This path followed by `/` and `name`, which may itself hold slashes.
    public func appending(_ name: some Collection<UInt8>) -> BundlePath {
        if isRoot { return BundlePath(bytes: Array(name)) }
        if name.isEmpty { return self }
        return BundlePath(bytes: bytes + [UInt8(ascii: "/")] + name)
    }

    /// This path followed by `/` and the UTF-8 bytes of `name`.
    public func appending(_ name: String) -> BundlePath { appending(Array(name.utf8)) }

    /// This path followed by `/` and `other`.
    public func appending(_ other: BundlePath) -> BundlePath { appending(other.bytes) }

    /// Whether this path is `ancestor` or lies below it.
    public func isAtOrBelow(_ ancestor: BundlePath) -> Bool {
        if ancestor.isRoot { return true }
        guard bytes.starts(with: ancestor.bytes) else { return false }
        return bytes.count == ancestor.bytes.count || bytes[ancestor.bytes.count] == UInt8(ascii: "/")
    }

    /// Whether this path is one of `folders` or lies below one.
    public func isAtOrBelow(anyOf folders: Set<BundlePath>) -> Bool {
        var current: BundlePath? = self
        while let path = current {
            if folders.contains(path) { return true }
            current = path.parent
        }
        return false
    }

    /// The path relative to `ancestor`, or nil when it does not lie at or below it.
    public func relative(to ancestor: BundlePath) -> BundlePath? {
        if ancestor.isRoot { return self }
        guard isAtOrBelow(ancestor) else { return nil }
        return BundlePath(bytes: Array(bytes.dropFirst(ancestor.bytes.count + 1)))
    }

    /// Whether the last component ends in `suffix` (such as `.appex`), byte for byte, and is longer than it.
    public func hasSuffix(_ suffix: String) -> Bool {
        let name = lastComponent
        let tail = Array(suffix.utf8)
        return name.count > tail.count && name.suffix(tail.count).elementsEqual(tail)
    }

    public static func < (left: BundlePath, right: BundlePath) -> Bool {
        left.bytes.withUnsafeBytes { left in
            right.bytes.withUnsafeBytes { right in
                guard let a = left.baseAddress, let b = right.baseAddress else { return left.count < right.count }
                let order = memcmp(a, b, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }

    // An array feeds the hasher one byte after the other. The paths of an app are hashed often enough to tell.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The path as text when its bytes are UTF-8, else nil.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The path as text with every byte that is not part of valid UTF-8 replaced. For people only: never compare it.
    public var lossyText: String { String(decoding: bytes, as: UTF8.self) }
}

extension BundlePath: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

extension BundlePath: CustomStringConvertible {
    public var description: String { lossyText }
}
