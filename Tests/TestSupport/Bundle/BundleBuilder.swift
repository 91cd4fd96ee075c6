/// A bundle that can be signed inside-out: what is in it, how it is signed, and what goes wrong at which moment.
///
/// It is a value. A test takes one of the bundles of ``Demo``, changes what its case is about, and calls ``sealed()``.
public struct BundleBuilder: Sendable {
    /// An edit of the tree of one code object; paths are relative to its folder.
    public typealias Edit = @Sendable (inout FileTree) throws -> Void

    /// An edit and its moment.
    public struct StagedEdit: Sendable {
        public var stage: Stage
        public var body: Edit
    }

    /// Something inside that is signed before the bundle around it.
    public enum Nested: Sendable {
        case bundle(BundleBuilder)
        case code(CodeFile)
    }

    /// Moments at which an edit can strike.
    public enum Stage: Hashable, Sendable {
        /// Nested code is signed, nothing of this bundle is: the seal will be made over what the edit leaves.
        case beforeSealing
        /// This object is signed, what is around it is not: outer seals fit what the edit leaves.
        case afterSealing
        /// Everything is signed: outer seals do not know of the edit.
        case atTheEnd
    }

    /// The folder's name, such as `Demo.app`.
    public var name: String
    public var layout: BundleLayout
    public var info: Plist
    public var infoForm = Plist.Form.xml
    /// What Info.plist holds in place of ``info``.
    public var infoBytes: [UInt8]?
    public var hasInfoPlist = true
    /// Nil makes a bundle without code, which is never signed.
    public var executable: CodeFile?
    /// Nil is CFBundleExecutable, or the folder's name without its extension.
    public var executableName: String?
    /// Plain contents, relative to the root of the seal.
    public var files = FileTree()
    /// Code inside, by its path relative to the root of the seal.
    public var nested: [(path: RawPath, item: Nested)] = []
    public var seal = SealBuilder()
    /// Whether it gets a seal; without one slot −3 stays empty too.
    public var hasSeal = true
    public var edits: [StagedEdit] = []

    public init(_ name: String, layout: BundleLayout = .flat, info: Plist = [:]) {
        self.name = name
        self.layout = layout
        self.info = info
    }

    /// Adds an edit at one stage of this bundle.
    public mutating func edit(_ stage: Stage, _ body: @escaping Edit) {
        edits.append(StagedEdit(stage: stage, body: body))
    }

    /// Edits the signature of every slice of the main executable alike.
    public mutating func eachSignature(_ body: (inout SignatureBuilder) throws -> Void) rethrows {
        try executable?.eachSignature(body)
    }

    // MARK: - Names

    /// The name of the main executable.
    public var mainName: String { executableName ?? info["CFBundleExecutable"]?.text ?? RawPath(name).stem }

    /// The main executable, relative to the bundle's folder.
    public var executablePath: RawPath { layout.root / layout.executable(mainName) }

    /// Info.plist, relative to the bundle's folder.
    public var infoPath: RawPath { layout.root / layout.infoPlist }

    /// The seal, relative to the bundle's folder.
    public var sealPath: RawPath { layout.root / "_CodeSignature/CodeResources" }

    public var identifier: String { info["CFBundleIdentifier"]?.text ?? mainName }
}
