/// Where a bundle keeps its parts.
public enum BundleLayout: Hashable, Sendable {
    /// Everything in the bundle's own folder: iOS and its kin.
    case flat
    /// Everything in `Contents`: macOS and Mac Catalyst.
    case deep
    /// A framework for macOS, with its contents in `Versions/<name>`.
    case versioned(String)

    /// The root of the seal, relative to the bundle.
    public var root: RawPath {
        switch self {
        case .flat: .root
        case .deep: "Contents"
        case .versioned(let version): "Versions/\(version)"
        }
    }

    /// The resources folder relative to ``root``, with a slash at its end; empty for a flat bundle.
    public var resources: String { self == .flat ? "" : "Resources/" }

    /// The main executable of that name, relative to ``root``.
    public func executable(_ name: String) -> RawPath { self == .deep ? "MacOS/\(name)" : RawPath(name) }

    /// Info.plist, relative to ``root``.
    public var infoPlist: RawPath {
        if case .versioned = self { "Resources/Info.plist" } else { "Info.plist" }
    }
}
