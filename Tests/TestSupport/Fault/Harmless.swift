/// Changes that must not be reported as faults: traps for false alarms.
public enum Harmless: String, CaseIterable, Hashable, Sendable {
    case untouched
    /// Info.plist edited after signing, and slot −1 of every CodeDirectory made to fit.
    case infoPlistBoundAgain = "info-plist-bound-again"
    case localizationRemoved = "localization-removed"
    case dsStoreAdded = "ds-store-added"
    case emptyDirectoryAdded = "empty-directory-added"
    case binarySeal = "binary-seal"
    case binaryInfoPlist = "binary-info-plist"
    case pagesOf16K = "pages-of-16k"
    case sha1AndSha256 = "sha1-and-sha256"
    case sha384 = "sha384"
    case cmsAbsent = "cms-absent"
    case cmsGarbage = "cms-garbage"
    case modesChanged = "modes-changed"
    case emptyCodeSignatureFile = "empty-code-signature-file"
    case signatureAreaPadded = "signature-area-padded"
    /// A lone library with nothing but the signature that its linker made.
    case linkerSignedLibrary = "linker-signed-library"

    /// Makes the change in `bundle`, at all levels where it can be made without breaking a seal around it.
    public func apply(to bundle: inout BundleBuilder) throws {
        switch self {
        case .untouched: break
        case .infoPlistBoundAgain: try Self.bindInfoPlistAgain(&bundle)
        case .localizationRemoved:
            guard let path = Fault.localization(of: .bundle(bundle)) else { throw BuildError("no localization") }
            let root = bundle.layout.root
            bundle.edit(.atTheEnd) { try $0.remove(root / path.parent) }
        case .dsStoreAdded:
            let folder = bundle.layout.root / RawPath(bundle.layout.resources)
            bundle.edit(.atTheEnd) { tree in
                tree.add(folder / ".DS_Store", text: "Bud1")
                tree.add(folder / "data/.DS_Store", text: "Bud1")
            }
        case .emptyDirectoryAdded:
            let folder = bundle.layout.root / RawPath(bundle.layout.resources)
            bundle.edit(.atTheEnd) { $0[folder / "empty/inner"] = .directory() }
        case .binarySeal: bundle.eachBundle { $0.seal.form = .binary }
        case .binaryInfoPlist: bundle.eachBundle { $0.infoForm = .binary }
        case .pagesOf16K: Self.eachSignature(&bundle) { $0.eachDirectory { $0.pageSizeLog2 = 14 } }
        case .sha1AndSha256: bundle.useHashes([.sha1, .sha256])
        case .sha384: bundle.useHashes([.sha256, .sha384])
        case .cmsAbsent: Self.eachSignature(&bundle) { $0.cms = .absent }
        case .cmsGarbage: Self.eachSignature(&bundle) { $0.cms = .wrapped(Array("not a message".utf8)) }
        case .modesChanged:
            bundle.edit(.atTheEnd) { tree in
                for path in tree.paths {
                    if case .file(let bytes, let mode) = tree[path] {
                        tree.add(path, bytes, mode: mode & 0o111 != 0 ? 0o700 : 0o664)
                    }
                }
            }
        case .emptyCodeSignatureFile:
            let folder = bundle.sealPath.parent
            bundle.edit(.atTheEnd) { $0.add(folder / "CodeSignature", []) }
        case .linkerSignedLibrary:
            try bundle.updateCode("Frameworks/libTools.dylib") { code in
                code.eachSignature { $0 = .linker(identifier: "libTools.dylib") }
            }
        case .signatureAreaPadded: Self.eachSignature(&bundle) { $0.minimumSize = 0x4000 }
        }
    }

    /// `demo` with the change in it.
    public func build(from demo: BundleBuilder) throws -> SealedBundle {
        var bundle = demo
        try apply(to: &bundle)
        return try bundle.sealed()
    }

    private static func eachSignature(_ bundle: inout BundleBuilder, _ body: (inout SignatureBuilder) -> Void) {
        bundle.eachCode { $0.eachSignature(body) }
    }

    private static func bindInfoPlistAgain(_ bundle: inout BundleBuilder) throws {
        let place = try bundle.place(.root)
        var info = bundle.info
        info["SomethingNew"] = "added after signing"
        let bytes = info.encoded(as: bundle.infoForm)
        bundle.edit(.atTheEnd) { tree in
            if let path = place.infoPlist { tree.add(path, bytes) }
            try tree.edit(place.executable) { file in
                try SignedCode.edit(&file) { try $0.setSpecialSlot(1, to: bytes) }
            }
        }
    }
}
