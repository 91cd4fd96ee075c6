import MachOReader

extension SignatureMessage {
    /// Apple's attribute with a property list of cdhashes, one for each CodeDirectory.
    private static let cdhashList = "1.2.840.113635.100.9.1"
    /// Apple's attribute with one pair of digest algorithm and whole digest for each CodeDirectory.
    private static let digestList = "1.2.840.113635.100.9.2"

    /// Checks a message against the CodeDirectories beside it.
    ///
    /// - Parameters:
    ///   - bytes: the message, without its wrapper.
    ///   - directories: the CodeDirectories, that of slot 0 first, with their whole digests.
    init(
        checking bytes: ArraySlice<UInt8>, over directories: [(facts: CodeDirectoryFacts, digest: Digest?)],
        limits: Limits
    ) {
        guard let reader = SignatureMessageReader(bytes), let content = directories.first?.facts.directory.value?.blob
        else {
            fault = .undecodable
            return
        }
        if let reason = reader.fault(over: content.slice) {
            fault = .unverified(reason)
            return
        }
        chain = reader.chain()
        let cdhashes = reader.signedAttribute(Self.cdhashList)?.first.flatMap { Self.cdhashes($0, limits) }
        let digests = reader.signedAttribute(Self.digestList).map(Self.digests)
        for (facts, digest) in directories {
            guard let type = facts.directory.value?.hashType, type.isViable, let digest else { continue }
            bindings[facts.slot] = Self.binding(
                type, digest, isContent: facts.slot == .codeDirectory, cdhashes: cdhashes, digests: digests)
        }
    }

    private static func binding(
        _ type: HashType, _ digest: Digest, isContent: Bool, cdhashes: [[UInt8]]?,
        digests: [DigestAlgorithm: [[UInt8]]]?
    ) -> Binding {
        if let algorithm = type.algorithm, let recorded = digests?[algorithm] {
            guard recorded.contains(digest.bytes) else { return .differs }
        } else if let cdhashes {
            guard cdhashes.contains(digest.prefix(20).bytes) else { return .differs }
        } else if !isContent {
            return .unmentioned
        }
        return .signed
    }

    /// The hashes of the property list in ``cdhashList``; nil when it is none.
    private static func cdhashes(_ bytes: [UInt8], _ limits: Limits) -> [[UInt8]]? {
        guard let list = try? PropertyList(parsing: bytes, limits: limits), let array = list["cdhashes"]?.array else {
            return nil
        }
        return array.compactMap(\.data)
    }

    /// The pairs of ``digestList``: SEQUENCE { OBJECT IDENTIFIER, OCTET STRING } each.
    private static func digests(_ values: [[UInt8]]) -> [DigestAlgorithm: [[UInt8]]] {
        var found: [DigestAlgorithm: [[UInt8]]] = [:]
        for value in values {
            var whole = value[...]
            guard let pair = try? DERElement.next(&whole), pair.identifier == 0x30 else { continue }
            var rest = pair.contents
            guard let name = try? DERElement.next(&rest), name.identifier == 0x06,
                let digest = try? DERElement.next(&rest), digest.identifier == 0x04,
                let algorithm = DigestAlgorithm(objectIdentifier: name.contents)
            else { continue }
            found[algorithm, default: []].append(Array(digest.contents))
        }
        return found
    }
}

extension DigestAlgorithm {
    /// The algorithm that the contents of an ASN.1 object identifier name, of those that CodeDirectories use.
    fileprivate init?(objectIdentifier: ArraySlice<UInt8>) {
        let sha2: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
        if objectIdentifier.elementsEqual([0x2B, 0x0E, 0x03, 0x02, 0x1A]) {
            self = .sha1
        } else if objectIdentifier.elementsEqual(sha2 + [0x01]) {
            self = .sha256
        } else if objectIdentifier.elementsEqual(sha2 + [0x02]) {
            self = .sha384
        } else {
            return nil
        }
    }
}
