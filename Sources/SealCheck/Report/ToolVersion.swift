import CLibDeflate
import CLibPlist
import CLibZip
import COpenSSL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The name and version that reports and `--version` carry.
public enum ToolVersion {
    public static let name = "sealcheck"
    public static let current = "0.1.0"
}

/// The versions of the C libraries that this process runs with.
///
/// Distribution releases differ in them, and a report of a fault is worth half without them. A library says its own
/// version where it can; where it cannot, the file it was loaded from stands instead.
public struct LibraryVersion: Hashable, Sendable {
    public var name: String
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// A library that does not tell its version: the shared object that defines `symbol`.
    public init(name: String, loadedFromSymbol symbol: String) {
        self.init(name: name, version: Self.sharedObject(defining: symbol).map { "(\($0))" } ?? "(version unknown)")
    }

    /// The libraries of the SealCheck module, in a fixed order.
    public static var all: [LibraryVersion] {
        [
            LibraryVersion(name: "libcrypto", version: String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))),
            LibraryVersion(name: "libzip", version: String(cString: zip_libzip_version())),
            plist,
            // The library has no function for it; this is the header's, and the two are released together.
            LibraryVersion(name: "libdeflate", version: LIBDEFLATE_VERSION_STRING),
        ]
    }

    /// `libplist_version` came with 2.3.0, and Debian 12 ships 2.2.0: ask the loader, not the linker.
    private static var plist: LibraryVersion {
        typealias Query = @convention(c) () -> UnsafePointer<CChar>?
        if let address = dlsym(everyImage, "libplist_version") {
            let query = unsafeBitCast(address, to: Query.self)
            if let text = query() { return LibraryVersion(name: "libplist", version: String(cString: text)) }
        }
        return LibraryVersion(name: "libplist", loadedFromSymbol: "plist_new_dict")
    }

    /// The name of the file that `symbol` was loaded from, links followed: `libpopt.so.0.0.2`.
    ///
    /// `dladdr` is a GNU extension that Swift's Glibc module hides, so it is looked up like any other symbol. It fills in
    /// `Dl_info`, four pointers of which the first is the file's name.
    private static func sharedObject(defining symbol: String) -> String? {
        typealias Query = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
        guard let address = dlsym(everyImage, symbol), let function = dlsym(everyImage, "dladdr") else { return nil }
        let query = unsafeBitCast(function, to: Query.self)
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: 4) { info in
            info.initialize(repeating: nil)
            guard let base = info.baseAddress, query(address, base) != 0 else { return nil }
            guard let name = info[0], let path = realpath(name, nil) else { return nil }
            defer { free(path) }
            return String(decoding: BundlePath(String(cString: path)).lastComponent, as: UTF8.self)
        }
    }

    /// `RTLD_DEFAULT`, a cast that Swift does not import.
    private static var everyImage: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
            UnsafeMutableRawPointer(bitPattern: -2)
        #else
            nil
        #endif
    }
}
