/// How a bundle's parts are arranged, found the way CoreFoundation finds it (spec 4.2, 4.3).
public struct BundleLayout: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Everything at the root: every iOS, tvOS, watchOS and visionOS bundle.
        case flat
        /// Everything in `Contents/`: macOS and Catalyst.
        case deep
        /// Info.plist and resources in `Resources/`, the executable at the root: the inside of a versioned framework.
        case oldStyle
        /// Everything in `Support Files/`.
        case ancient
    }

    public var kind: Kind
    /// The directory that holds the code: the bundle itself, or one version of a versioned framework.
    public var base: BundlePath
    /// Whether ``base`` is a version directory (`Versions/A`) of the bundle.
    public var isVersioned: Bool
    /// The root of the seal; `_CodeSignature` lies in it.
    public var supportDirectory: BundlePath
    /// The resources directory relative to ``supportDirectory``, with a trailing slash; empty in a flat bundle. The
    /// default resource rules are made from it.
    public var resourcesPrefix: String
    /// Where Info.plist belongs.
    public var infoPlist: BundlePath
    /// Directories in which the main executable is searched, in order.
    public var executableDirectories: [BundlePath]

    public var codeSignatureDirectory: BundlePath { supportDirectory.appending("_CodeSignature") }
    public var seal: BundlePath { codeSignatureDirectory.appending("CodeResources") }

    /// Finds the layout of the bundle at `path`.
    public init(of path: BundlePath, in index: TreeIndex) {
        if index.directory(named: "Contents", in: path) == nil,
            index.directory(named: "Support Files", in: path) == nil,
            let version = index.resolve(path.appending("Versions/Current")), index.isDirectory(version)
        {
            self.init(base: version, isVersioned: true, in: index)
        } else {
            self.init(base: path, isVersioned: false, in: index)
        }
    }

    /// The layout of one directory, versions aside.
    init(base: BundlePath, isVersioned: Bool, in index: TreeIndex) {
        self.base = base
        self.isVersioned = isVersioned
        let contents = index.directory(named: "Contents", in: base)
        let resources = index.directory(named: "Resources", in: base)
        let support = index.directory(named: "Support Files", in: base)
        // An iOS bundle with a root folder `Resources` is old style for CoreFoundation, which then never sees the
        // root's Info.plist. It is judged as the flat bundle that it is on a device (spec 4.2, the trap).
        let hasRootPlist = index[base.appending("Info.plist")] != nil
        if let contents {
            kind = .deep
            supportDirectory = contents
            resourcesPrefix = "Resources/"
            infoPlist = contents.appending("Info.plist")
            executableDirectories = [contents.appending("MacOS"), contents, base]
        } else if let resources, !hasRootPlist {
            kind = .oldStyle
            supportDirectory = base
            resourcesPrefix = "Resources/"
            infoPlist = resources.appending("Info.plist")
            executableDirectories = [base]
        } else if let support, !hasRootPlist {
            kind = .ancient
            supportDirectory = support
            resourcesPrefix = "Resources/"
            infoPlist = support.appending("Info.plist")
            executableDirectories = [support.appending("MacOS"), support, base]
        } else {
            kind = .flat
            supportDirectory = base
            resourcesPrefix = ""
            infoPlist = base.appending("Info.plist")
            executableDirectories = [base.appending("MacOS"), base]
        }
    }
}
