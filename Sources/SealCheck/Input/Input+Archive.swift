extension InputOpener {
    /// Lists an archive and finds what is to be judged in it.
    func archive(_ file: ArchiveFile, _ path: [UInt8]) throws(InputProblem) -> Input {
        let tree = try listing { () throws(ReadFault) in try ArchiveTree(file, limits: limits) }
        let content = ArchiveContent(tree)
        if content.hasPayload {
            return Input(tree: tree, kind: .ipa, root: try content.appInPayload(), notes: [])
        }
        let bundle = try content.bundleAtTop()
        let name = bundle.lossyText
        if String(decoding: path.suffix(4), as: UTF8.self).lowercased() == ".ipa" { throw .bundleAtTop(name) }
        return Input(tree: tree, kind: .zip, root: bundle, notes: [.bundleAtTop(name)])
    }
}

/// The upper levels of an archive.
private struct ArchiveContent {
    private let tree: ArchiveTree
    /// Entries without a slash in their path, and those right inside `Payload`.
    private var top: [TreeEntry] = []
    private var payload: [TreeEntry] = []
    /// `X/Payload` where it holds something that ends in `.app`.
    private var nestedPayload: BundlePath?

    private static let payloadName: BundlePath = "Payload"

    init(_ tree: ArchiveTree) {
        self.tree = tree
        for entry in tree.entries {
            switch entry.path.depth {
            case 1:
                top.append(entry)
            case 2 where entry.path.parent == Self.payloadName:
                payload.append(entry)
            case 3 where nestedPayload == nil && entry.kind == .directory && entry.path.hasSuffix(".app"):
                if let parent = entry.path.parent, parent.lastComponent.elementsEqual(Self.payloadName.bytes) {
                    nestedPayload = parent
                }
            default:
                break
            }
        }
    }

    var hasPayload: Bool { top.contains { $0.path == Self.payloadName && $0.kind == .directory } }

    /// The only app in `Payload`.
    ///
    /// Only what ends in `.app` counts, in whatever case and of whatever kind: one that would be passed over silently
    /// might be the one that is installed. AppleDouble files (`._App.app`) are leftovers of Finder, not apps.
    func appInPayload() throws(InputProblem) -> BundlePath {
        let apps = payload.filter { entry in
            let name = entry.path.lastComponent
            let isAppleDouble = name.starts(with: "._".utf8) && entry.kind != .directory
            return hasSuffixInAnyCase(name, ".app") && !isAppleDouble
        }
        guard let app = apps.first else { throw .noAppInPayload(seen: payload.map(\.path.lossyText)) }
        if apps.count > 1 { throw .severalApps(apps.map(\.path.lossyText)) }
        if app.kind != .directory { throw .appIsNoFolder(app.path.lossyText) }
        if !app.path.hasSuffix(".app") { throw .appSuffixCase(app.path.lossyText) }
        return app.path
    }

    /// The only bundle at the top of an archive without `Payload`; where there is none, the problem that says most.
    func bundleAtTop() throws(InputProblem) -> BundlePath {
        if tree.entries.isEmpty, tree.faults.isEmpty { throw .emptyArchive }
        let folders = top.filter { $0.kind == .directory }
        let bundles = folders.filter { folder in InputOpener.bundleSuffixes.contains { folder.path.hasSuffix($0) } }
        if bundles.count > 1 { throw .severalApps(bundles.map(\.path.lossyText)) }
        if let bundle = bundles.first { return bundle.path }

        let wrongCase = folders.first { $0.path.lossyText.lowercased() == "payload" }
        if let wrongCase { throw .payloadCase(wrongCase.path.lossyText) }
        if let nestedPayload { throw .nestedPayload(nestedPayload.lossyText) }
        let hasBackslashes = tree.faults.contains { fault in
            fault.kind == .backslashName && fault.name.starts(with: "Payload\\".utf8)
        }
        if hasBackslashes { throw .backslashNames }
        if tree.entries.isEmpty, let fault = tree.faults.first {
            throw .noUsableNames(example: String(decoding: fault.name, as: UTF8.self))
        }
        let appFolder = folders.first { hasSuffixInAnyCase($0.path.lastComponent, ".app") }
        if let appFolder { throw .appSuffixCase(appFolder.path.lossyText) }
        if top.contains(where: { $0.path == "Info.plist" && $0.kind == .file }) { throw .insideOfBundle }
        throw .noPayload(seen: top.map(\.path.lossyText))
    }

    /// Whether `name` ends in `suffix` and is longer, in upper or lower case.
    private func hasSuffixInAnyCase(_ name: ArraySlice<UInt8>, _ suffix: String) -> Bool {
        let end = name.suffix(suffix.utf8.count)
        return name.count > suffix.utf8.count && String(decoding: end, as: UTF8.self).lowercased() == suffix
    }
}
