/// An error of Apple's verifier, by the name and number that `codesign` users know (spec 7; CSCommon.h).
public struct AppleError: Error, Hashable, Sendable {
    public var name: String
    public var code: Int32
    /// What it means, in a few of our own words.
    public var message: String

    private init(_ name: String, _ code: Int32, _ message: String) {
        self.name = name
        self.code = code
        self.message = message
    }

    public static let staticCodeNotFound = Self("errSecCSStaticCodeNotFound", -67068, "there is nothing at this path")
    public static let unsigned = Self("errSecCSUnsigned", -67062, "code object is not signed at all")
    public static let signatureFailed = Self(
        "errSecCSSignatureFailed", -67061, "invalid signature (code or signature have been modified)")
    public static let signatureNotVerifiable = Self(
        "errSecCSSignatureNotVerifiable", -67060, "a part of the code cannot be read")
    public static let signatureUnsupported = Self(
        "errSecCSSignatureUnsupported", -67059, "the signature is of an unsupported version or type")
    public static let badDictionaryFormat = Self(
        "errSecCSBadDictionaryFormat", -67058, "a property list is malformed")
    public static let resourcesNotFound = Self(
        "errSecCSResourcesNotFound", -67056, "code has no resources but signature indicates they must be present")
    public static let resourcesInvalid = Self(
        "errSecCSResourcesInvalid", -67055, "the sealed resource directory is invalid")
    public static let badResource = Self("errSecCSBadResource", -67054, "a sealed resource is missing or invalid")
    public static let resourceRulesInvalid = Self(
        "errSecCSResourceRulesInvalid", -67053, "the resource rules are invalid")
    public static let requirementInvalid = Self("errSecCSReqInvalid", -67052, "the requirement is corrupt")
    public static let requirementUnsupported = Self(
        "errSecCSReqUnsupported", -67051, "the requirement is of an unknown kind")
    public static let requirementFailed = Self("errSecCSReqFailed", -67050, "code failed to satisfy a requirement")
    public static let badObjectFormat = Self("errSecCSBadObjectFormat", -67049, "object file format is unsuitable")
    public static let unimplemented = Self("errSecCSUnimplemented", -67072, "the feature is not implemented")
    public static let signatureInvalid = Self("errSecCSSignatureInvalid", -67045, "the signature's format is invalid")
    public static let infoPlistFailed = Self(
        "errSecCSInfoPlistFailed", -67030, "Info.plist is altered or missing")
    public static let badBundleFormat = Self("errSecCSBadBundleFormat", -67028, "bundle format is unrecognized")
    public static let resourceDirectoryFailed = Self(
        "errSecCSResourceDirectoryFailed", -67023, "the resource seal is altered or missing")
    public static let badNestedCode = Self(
        "errSecCSBadNestedCode", -67021, "nested code does not satisfy what its seal asks of it")
    public static let resourceNotSupported = Self(
        "errSecCSResourceNotSupported", -67016, "the bundle holds a file of an unsupported type")
    public static let regularFile = Self(
        "errSecCSRegularFile", -67015, "the main executable or Info.plist must be a regular file")
    public static let unsealedAppRoot = Self(
        "errSecCSUnsealedAppRoot", -67014, "unsealed contents present in the bundle root")
    public static let weakResourceRules = Self(
        "errSecCSWeakResourceRules", -67013, "resource envelope is obsolete (custom omit rules)")
    public static let dsStoreSymlink = Self("errSecCSDSStoreSymlink", -67012, ".DS_Store is a symbolic link")
    public static let ambiguousBundleFormat = Self(
        "errSecCSAmbiguousBundleFormat", -67011, "bundle format is ambiguous (could be app or framework)")
    public static let badMainExecutable = Self(
        "errSecCSBadMainExecutable", -67010, "main executable failed strict validation")
    public static let badFrameworkVersion = Self(
        "errSecCSBadFrameworkVersion", -67009, "another version of a framework inside is not valid")
    public static let unsealedFrameworkRoot = Self(
        "errSecCSUnsealedFrameworkRoot", -67008, "something unsealed lies in the root of a framework")
    public static let weakResourceEnvelope = Self(
        "errSecCSWeakResourceEnvelope", -67007, "resource envelope is obsolete (version 1 signature)")
    public static let invalidSymlink = Self(
        "errSecCSInvalidSymlink", -67003, "a symbolic link leads where it must not")
    public static let notAppLike = Self(
        "errSecCSNotAppLike", -67002, "the code is valid but does not seem to be an app")
    public static let unsupportedDigestAlgorithm = Self(
        "errSecCSUnsupportedDigestAlgorithm", -67000, "no digest of the signature is supported")
    public static let invalidAssociatedFileData = Self(
        "errSecCSInvalidAssociatedFileData", -66999, "a resource fork or Finder information is attached to a file")
    public static let unknownFormat = Self("errSecUnknownFormat", -25257, "the signature message cannot be decoded")
    public static let internalError = Self("errSecInternalError", -67671, "internal error")

    /// A Unix error, as Apple reports it: 100000 + errno.
    public static func unix(_ name: String, _ errno: Int32) -> Self {
        Self(name, 100_000 + errno, "a system error occurred: \(name)")
    }
    /// The number is Darwin's.
    public static let linkLoop = Self.unix("ELOOP", 62)
    /// What a malformed Mach-O ends in; the number is Darwin's.
    public static let notExecutable = Self.unix("ENOEXEC", 8)
    public static let noSuchFile = Self.unix("ENOENT", 2)
    public static let isDirectory = Self.unix("EISDIR", 21)
}
