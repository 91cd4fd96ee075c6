extension InputOpener {
    /// Opens a folder: a bundle, or an `.xcarchive` that leads to its app.
    func directory(_ path: [UInt8]) throws(InputProblem) -> Input {
        let folder = try asking { () throws(SystemFault) in try open(path, for: .directory) }
        let name = bundleName(path)
        if isXcarchive(folder, name) {
            let (app, appName) = try appOfXcarchive(folder)
            return try bundle(
                app, appName, kind: .xcarchive, notes: [.appOfXcarchive("Products/Applications/" + text(appName))])
        }
        guard isBundle(folder, name) else { throw .notABundle(apps: appsToOffer(in: folder)) }
        return try bundle(folder, name, kind: .bundle, notes: [])
    }

    private func bundle(
        _ folder: Descriptor, _ name: [UInt8], kind: Input.Kind, notes: [Input.Note]
    ) throws(InputProblem) -> Input {
        let tree = try listing { () throws(ReadFault) in
            try DirectoryTree(directory: folder, name: name, limits: limits)
        }
        // The folder itself is the only entry, and it could be read.
        if tree.entries.count == 1, tree.faults.isEmpty { throw .emptyFolder }
        return Input(tree: tree, kind: kind, root: BundlePath(bytes: name), notes: notes)
    }

    /// The bundle's own name. The one that was typed, unless that says nothing (`.`, `..`) or the folder behind a link
    /// has the suffix of a bundle and the link does not.
    private func bundleName(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let typed = path.split(separator: slash).last ?? []
        if hasBundleSuffix(Array(typed)) { return Array(typed) }
        let resolved = (try? system.realPath(path))?.split(separator: slash).last ?? []
        let typedSaysNothing = typed.isEmpty || typed.elementsEqual(".".utf8) || typed.elementsEqual("..".utf8)
        if typedSaysNothing || hasBundleSuffix(Array(resolved)) { return Array(resolved) }
        return Array(typed)
    }

    private func hasBundleSuffix(_ name: [UInt8]) -> Bool {
        Self.bundleSuffixes.contains { BundlePath(bytes: name).hasSuffix($0) }
    }

    private func isBundle(_ folder: Descriptor, _ name: [UInt8]) -> Bool {
        // A disk's root directory has no name, and no path could begin with it.
        if name.isEmpty { return false }
        return hasBundleSuffix(name) || exists(["Info.plist"], in: folder)
            || exists(["Contents", "Info.plist"], in: folder) || exists(["Resources", "Info.plist"], in: folder)
    }

    private func isXcarchive(_ folder: Descriptor, _ name: [UInt8]) -> Bool {
        if hasBundleSuffix(name) { return false }
        return BundlePath(bytes: name).hasSuffix(".xcarchive")
            || exists(["Products", "Applications"], in: folder) && exists(["Info.plist"], in: folder)
    }

    /// The only app in `Products/Applications`.
    private func appOfXcarchive(_ folder: Descriptor) throws(InputProblem) -> (Descriptor, [UInt8]) {
        guard let applications = descend(["Products", "Applications"], from: folder) else { throw .noAppInXcarchive }
        let apps = try asking { () throws(SystemFault) in try appNames(in: applications) }
        guard let name = apps.first else { throw .noAppInXcarchive }
        if apps.count > 1 { throw .severalApps(apps.map { "Products/Applications/" + text($0) }) }
        let app = try asking { () throws(SystemFault) in try applications.open(name[...], for: .directory) }
        return (app, name)
    }

    /// Bundles that whoever typed the path may have meant: an unpacked `.ipa` and a build folder are the usual cases.
    private func appsToOffer(in folder: Descriptor) -> [String] {
        let here = ((try? appNames(in: folder)) ?? []).map { text($0) }
        guard let payload = descend(["Payload"], from: folder) else { return here }
        return here + ((try? appNames(in: payload)) ?? []).map { "Payload/" + text($0) }
    }

    /// The names of the directories in `folder` that end in `.app`, in order.
    private func appNames(in folder: Descriptor) throws(SystemFault) -> [[UInt8]] {
        let items = try system.list(folder.number, limits.entries)
        var names: [[UInt8]] = []
        for item in items where BundlePath(bytes: item.name).hasSuffix(".app") {
            if try kind(of: item, in: folder) == .directory { names.append(item.name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func kind(of item: DirectoryItem, in folder: Descriptor) throws(SystemFault) -> FileStatus.Kind {
        if let kind = item.kind { return kind }
        return try system.statusAt(folder.number, item.name[...]).kind
    }

    private func exists(_ components: [String], in folder: Descriptor) -> Bool {
        guard let last = components.last, let parent = descend(components.dropLast(), from: folder) else {
            return false
        }
        return (try? system.statusAt(parent.number, Array(last.utf8)[...])) != nil
    }

    /// The directory at `components` below `folder`, or nil.
    private func descend(_ components: some Sequence<String>, from folder: Descriptor) -> Descriptor? {
        var directory = folder
        for component in components {
            guard let next = try? directory.open(Array(component.utf8)[...], for: .directory) else { return nil }
            directory = next
        }
        return directory
    }

    private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
}

extension InputOpener {
    /// The path of the bundle whose main executable `path` is, or nil.
    ///
    /// Looked for where the three layouts have it: `X.app/X`; `X.app/Contents/MacOS/X`; `X.framework/Versions/A/X` with
    /// the link `X.framework/X`. What counts is the CFBundleExecutable of the Info.plist there.
    func bundleFolder(
        ofExecutable path: [UInt8], _ executableName: (_ infoPlist: [UInt8]) -> [UInt8]?
    ) -> [UInt8]? {
        let slash = UInt8(ascii: "/")
        guard let name = path.split(separator: slash).last else { return nil }
        var parent = Array(path.dropLast(name.count))
        // The kernel's own way up, right even where a component of the path is a link.
        if parent.isEmpty { parent = [UInt8(ascii: "."), slash] }
        func isNamed(_ infoPlist: String) -> Bool {
            guard let bytes = smallFile(parent + Array(infoPlist.utf8)) else { return false }
            return executableName(bytes).map { $0.elementsEqual(name) } ?? false
        }
        if isNamed("Info.plist") { return parent }
        let above = ((try? system.realPath(parent)) ?? parent).split(separator: slash).suffix(2)
        if above.elementsEqual(["Contents", "MacOS"], by: { $0.elementsEqual($1.utf8) }), isNamed("../Info.plist") {
            return parent + Array("../..".utf8)
        }
        if isNamed("Resources/Info.plist") {
            let isVersion = above.count == 2 && above.first.map { $0.elementsEqual("Versions".utf8) } ?? false
            return isVersion ? parent + Array("../..".utf8) : parent
        }
        return nil
    }

    /// The bytes of a file that may be as large as a property list, or nil when it cannot be read.
    private func smallFile(_ path: [UInt8]) -> [UInt8]? {
        guard let file = try? open(path, for: .file), let status = try? file.status(), status.kind == .file,
            status.size <= limits.propertyListBytes
        else { return nil }
        return try? file.bytes(at: 0, count: Int(status.size))
    }
}
