/// Why there is nothing to judge. Every one of these means "could not be checked" (exit code 3), never "not sealed".
///
/// Names in here are shown as the input has them: whoever prints a message has to make it inert.
public enum InputProblem: Error, Hashable, Sendable {
    /// The path is `-`.
    case standardInput
    case notFound
    case notReadable(call: String, errno: Int32)
    /// The path names a FIFO, a device or a socket.
    case notAFile(String)
    /// The input changed while it was being listed.
    case changed
    case emptyFile
    case emptyFolder
    /// A file that is neither an archive nor a Mach-O; `seen` says what it is, where that can be told.
    case notAnApp(seen: String?)
    /// A folder that is no bundle. `apps` are bundles that were found where people look for them.
    case notABundle(apps: [String])
    /// The file is a Mach-O and an archive in one.
    case ambiguousFile
    case malformedArchive(String)
    case limitExceeded(Limits.Exceeded)
    case emptyArchive
    /// The archive has no `Payload/` and no bundle at its top.
    case noPayload(seen: [String])
    /// All names of the archive that would be needed are hostile or malformed.
    case noUsableNames(example: String)
    /// The names have back-slashes where slashes belong.
    case backslashNames
    /// `Payload/` lies in another folder.
    case nestedPayload(String)
    /// `payload/`, `PAYLOAD/`.
    case payloadCase(String)
    case noAppInPayload(seen: [String])
    /// `Payload/App.app` is a file or a link.
    case appIsNoFolder(String)
    /// `Payload/App.App`.
    case appSuffixCase(String)
    case severalApps([String])
    /// A file named `.ipa` with a bundle at its top.
    case bundleAtTop(String)
    /// What is inside a bundle was packed, without the bundle's own folder.
    case insideOfBundle
    /// An `.xcarchive` without an app.
    case noAppInXcarchive
}

extension InputProblem {
    /// What Apple's tool would say of the path, where it would get as far (spec 4.1). It knows no archives.
    var appleError: AppleError? {
        switch self {
        case .notFound: .staticCodeNotFound
        case .notABundle, .emptyFolder: .badBundleFormat
        case .notAnApp, .emptyFile: .unsigned
        default: nil
        }
    }

    /// The stable identifier, for reports that programs read.
    public var id: String {
        switch self {
        case .standardInput: "standard-input"
        case .notFound: "not-found"
        case .notReadable: "not-readable"
        case .notAFile: "not-a-file"
        case .changed: "changed-while-reading"
        case .emptyFile: "empty-file"
        case .emptyFolder: "empty-folder"
        case .notAnApp: "not-an-app"
        case .notABundle: "not-a-bundle"
        case .ambiguousFile: "ambiguous-file"
        case .malformedArchive: "malformed-archive"
        case .limitExceeded: "limit-exceeded"
        case .emptyArchive: "empty-archive"
        case .noPayload: "no-payload"
        case .noUsableNames: "no-usable-names"
        case .backslashNames: "backslash-names"
        case .nestedPayload: "nested-payload"
        case .payloadCase: "payload-in-wrong-case"
        case .noAppInPayload: "no-app-in-payload"
        case .appIsNoFolder: "app-is-no-folder"
        case .appSuffixCase: "app-suffix-in-wrong-case"
        case .severalApps: "several-apps"
        case .bundleAtTop: "bundle-at-top-of-ipa"
        case .insideOfBundle: "inside-of-bundle"
        case .noAppInXcarchive: "no-app-in-xcarchive"
        }
    }

