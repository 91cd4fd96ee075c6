/// What a path on the command line turned out to be, open and listed.
///
/// What a path is, is decided by looking at it: the one thing that a name decides is that a file named `.ipa` has to
/// have a `Payload` folder.
public struct Input: Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An archive with `Payload/*.app`, whatever its name.
        case ipa
        /// An archive with one bundle at its top.
        case zip
        /// A bundle directory.
        case bundle
        /// A lone Mach-O file.
        case file
        /// An `.xcarchive`; the tree is that of its app.
        case xcarchive
    }

    /// Something that a reader of the report should know about what was judged.
    public enum Note: Hashable, Sendable {
        /// The path named this bundle's main executable, so the bundle is judged.
        case bundleOfExecutable(String)
        /// The archive has no Payload folder, so the bundle at its top is judged.
        case bundleAtTop(String)
        /// The app inside the `.xcarchive` is judged.
        case appOfXcarchive(String)
    }

    public let tree: any BundleTree
    public let kind: Kind
    /// The path of the bundle inside the tree (`Payload/App.app`, `Demo.app`), or of the lone file.
    public let root: BundlePath
    public let notes: [Note]

    /// Opens what `path` names.
    ///
    /// - Parameters:
    ///   - path: The bytes of a path, as they were typed.
    ///   - fileOnly: A Mach-O file is judged alone, even where it is a bundle's main executable.
    ///   - limits: The bounds of what is listed and, later, read.
    ///   - executableName: The CFBundleExecutable in the bytes of an Info.plist.
    /// - Returns: The open input. It holds its files open for as long as its tree or one of its readers lives.
    /// - Throws: An ``InputProblem`` when there is nothing that could be judged.
    public static func open(
        _ path: [UInt8], fileOnly: Bool = false, limits: Limits = .standard,
        executableName: (_ infoPlist: [UInt8]) -> [UInt8]?
    ) throws(InputProblem) -> Input {
        try open(path, fileOnly: fileOnly, limits: limits, system: .live, executableName: executableName)
    }

    /// As the public one, on a system of the caller's making.
    static func open(
        _ path: [UInt8], fileOnly: Bool = false, limits: Limits = .standard, system: System,
        executableName: (_ infoPlist: [UInt8]) -> [UInt8]?
    ) throws(InputProblem) -> Input {
        if path == [UInt8(ascii: "-")] { throw .standardInput }
        let opener = InputOpener(limits: limits, system: system)
        switch try opener.asking({ () throws(SystemFault) in try system.statusOfPath(path).kind }) {
        case .directory: return try opener.directory(path)
        case .file: return try opener.file(path, fileOnly: fileOnly, executableName: executableName)
        case .symbolicLink: throw .notFound
        case .other(let word): throw .notAFile(word)
        }
    }
}

extension Input.Note {
    /// The stable identifier, for reports that programs read.
    public var id: String {
        switch self {
        case .bundleOfExecutable: "bundle-of-executable"
        case .bundleAtTop: "bundle-at-top"
        case .appOfXcarchive: "app-of-xcarchive"
        }
    }

    /// One sentence. Names in it are shown as the input has them.
    public var message: String {
        switch self {
        case .bundleOfExecutable(let name):
            "The file is the main executable of \(name), so the bundle is judged (--file-only judges the file alone)."
        case .bundleAtTop(let name): "The archive has no Payload folder; \(name) at its top is judged."
        case .appOfXcarchive(let path): "The app in the .xcarchive is judged: \(path)."
        }
    }
}

/// What opening an input needs everywhere.
struct InputOpener {
    let limits: Limits
    let system: System

    /// Folders with these suffixes are bundles even when they lack an Info.plist: then that is what is wrong with them.
    static let bundleSuffixes = [".app", ".appex", ".framework", ".xctest", ".xpc", ".bundle"]

    /// Makes system calls for the path that was typed.
    func asking<Value>(_ calls: () throws(SystemFault) -> Value) throws(InputProblem) -> Value {
        do throws(SystemFault) {
            return try calls()
        } catch {
            throw InputProblem(error)
        }
    }

    /// Lists or reads something of the input.
    func listing<Value>(_ work: () throws(ReadFault) -> Value) throws(InputProblem) -> Value {
        do throws(ReadFault) {
            return try work()
        } catch {
            throw InputProblem(error)
        }
    }

    func open(_ path: [UInt8], for purpose: System.Purpose) throws(SystemFault) -> Descriptor {
        Descriptor(owning: try system.open(path, purpose), system: system)
    }

    /// Opens a file, after a look at its first bytes.
    func file(
        _ path: [UInt8], fileOnly: Bool, executableName: (_ infoPlist: [UInt8]) -> [UInt8]?
    ) throws(InputProblem) -> Input {
        let descriptor = try asking { () throws(SystemFault) in try open(path, for: .file) }
        let file = try listing { () throws(ReadFault) in try ArchiveFile(descriptor) }
        let head = try listing { () throws(ReadFault) in
            try file.bytes(at: 0, count: Int(min(file.size, UInt64(InputMagic.count))))
        }
        switch InputMagic(head) {
        case .empty:
            throw .emptyFile
        case .zip:
            return try archive(file, path)
        case .other(let words):
            // A stub in front of an archive (a self-extracting one, a signed one) does not keep readers from finding it.
            if try listing({ () throws(ReadFault) in try ZipEndRecord.isPresent(in: file) }) {
                return try archive(file, path)
            }
            throw .notAnApp(seen: words)
        case .machO:
            if fileOnly { return try loneFile(descriptor, path) }
            // Who sees an archive in it sees other code than who sees the Mach-O.
            if isArchiveToo(file) { throw .ambiguousFile }
            guard let folder = bundleFolder(ofExecutable: path, executableName) else {
                return try loneFile(descriptor, path)
            }
            let bundle = try directory(folder)
            return Input(
                tree: bundle.tree, kind: bundle.kind, root: bundle.root,
                notes: [.bundleOfExecutable(bundle.root.lossyText)] + bundle.notes)
        }
    }

    private func loneFile(_ descriptor: Descriptor, _ path: [UInt8]) throws(InputProblem) -> Input {
        let name = Array(BundlePath(bytes: path).lastComponent)
        let tree = try listing { () throws(ReadFault) in
            try DirectoryTree(file: descriptor, name: name, limits: limits)
        }
        return Input(tree: tree, kind: .file, root: BundlePath(bytes: name), notes: [])
    }

    /// Whether readers that look for an end record find a directory with entries. The four bytes of its signature alone
    /// prove nothing: every program that reads archives holds them.
    private func isArchiveToo(_ file: ArchiveFile) -> Bool {
        guard let directory = try? ZipDirectory(reading: file, limits: limits) else { return false }
        return !directory.records.isEmpty
    }
}
