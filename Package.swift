// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Sources/SealCheck and Sources/sealcheck are one folder on a case-insensitive disk (every Mac by default). Ask the
// disk, not the tree, and leave the command line out of the library there. See CONTRIBUTING.md.
let foldersAreMerged = FileManager.default.fileExists(atPath: Context.packageDirectory + "/PACKAGE.SWIFT")

let base: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "sealcheck",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MachOReader", targets: ["MachOReader"]),
        .library(name: "SealCheck", targets: ["SealCheck"]),
        .executable(name: "sealcheck", targets: ["SealCheckCLI"]),
    ],
    targets: [
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CLibZip", pkgConfig: "libzip",
            providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        .systemLibrary(
            name: "CLibPlist", pkgConfig: "libplist-2.0",
            providers: [.apt(["libplist-dev"]), .brew(["libplist"])]),
        .systemLibrary(
            name: "CLibDeflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(
            name: "CPopt", pkgConfig: "popt",
            providers: [.apt(["libpopt-dev"]), .brew(["popt"])]),

        .target(name: "MachOReader", swiftSettings: base + [.strictMemorySafety()]),
        .target(
            name: "SealCheck",
            dependencies: ["MachOReader", "COpenSSL", "CLibZip", "CLibPlist", "CLibDeflate"],
            path: "Sources/SealCheck",
            exclude: foldersAreMerged ? ["CLI"] : [],
            swiftSettings: base),
        .executableTarget(
            name: "SealCheckCLI",
            dependencies: ["SealCheck", "MachOReader", "CPopt"],
            path: "Sources/sealcheck/CLI",
            swiftSettings: base),

        .target(
            name: "TestSupport", dependencies: ["COpenSSL"], path: "Tests/TestSupport", swiftSettings: base),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport", "CLibZip"], swiftSettings: base),
        .testTarget(
            name: "MachOReaderTests", dependencies: ["MachOReader", "TestSupport"], swiftSettings: base),
        .testTarget(
            name: "SealCheckTests", dependencies: ["SealCheck", "MachOReader", "TestSupport"], swiftSettings: base),
        .testTarget(
            name: "SealCheckCLITests", dependencies: ["SealCheckCLI", "TestSupport"], swiftSettings: base),
    ],
    swiftLanguageModes: [.v6]
)
