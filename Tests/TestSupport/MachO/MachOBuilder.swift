/// A thin Mach-O image: header, load commands, `__TEXT`, `__LINKEDIT`, and a signature at the end of it.
///
/// The defaults make an arm64 main executable for iOS 16.1 with eight pages of 4 KiB in `__TEXT`, two symbols, and an
/// ad-hoc signature. Everything is a value; whatever the properties cannot say is said by one of the three edits, at
/// the moment its name gives: ``arrangeCommands``, ``beforeHashing``, ``afterSigning``.
public struct MachOBuilder: Sendable {
    /// An edit of the bytes of the image at some moment of its making.
    public typealias Edit = @Sendable (inout [UInt8]) throws -> Void

    public var cpu = CPU.arm64
    public var kind = Kind.execute
    /// The `flags` field of the header: NOUNDEFS, DYLDLINK, TWOLEVEL, PIE.
    public var flags: UInt32 = 0x0020_0085
    public var header = HeaderOverrides()
    /// Nil leaves the image without a platform; a signer then writes no exec segment into the CodeDirectory.
    public var target: Target? = .iOS
    /// Nil leaves LC_UUID out.
    public var uuid: [UInt8]? = Array(0x10...0x1F)

    /// The size of `__TEXT` in the file; the header is part of it.
    public var textSize = 0x8000
    /// Which code bytes fill it. Images of one bundle get different ones.
    public var seed: UInt64 = 1
    /// Bytes left free between the load commands and the first section.
    public var headerRoom = 256
    public var sections: [Section] = []

    public var dylibs: [Dylib] = ["/usr/lib/libSystem.B.dylib"]
    public var rpaths: [String] = []
    /// The name in LC_ID_DYLIB; nil leaves the command out.
    public var installName: String?
    public var encryption: Encryption?
    /// Further commands, written before LC_CODE_SIGNATURE.
    public var commands: [LoadCommandBytes] = []

    public var symbols = ["__mh_execute_header", "_main"]
    public var importedSymbols: [String] = []
    /// Bytes in `__LINKEDIT` before the symbol table.
    public var linkeditData: [UInt8] = []
    /// Bytes in `__LINKEDIT` after the string table, where nothing should be.
    public var linkeditTail: [UInt8] = []
    public var hasLinkedit = true
    public var hasSymbolTable = true

    /// Nil leaves the image unsigned, without LC_CODE_SIGNATURE.
    public var signature: SignatureBuilder? = SignatureBuilder()
    public var signatureAlignment = 16
    /// Bytes by which the signature stands off its aligned place.
    public var signatureOffset = 0
    /// Whether `__LINKEDIT` reaches to the end of the signature, as it must.
    public var linkeditCoversSignature = true
    /// Bytes after the signature, outside everything.
    public var trailing: [UInt8] = []

    /// Reorders, adds or drops load commands just before they are written. It runs several times and must not depend
    /// on anything but the list.
    public var arrangeCommands: (@Sendable (inout [LoadCommandBytes]) throws -> Void)?
    /// Edits everything up to the signature, before its pages are hashed.
    public var beforeHashing: Edit?
    /// Edits the finished image.
    public var afterSigning: Edit?

    public init() {}

    /// A main executable.
    public static func executable(seed: UInt64 = 1) -> MachOBuilder {
        var image = MachOBuilder()
        image.seed = seed
        return image
    }

    /// A dynamic library of that install name.
    public static func dylib(_ installName: String, seed: UInt64 = 1) -> MachOBuilder {
        var image = MachOBuilder()
        image.kind = .dylib
        image.flags = 0x0010_0085
        image.installName = installName
        image.seed = seed
        image.symbols = ["_answer"]
        return image
    }

    /// A loadable bundle (`MH_BUNDLE`), as a test bundle or a plug-in has.
    public static func loadable(seed: UInt64 = 1) -> MachOBuilder {
        var image = MachOBuilder()
        image.kind = .bundle
        image.flags = 0x85
        image.seed = seed
        image.symbols = ["_answer"]
        return image
    }

    /// The image as bytes, signed when it has a ``signature``.
    public func build(in context: SignatureContext = SignatureContext()) throws -> [UInt8] {
        let layout = try MachOLayout(self)
        guard let signature else {
            var image = try layout.image(signatureSize: nil)
            try beforeHashing?(&image)
            try afterSigning?(&image)
            return image + trailing
        }
        let draft = try signature.build(UnsignedImage(layout, code: nil), in: context)
        var image = try layout.image(signatureSize: draft.count)
        try beforeHashing?(&image)
        image += try signature.build(UnsignedImage(layout, code: image), in: context)
        try afterSigning?(&image)
        return image + trailing
    }
}
