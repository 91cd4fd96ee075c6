/// A resource seal, `_CodeSignature/CodeResources`.
///
/// Computes what Apple's signer would write for a tree, by rules of its own that tests can change, and lets a test
/// overrule any entry.
public struct SealBuilder: Sendable {
    /// Nil takes the digests that the CodeDirectories use.
    public var hashes: [Sha]?
    /// Nil takes the default rules for the layout of the bundle.
    public var rules: [ResourceRule]?
    public var rules2: [ResourceRule]?
    public var hasV1 = true
    public var hasV2 = true
    public var form = Plist.Form.xml

    /// Entries of `files` and `files2` that replace or join the computed ones; nil removes one.
    public var files: [RawPath: Plist?] = [:]
    public var files2: [RawPath: Plist?] = [:]
    /// Edits the whole seal before it is written.
    public var edit: (@Sendable (inout Plist) throws -> Void)?
    /// Edits the bytes of the file.
    public var editBytes: (@Sendable (inout [UInt8]) throws -> Void)?

    public init() {}

    /// The seal of `contents`, a tree whose paths are relative to the seal's root.
    func build(_ contents: FileTree, _ surroundings: Surroundings) throws -> [UInt8] {
        let hashes = (self.hashes ?? surroundings.hashes).sorted()
        let rules = self.rules ?? .defaultRules(resources: surroundings.resources)
        let rules2 = self.rules2 ?? .defaultRules2(resources: surroundings.resources)
        let scan = SealScan(contents, surroundings)
        var seal = Plist.dict([])
        if hasV1 {
            seal["files"] = Self.dictionary(scan.files(RuleMatcher(rules)), files)
        }
        if hasV2 {
            seal["files2"] = Self.dictionary(scan.files2(RuleMatcher(rules2), hashes), files2)
        }
        if hasV1 { seal["rules"] = Self.dictionary(rules) }
        if hasV2 { seal["rules2"] = Self.dictionary(rules2) }
        try edit?(&seal)
        var bytes = seal.encoded(as: form)
        try editBytes?(&bytes)
        return bytes
    }

    private static func dictionary(_ computed: [RawPath: Plist], _ overrides: [RawPath: Plist?]) -> Plist {
        var entries = computed
        for (path, value) in overrides { entries[path] = value }
        return .dict(entries.sorted { $0.key < $1.key }.map { .init($0.key.text, $0.value) })
    }

    private static func dictionary(_ rules: [ResourceRule]) -> Plist {
        Plist.dict(rules.map { .init($0.pattern, $0.value) }).sorted()
    }

    /// What the seal has to know of the bundle around it.
    struct Surroundings {
        /// The digests that the CodeDirectories use.
        var hashes: [Sha]
        /// The resources folder relative to the root, with a slash at its end; empty for a flat bundle.
        var resources: String
        /// The main executable relative to the root.
        var executable: RawPath?
        /// Where the main executable of a nested bundle is, by the bundle's path. A folder that is not listed is no unit.
        var nestedExecutables: [RawPath: RawPath]
    }
}

/// Goes over a tree and makes the entries for it.
private struct SealScan {
    private let contents: FileTree
    private let surroundings: SealBuilder.Surroundings

    init(_ contents: FileTree, _ surroundings: SealBuilder.Surroundings) {
        self.contents = contents
        self.surroundings = surroundings
    }

    /// v1: SHA-1 of every regular file that a rule wants. Links and nesting do not exist in it.
    func files(_ rules: RuleMatcher) -> [RawPath: Plist] {
        var entries: [RawPath: Plist] = [:]
        for path in contents.paths where !isExcluded(path) {
            guard case .file(let bytes, _) = contents[path], let rule = rules.rule(for: path), !rule.omit else {
                continue
            }
            let digest = Plist.data(Sha.sha1.digest(bytes))
            entries[path] = rule.optional ? ["hash": digest, "optional": true] : digest
        }
        return entries
    }

    /// v2: digests of files, targets of links, identities of nested code.
    func files2(_ rules: RuleMatcher, _ hashes: [Sha]) -> [RawPath: Plist] {
        var entries: [RawPath: Plist] = [:]
        var units: [RawPath: Bool] = [:]
        for path in contents.paths where !isExcluded(path) {
            let unit = path.ancestors.first { ancestor in
                if let known = units[ancestor] { return known }
                let isUnit =
                    ancestor.lastComponent.bytes.contains(UInt8(ascii: "."))
                    && rules.rule(for: ancestor)?.nested == true
                units[ancestor] = isUnit
                return isUnit
            }
            if let unit {
                if entries[unit] == nil, let executable = surroundings.nestedExecutables[unit] {
                    entries[unit] = Self.nestedEntry(try? contents.bytes(unit / executable))
                }
                continue
            }
            guard let rule = rules.rule(for: path), !rule.omit else { continue }
            var entry: Plist
            switch contents[path] {
            case .file(let bytes, _):
                if rule.nested, (try? SignedCode.images(bytes)) != nil {
                    entry = Self.nestedEntry(bytes)
                } else {
                    entry = .dict(hashes.map { .init($0.sealKey, .data($0.digest(bytes))) })
                    if hashes == [.sha1], !rule.optional, let digest = entry["hash"] { entry = digest }
                }
            case .symlink(let target): entry = ["symlink": .string(String(decoding: target, as: UTF8.self))]
            case .directory, .fifo, nil: continue
            }
            if rule.optional { entry["optional"] = true }
            entries[path] = entry
        }
        return entries
    }

    /// What a seal never lists, whatever its rules say.
    private func isExcluded(_ path: RawPath) -> Bool {
        ["_CodeSignature", "_MASReceipt"].contains { path.relative(to: $0) != nil } || path == "CodeResources"
            || path == surroundings.executable
    }

    /// `{cdhash, requirement}` of signed code: the ruling cdhash, and every cdhash of every slice joined with "or".
    ///
    /// A signer refuses code without a signature. Here it gets a requirement that everything satisfies, so that its
    /// being unsigned is the only thing wrong.
    private static func nestedEntry(_ code: [UInt8]?) -> Plist {
        guard let code, let hashes = try? SignedCode.cdhashes(code),
            let ruling = (try? SignedCode.rulingCDHashes(code))?.first
        else { return ["cdhash": .data([UInt8](repeating: 0, count: 20)), "requirement": "always"] }
        let requirement = hashes.joined().map { "cdhash H\"\($0.map(Self.hex).joined())\"" }.joined(separator: " or ")
        return ["cdhash": .data(ruling), "requirement": .string(requirement)]
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