    /// One sentence, without the path.
    public var message: String {
        switch self {
        case .standardInput: "Standard input cannot be checked: an archive has to be read from its end."
        case .notFound: "There is no such file or folder."
        case .notReadable(let call, let errno): "It cannot be read: \(System.text(ofError: errno)) (\(call))."
        case .notAFile(let word): "It is a \(word), neither a file nor a folder."
        case .changed: "It changed while it was being read."
        case .emptyFile: "The file is empty."
        case .emptyFolder: "The folder is empty: there is nothing that could be sealed."
        case .notAnApp(let seen): "It is \(seen ?? "something unknown"), not a ZIP archive, a bundle or a Mach-O file."
        case .notABundle: "The folder is no bundle: it has no bundle's suffix and no Info.plist."
        case .ambiguousFile: "The file is a Mach-O and a ZIP archive in one, so it can be judged as either."
        case .malformedArchive(let reason): "The ZIP archive is malformed: \(reason)."
        case .limitExceeded(let bound):
            "It exceeds a limit: \(bound.value) \(bound.what), where \(bound.limit) are allowed."
        case .emptyArchive: "The ZIP archive is empty."
        case .noPayload(let seen): "The archive has no Payload folder; it holds \(Self.list(seen))."
        case .noUsableNames(let example): "No name in the archive can be used; one is “\(example)”."
        case .backslashNames: "The archive has no Payload folder: its names use back-slashes."
        case .nestedPayload(let folder): "The Payload folder is not at the top of the archive but at \(folder)."
        case .payloadCase(let name): "The archive has no Payload folder but one named “\(name)”."
        case .noAppInPayload(let seen): "There is no app in the Payload folder; it holds \(Self.list(seen))."
        case .appIsNoFolder(let name): "\(name) is not a folder."
        case .appSuffixCase(let name): "\(name) does not end in “.app”, in lower case."
        case .severalApps(let names): "There is not one bundle but several: \(Self.list(names))."
        case .bundleAtTop(let name): "The .ipa has no Payload folder; \(name) lies at its top."
        case .insideOfBundle: "The archive holds the inside of a bundle, without the bundle's folder."
        case .noAppInXcarchive: "The .xcarchive holds no app."
        }
    }

    /// What to do, where there is something.
    public var hint: String? {
        switch self {
        case .standardInput: "Write it to a file, and give that file's path."
        case .notABundle(let apps) where !apps.isEmpty: "Did you mean \(Self.list(apps))?"
        case .ambiguousFile: "Use --file-only to judge the Mach-O alone."
        case .malformedArchive: "It may have been cut off on its way: compare its size with the original's."
        case .noUsableNames: "Pack it again from inside its folder: zip -qry App.ipa Payload"
        case .backslashNames: "Pack it again with a tool that writes slashes, as the ZIP format demands."
        case .nestedPayload: "Pack it again from inside that folder: zip -qry App.ipa Payload"
        case .payloadCase: "Rename the folder to Payload: devices tell upper from lower case."
        case .appSuffixCase: "Rename it: devices tell upper from lower case."
        case .severalApps: "Check them one by one."
        case .bundleAtTop: "Put it into a folder named Payload, and pack that: zip -qry App.ipa Payload"
        case .noPayload: "An .ipa is made so: zip -qry App.ipa Payload"
        case .insideOfBundle: "Pack the folder itself, not what is in it."
        case .noAppInXcarchive: "If it is a framework's, give the path of the framework inside Products."
        default: nil
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(4).map { "“\($0)”" }.joined(separator: ", ")
        if names.isEmpty { return "nothing" }
        return names.count > 4 ? "\(shown) and \(names.count - 4) more" : shown
    }
}

extension InputProblem {
    /// What a fault met while listing means for the input as a whole.
    init(_ fault: ReadFault) {
        switch fault {
        case .limit(let bound): self = .limitExceeded(bound)
        case .system(let call, let errno): self = .notReadable(call: call, errno: errno)
        case .changed: self = .changed
        case .damaged(let reason): self = .malformedArchive(reason)
        case .notAFile: self = .notAFile("thing of another kind by now")
        case .encrypted, .method, .sizeMismatch, .checksumMismatch, .digest:
            self = .malformedArchive("it cannot be listed")
        }
    }

    init(_ fault: SystemFault) {
        self = fault.meansNotFound ? .notFound : .notReadable(call: fault.call, errno: fault.number)
    }
}
