/// One thing that is wrong with one code object.
///
/// Each is put into a bundle that is right in every other respect, at an object of the test's choice, and with a choice
/// of whether the seals around the object are made before or after it (``BundleBuilder/Rebuild``).
public enum Fault: String, CaseIterable, Hashable, Sendable {
    // The code itself
    case pageFlipped = "page-flipped"
    case loadCommandFlipped = "load-command-flipped"
    case loadCommandInserted = "load-command-inserted"
    case linkeditFlipped = "linkedit-flipped"
    case dataAppended = "data-appended"
    case secondSlicePageFlipped = "second-slice-page-flipped"

    // Info.plist, resources, the seal
    case infoPlistEdited = "info-plist-edited"
    case infoPlistRemoved = "info-plist-removed"
    case resourceAltered = "resource-altered"
    case resourceAdded = "resource-added"
    case resourceRemoved = "resource-removed"
    case resourceMadeSymlink = "resource-made-symlink"
    case symlinkRetargeted = "symlink-retargeted"
    case symlinkMadeFile = "symlink-made-file"
    case localizationAltered = "localization-altered"
    case sealEdited = "seal-edited"
    case sealRemoved = "seal-removed"
    case strayInCodeSignature = "stray-in-code-signature"
    case executableRemoved = "executable-removed"

    // The CodeDirectory
    case infoSlotZeroed = "info-slot-zeroed"
    case sealSlotZeroed = "seal-slot-zeroed"
    case specialSlotsCut = "special-slots-cut"
    case adhocFlagCleared = "adhoc-flag-cleared"
    case codeLimitShortened = "code-limit-shortened"
    case pageHashFlipped = "page-hash-flipped"
    case lastPagePadded = "last-page-padded"
    case primaryPagesStale = "primary-pages-stale"
    case alternatePagesStale = "alternate-pages-stale"
    case alternateSpecialSlotStale = "alternate-special-slot-stale"

    // The blobs that it hashes
    case requirementsFlipped = "requirements-flipped"
    case requirementsDropped = "requirements-dropped"
    case entitlementsFlipped = "entitlements-flipped"
    case entitlementsDropped = "entitlements-dropped"
    case entitlementsDERFlipped = "entitlements-der-flipped"
    case entitlementsDERDropped = "entitlements-der-dropped"

    // The signature as a whole
    case signatureStripped = "signature-stripped"
    case neverSigned = "never-signed"
    case linkerSigned = "linker-signed"
    case signedAsLoneFile = "signed-as-lone-file"

    // The order of signing
    case resigned = "resigned-after-outer"
    case sealedBeforeNested = "outer-sealed-before-nested"
    case nestedAdded = "nested-added"
    case nestedRemoved = "nested-removed"
}

// MARK: - Where it makes sense

extension Fault {
    /// Whether the object at `place` of `bundle` has what the fault damages.
    public func applies(to place: CodePlace, in bundle: BundleBuilder) -> Bool {
        guard let item = try? bundle.item(at: place.path) else { return false }
        let code: CodeFile?
        switch item {
        case .bundle(let bundle): code = bundle.executable
        case .code(let file): code = file
        }
        guard let code, let signature = code.slices.first?.signature else { return false }
        let isBundle = place.layout != nil
        switch self {
        case .pageFlipped, .loadCommandFlipped, .loadCommandInserted, .linkeditFlipped, .adhocFlagCleared,
            .dataAppended,
            .codeLimitShortened, .pageHashFlipped, .lastPagePadded, .requirementsFlipped, .requirementsDropped,
            .signatureStripped:
            return true
        case .secondSlicePageFlipped: return code.slices.count > 1
        case .infoPlistEdited, .infoPlistRemoved, .resourceAdded, .sealEdited, .sealRemoved, .strayInCodeSignature,
            .executableRemoved, .infoSlotZeroed, .sealSlotZeroed, .specialSlotsCut, .linkerSigned, .signedAsLoneFile:
            return isBundle
        case .neverSigned: return true
        case .resourceAltered, .resourceRemoved, .resourceMadeSymlink:
            return isBundle && Self.resource(of: item) != nil
        case .symlinkRetargeted, .symlinkMadeFile: return isBundle && Self.symlink(of: item) != nil
        case .localizationAltered: return isBundle && Self.localization(of: item) != nil
        case .primaryPagesStale, .alternatePagesStale, .alternateSpecialSlotStale:
            return signature.directories.count > 1
        case .entitlementsFlipped, .entitlementsDropped: return signature.coveredBlobs[5] != nil
        case .entitlementsDERFlipped, .entitlementsDERDropped: return signature.coveredBlobs[7] != nil
        case .resigned, .nestedRemoved: return !place.path.isRoot
        // A deep bundle's seal names nested code by its signature: there is none without one.
        case .sealedBeforeNested: return !place.path.isRoot && bundle.layout == .flat
        case .nestedAdded: return place.path.isRoot
        }
    }

    /// How the seals around the object can stand to the fault. The outermost bundle has none around it.
    public func rebuilds(at place: CodePlace) -> [BundleBuilder.Rebuild] {
        switch self {
        case .resigned, .sealedBeforeNested, .nestedRemoved: [.none]
        case .nestedAdded: [.all]
        default: place.path.isRoot ? [.all] : [.all, .none]
        }
    }

    /// A plain resource that must be there, relative to the root of the seal.
    static func resource(of item: BundleBuilder.Nested) -> RawPath? {
        find(in: item) { path, item in
            if case .file = item { path.lastComponent != "PkgInfo" && !path.text.contains(".lproj/") } else { false }
        }
    }

    /// A resource that may be absent.
    static func localization(of item: BundleBuilder.Nested) -> RawPath? {
        find(in: item) { path, _ in path.text.contains("en.lproj/") }
    }

    static func symlink(of item: BundleBuilder.Nested) -> RawPath? {
        find(in: item) { _, item in if case .symlink = item { true } else { false } }
    }

    private static func find(
        in item: BundleBuilder.Nested, _ isWanted: (RawPath, FileTree.Item) -> Bool
    ) -> RawPath? {
        guard case .bundle(let bundle) = item else { return nil }
        return bundle.files.paths.first { path in bundle.files[path].map { isWanted(path, $0) } ?? false }
    }
}
