import MachOReader

/// What Apple's verifier overlooks in apps of the App Store from before iOS 9: the store added and changed its licence
/// files after sealing (spec 5.8).
struct StoreExemption {
    /// The first-version rules, which have to leave the path out.
    private let rules: ResourceRules

    /// Nil for every other app.
    init?(_ seal: CodeResources, image: MachOImage?, executable: BundlePath?, limits: Limits) {
        guard seal.version == 2, let build = image?.buildVersion, build.platform == .iOS,
            build.sdk < PackedVersion(9),
            let rules = try? ResourceRules(seal.rulesV1, executable: executable, limits: limits)
        else { return nil }
        self.rules = rules
    }

    /// Whether a problem with the item at `path`, relative to the root of the seal, is none.
    func excuses(_ kind: SealScan.Kind, at path: BundlePath) -> Bool {
        switch kind {
        case .added: guard path.hasSuffix(".sinf") else { return false }
        case .altered: guard path.hasSuffix(".supf") || path.hasSuffix(".supp") else { return false }
        default: return false
        }
        guard let folder = path.parent, Self.isLicenceFolder(folder), case .rule(let rule) = rules.match(path) else {
            return false
        }
        return rule.isOmit
    }

    /// `SC_Info` at the root, or directly in a framework or extension in its usual place.
    private static func isLicenceFolder(_ folder: BundlePath) -> Bool {
        let parts = folder.components.map(Array.init)
        guard let last = parts.last, last.elementsEqual("SC_Info".utf8) else { return false }
        switch parts.count {
        case 1: return true
        case 3:
            let bundle = BundlePath(bytes: parts[1])
            return parts[0].elementsEqual("Frameworks".utf8) && bundle.hasSuffix(".framework")
                || parts[0].elementsEqual("PlugIns".utf8) && bundle.hasSuffix(".appex")
        default: return false
        }
    }
}
