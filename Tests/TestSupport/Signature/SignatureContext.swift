/// What a signature covers beside the image it lies in.
public struct SignatureContext: Hashable, Sendable {
    /// The identifier for CodeDirectories that name none.
    public var identifier: String
    /// The bytes of Info.plist, for slot −1.
    public var infoPlist: [UInt8]?
    /// The bytes of `_CodeSignature/CodeResources`, for slot −3.
    public var codeResources: [UInt8]?

    public init(identifier: String = "com.example.code", infoPlist: [UInt8]? = nil, codeResources: [UInt8]? = nil) {
        self.identifier = identifier
        self.infoPlist = infoPlist
        self.codeResources = codeResources
    }
}

/// What a signature has to know of the image it is made for.
struct UnsignedImage {
    /// The bytes to be hashed; nil while only the size of the signature is wanted.
    let code: [UInt8]?
    let codeLimit: Int
    let textSize: Int
    /// Whether it is MH_EXECUTE, which a signer takes for a main binary.
    let isExecutable: Bool
    let hasPlatform: Bool

    /// Bytes that are no Mach-O image.
    init(_ code: [UInt8]) {
        self.code = code
        codeLimit = code.count
        textSize = 0
        isExecutable = false
        hasPlatform = false
    }

    init(_ layout: MachOLayout, code: [UInt8]?) {
        self.code = code
        codeLimit = layout.codeLimit
        textSize = layout.textSize
        isExecutable = layout.builder.kind == .execute
        hasPlatform = layout.builder.target != nil
    }
}
