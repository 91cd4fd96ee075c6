import MachOReader

extension Finding.ID {
    static let platformDiffers = Self("platform-differs")
    static let encryptedCode = Self("encrypted-code")
    static let encryptedSlice = Self("encrypted-slice")
    static let dylibMissing = Self("dylib-missing")
}

extension Check {
    /// What only a Mach-O can tell: the platform it was built for, encryption, the libraries it loads.
    static let platforms = Check(.platforms) { subject in
        let root = subject.evaluations.first
        return subject.evaluations.flatMap { evaluation in
            platform(evaluation, root) + encryption(evaluation) + libraries(evaluation, subject)
        }
    }

    /// A simulator's or a Mac's extension in a device app: built for the same processor, so nothing else would notice.
    private static func platform(_ evaluation: CodeEvaluation, _ root: CodeEvaluation?) -> [Finding] {
        guard let root, root.number != evaluation.number, root.code.kind == .app else { return [] }
        return evaluation.slices.compactMap { slice in
            guard let own = slice.slice.image.value?.buildVersion?.platform,
                let outer = root.slices.first(where: { $0.slice.architecture.type == slice.slice.architecture.type }),
                let wanted = outer.slice.image.value?.buildVersion?.platform, own != wanted
            else { return nil }
            // A watch app inside an iPhone app is for another device by design.
            let watch: Set<Platform> = [.watchOS, .watchOSSimulator]
            if watch.contains(own), evaluation.code.path.components.contains(where: { $0.elementsEqual("Watch".utf8) })
            {
                return nil
            }
            return Finding(
                .platformDiffers, .slice(slice, of: evaluation.code),
                "\(evaluation.code.path) was built for \(own.name), the app around it for \(wanted.name).",
                .init(expected: wanted.name, actual: own.name))
        }
    }

    private static func encryption(_ evaluation: CodeEvaluation) -> [Finding] {
        let encrypted = evaluation.slices.filter { slice in
            slice.slice.image.value?.encryption.contains { $0.value.map { $0.cryptID != 0 } ?? false } ?? false
        }
        let isWhole = encrypted.count == evaluation.slices.count
        return encrypted.map { slice in
            Finding(
                isWhole ? .encryptedCode : .encryptedSlice, .slice(slice, of: evaluation.code),
                "\(evaluation.code.executable ?? evaluation.code.path) (\(slice.architectureName)) is encrypted by the App Store."
            )
        }
    }

    /// Libraries that a load command names inside the bundle and that are not there: what an injector leaves behind.
    private static func libraries(_ evaluation: CodeEvaluation, _ subject: Subject) -> [Finding] {
        guard let executable = evaluation.code.executable else { return [] }
        let loader = LibrarySearch(executable: executable, evaluation: evaluation, subject: subject)
        var missing: Set<String> = []
        for slice in evaluation.slices {
            guard let image = slice.slice.image.value else { continue }
            let rpaths = image.rpaths.compactMap(\.value)
            for dylib in image.dylibs.compactMap(\.value) where dylib.kind == .loadDylib || dylib.kind == .reexportDylib
            {
                if loader.isMissing(dylib.name, rpaths: rpaths) { missing.insert(dylib.name) }
            }
        }
        return missing.sorted().map { name in
            Finding(
                .dylibMissing, .init(path: executable, code: evaluation.code.path),
                "\(executable) loads “\(name)”, which is not in the app.", .init(expected: name))
        }
    }
}

/// Where the loader would look for a library, as far as the bundle goes.
private struct LibrarySearch {
    let executable: BundlePath
    let evaluation: CodeEvaluation
    let subject: Check.Subject

    /// Whether a name leads into the bundle for certain, and nothing is there. A name that may lead to the system is
    /// never missing.
    func isMissing(_ name: String, rpaths: [String]) -> Bool {
        if name.hasPrefix("@rpath/") {
            let rest = String(name.dropFirst("@rpath/".count))
            // What an outer image's rpaths add is not known here, nor what lies behind absolute ones.
            guard evaluation.code.parent == nil, evaluation.code.kind == .app, !rpaths.isEmpty,
                rpaths.allSatisfy({ $0.hasPrefix("@") })
            else {
                return false
            }
            return rpaths.allSatisfy { rpath in place("\(rpath)/\(rest)").map { !exists($0) } ?? false }
        }
        guard name.hasPrefix("@executable_path/") || name.hasPrefix("@loader_path/") else { return false }
        return place(name).map { !exists($0) } ?? false
    }

    private func exists(_ path: BundlePath) -> Bool { subject.facts.index.resolve(path) != nil }

    /// The place in the tree, or nil when it lies outside of it.
    private func place(_ name: String) -> BundlePath? {
        let start: BundlePath?
        let rest: Substring
        if name.hasPrefix("@loader_path") {
            (start, rest) = (executable.parent, name.dropFirst("@loader_path".count))
        } else if name.hasPrefix("@executable_path"), evaluation.code.kind != .framework, evaluation.code.kind != .dylib
        {
            (start, rest) = (executable.parent, name.dropFirst("@executable_path".count))
        } else {
            return nil
        }
        var path = start ?? .root
        for part in rest.split(separator: "/") {
            switch part {
            case ".": continue
            case "..":
                guard let parent = path.parent else { return nil }
                path = parent
            default: path = path.appending(String(part))
            }
        }
        return path.isAtOrBelow(subject.facts.root) ? path : nil
    }
}

extension Catalogue {
    static let platforms: [CatalogueRow] = [
        CatalogueRow(
            .platformDiffers, .platforms, "Nested code was built for another platform than the app around it.",
            why: "A simulator's or a Mac's build does not load on a device, even where the processor is the same.",
            fix: "Build everything for one platform, then sign from the inside out."),
        CatalogueRow(
            .encryptedCode, .platforms, "Code is encrypted by the App Store.",
            why: "Only the account that bought it can run it; signed again, it cannot be launched.",
            fix: "Take a build that was never in the store."),
        CatalogueRow(
            .encryptedSlice, .platforms, severity: .warning, "One slice of the code is encrypted by the App Store.",
            why: "Devices that pick this slice cannot launch it.",
            fix: "Remove the slice, or take a build that was never in the store; then sign from the inside out."),
        CatalogueRow(
            .dylibMissing, .platforms, severity: .warning, "Code loads a library that is not there.",
            why: "The loader ends the process at launch. Injectors leave such commands behind.",
            fix: "Put the library where the load command says, or remove the command; then sign from the inside out."),
    ]
}
