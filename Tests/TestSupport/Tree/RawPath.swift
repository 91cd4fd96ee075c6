/// A relative path as bytes, components separated by `/`, without a leading or trailing slash. Empty is the root.
///
/// Bytes, because Swift's `String ==` takes the NFC and the NFD form of a name for the same, and because a name need
/// not be UTF-8 at all.
public struct RawPath: Hashable, Comparable, Sendable {
    public var bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    public static let root = RawPath(bytes: [])

    public var isRoot: Bool { bytes.isEmpty }

    /// The path as text; bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes after the last slash.
    public var lastComponent: RawPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return RawPath(bytes: Array(bytes[(slash + 1)...]))
    }

    /// The path without its last component; the root for a single one.
    public var parent: RawPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .root }
        return RawPath(bytes: Array(bytes[..<slash]))
    }

    /// Every proper ancestor, the root left out, outermost first.
    public var ancestors: [RawPath] {
        bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { RawPath(bytes: Array(bytes[..<$0])) }
    }

    /// The path from `ancestor` to here: the root for itself, nil for a path that is not below it.
    public func relative(to ancestor: RawPath) -> RawPath? {
        if ancestor.isRoot { return self }
        if self == ancestor { return .root }
        guard bytes.starts(with: ancestor.bytes + [UInt8(ascii: "/")]) else { return nil }
        return RawPath(bytes: Array(bytes.dropFirst(ancestor.bytes.count + 1)))
    }

    /// The last component without its extension.
    public var stem: String {
        let name = lastComponent.bytes
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return lastComponent.text }
        return String(decoding: name[..<dot], as: UTF8.self)
    }

    public func hasSuffix(_ suffix: String) -> Bool { bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// Joins two paths; the root on either side leaves the other.
    public static func / (left: RawPath, right: RawPath) -> RawPath {
        if left.isRoot { return right }
        if right.isRoot { return left }
        return RawPath(bytes: left.bytes + [UInt8(ascii: "/")] + right.bytes)
    }

    public static func < (left: RawPath, right: RawPath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension RawPath: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(value) }
}

extension RawPath: CustomStringConvertible {
    public var description: String { text }
}
