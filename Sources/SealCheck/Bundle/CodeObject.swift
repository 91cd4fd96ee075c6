/// Something that carries, or ought to carry, a signature of its own: a bundle, or a Mach-O file that is nobody's main
/// executable.
public struct CodeObject: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case app
        case appex
        case framework
        case xpc
        case xctest
        /// Any other bundle that holds code.
        case bundle
        /// A loose library.
        case dylib
        /// A loose executable.
        case tool
        /// A loose Mach-O of another type.
        case machO = "mach-o"

        /// The kind that a folder's name announces, or nil for a name that announces no code.
        init?(directoryName path: BundlePath) {
            if path.hasSuffix(".app") {
                self = .app
            } else if path.hasSuffix(".appex") {
                self = .appex
            } else if path.hasSuffix(".framework") {
                self = .framework
            } else if path.hasSuffix(".xpc") {
                self = .xpc
            } else if path.hasSuffix(".xctest") {
                self = .xctest
            } else {
                return nil
            }
        }

        public var isBundle: Bool {
            switch self {
            case .dylib, .tool, .machO: false
            default: true
            }
        }

        /// Words for people: "app", "app extension".
        public var noun: String {
            switch self {
            case .app: "app"
            case .appex: "app extension"
            case .framework: "framework"
            case .xpc: "XPC service"
            case .xctest: "test bundle"
            case .bundle: "bundle"
            case .dylib: "library"
            case .tool: "executable"
            case .machO: "Mach-O file"
            }
        }
    }

    public var path: BundlePath
    public var kind: Kind
    /// Nil for a loose file.
    public var layout: BundleLayout?
    /// The bundle's Info.plist where there is one.
    public var infoPlist: InfoPlist?
    /// The main executable, or the loose file itself. Nil when the bundle has none that could be found.
    public var executable: BundlePath?
    /// Position of the innermost code object around this one.
    public var parent: Int?

    /// An Info.plist as it was read.
    public struct InfoPlist: Hashable, Sendable {
        public var path: BundlePath
        public var contents: Result<PropertyList, Fault>

        public enum Fault: Error, Hashable, Sendable {
            case unreadable(ReadFault)
            case notAPropertyList(PropertyListFault)
            /// A property list whose top is not a dictionary.
            case notADictionary
        }

        public var dictionary: PropertyList? { try? contents.get() }
    }

    /// Whether what lies at a path below the object is part of it. The versions of a framework beside the one in use are
    /// not: its seal does not reach them.
    func holds(_ path: BundlePath) -> Bool {
        guard let layout, layout.isVersioned else { return true }
        return path.isAtOrBelow(layout.base) || !path.isAtOrBelow(self.path.appending("Versions"))
    }

    /// The text under a key of Info.plist.
    public func info(_ key: ByteString) -> ByteString? { infoPlist?.dictionary?[key]?.string }

    /// `CFBundleIdentifier`
    public var bundleIdentifier: ByteString? { info("CFBundleIdentifier") }

    /// The name that the main executable should have: `CFBundleExecutable`, else `NSExecutable`, else the folder's name
    /// without its ending (spec 4.3).
    public var executableName: [UInt8] {
        for key: ByteString in ["CFBundleExecutable", "NSExecutable"] {
            if let name = info(key), !name.bytes.isEmpty { return name.bytes }
        }
        let name = path.lastComponent
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return Array(name) }
        return Array(name[..<dot])
    }
}
