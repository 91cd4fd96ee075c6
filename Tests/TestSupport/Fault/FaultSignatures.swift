/// Faults that put another signature in place of the right one.
extension Fault {
    /// The object as it would be had nobody signed it.
    static func neverSign(_ tree: inout FileTree, _ place: CodePlace) throws {
        try tree.edit(place.executable) { file in try SignedCode.edit(&file) { try $0.strip() } }
        if let seal = place.seal, tree.contains(seal.parent) { try tree.remove(seal.parent) }
    }

    /// The object's executable built anew with a signature that covers no files, and without a seal beside it.
    static func signAlone(
        _ tree: inout FileTree, _ place: CodePlace, _ item: BundleBuilder.Nested,
        _ body: (inout SignatureBuilder) -> Void
    ) throws {
        guard case .bundle(let bundle) = item, var code = bundle.executable, let seal = place.seal else {
            throw BuildError("\(place) is no bundle with code")
        }
        code.eachSignature(body)
        let bytes = try code.build(in: SignatureContext(identifier: bundle.identifier))
        tree.add(place.executable, bytes, mode: code.mode)
        try tree.remove(seal.parent)
    }

    /// The object at `path` as another run of a signer leaves it: right, but with other bytes.
    static func resigned(_ bundle: BundleBuilder, at path: RawPath) throws -> FileTree {
        var bundle = bundle
        try bundle.updateCode(path) { code in
            code.eachSignature { signature in
                signature.eachDirectory { $0.pageSizeLog2 = 14 }
            }
        }
        try? bundle.update(path) { $0.files.add("resigned.txt", text: "signed again\n") }
        return try bundle.sealedItem(at: path)
    }
}

extension SignedImage {
    /// The CodeDirectory in that slot.
    public func directory(_ type: UInt32) throws -> Directory {
        guard let directory = try directories().first(where: { $0.type == type }) else {
            throw BuildError("the signature has no CodeDirectory in slot \(type)")
        }
        return directory
    }

    /// Makes the hash of the last page that of the page filled up with zeros.
    mutating func padLastPage() throws {
        for directory in try directories() {
            let pages = CodePages(
                limit: try directory.field(.codeLimit), pageSizeLog2: UInt8(try directory.field(.pageSize)))
            let last = pages.count - 1
            let page = Array(bytes[pages.range(last)])
            let padded = page + [UInt8](repeating: 0, count: (1 << Int(pages.pageSizeLog2)) - page.count)
            try bytes.overwrite(
                at: codeSlotRange(last, of: directory).lowerBound, with: directory.hash.digest(padded))
        }
    }
}

extension MachOBuilder {
    /// A builder with the byte order and word size of a finished image.
    init(like image: SignedImage) {
        cpu.endian = image.endian
        cpu.is64Bit = image.is64Bit
    }
}
