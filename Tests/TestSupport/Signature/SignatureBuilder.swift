/// An embedded signature: CodeDirectories, the blobs they cover, the CMS slot.
///
/// By default it is what Apple's signer makes of an ad-hoc signature: one SHA-256 CodeDirectory, the empty requirement
/// set, an empty CMS wrapper, and entitlements in both forms when there are any.
public struct SignatureBuilder: Sendable {
    /// What lies in slot 0x10000.
    public enum CMS: Hashable, Sendable {
        /// An empty wrapper, 8 bytes.
        case empty
        case absent
        /// A wrapper around these bytes.
        case wrapped([UInt8])
        /// These bytes as they are.
        case raw([UInt8])
        /// A message over the CodeDirectories by ``SigningIdentity/shared``.
        case signed
    }

    /// The first goes to slot 0, the others to 0x1000, 0x1001, …
    public var directories: [CodeDirectoryBuilder]
    /// The blob of slot 2; nil leaves it out.
    public var requirements: [UInt8]? = RequirementBuilder.emptySet
    /// Fills slot 5, and slot 7 when ``hasDER`` is set.
    public var entitlements: Plist?
    public var hasDER = true
    /// Whole blobs by slot, in place of or beside what the properties above make.
    public var blobs: [Int: [UInt8]] = [:]
    /// Writes slot 4, the list of all slots, as old signers did.
    public var hasTopDirectory = false
    public var cms = CMS.empty
    /// Slots that the CodeDirectories hash but that are not embedded.
    public var missingSlots: Set<Int> = []

    /// Rearranges the finished SuperBlob. It runs several times, and how it changes the size must not depend on the
    /// hashes.
    public var arrange: (@Sendable (inout SuperBlobBuilder) throws -> Void)?
    /// The signature area is a multiple of this, and at least ``minimumSize``, filled up with zeros.
    public var alignment = 16
    public var minimumSize = 0

    public init(_ hashes: [Sha] = [.sha256]) {
        directories = hashes.map { CodeDirectoryBuilder($0) }
    }

    /// What a linker makes: nothing but a CodeDirectory with flags 0x20002.
    public static func linker(identifier: String? = nil) -> SignatureBuilder {
        var signature = SignatureBuilder()
        signature.requirements = nil
        signature.cms = .absent
        signature.directories[0].flags = 0x20002
        signature.directories[0].identifier = identifier
        signature.isBare = true
        return signature
    }

    /// A signature with a certificate: no ad-hoc flag, a team, and a real CMS message.
    public static func certificate(teamID: String? = "TEAM123456", _ hashes: [Sha] = [.sha256]) -> SignatureBuilder {
        var signature = SignatureBuilder(hashes)
        signature.cms = .signed
        signature.eachDirectory { directory in
            directory.flags = 0
            directory.teamID = teamID
        }
        return signature
    }

    /// Makes the CodeDirectories leave slots −1 and −3 out, as for a file that was signed alone.
    public var isBare = false

    /// The hash types in use, ascending.
    public var hashes: [Sha] { directories.map(\.hash).sorted() }

    /// Edits every CodeDirectory alike.
    public mutating func eachDirectory(_ body: (inout CodeDirectoryBuilder) throws -> Void) rethrows {
        for index in directories.indices { try body(&directories[index]) }
    }

    /// The blobs beside CodeDirectories and CMS, by slot.
    public var coveredBlobs: [Int: [UInt8]] {
        var covered: [Int: [UInt8]] = [:]
        covered[2] = requirements
        if let entitlements {
            covered[5] = Blob.make(Blob.entitlements, entitlements.encoded())
            if hasDER { covered[7] = Blob.make(Blob.entitlementsDER, EntitlementsDER.encode(entitlements)) }
        }
        return covered.merging(blobs) { $1 }
    }

    /// The signature area for bytes that are no Mach-O image, as a signer makes it for a script.
    public func sign(_ code: [UInt8], in context: SignatureContext = SignatureContext()) throws -> [UInt8] {
        try build(UnsignedImage(code), in: context)
    }

    /// The signature area for `image`.
    func build(_ image: UnsignedImage, in context: SignatureContext) throws -> [UInt8] {
        var covered = coveredBlobs
        if hasTopDirectory { covered[4] = topDirectory(covered, in: context) }
        let directories = try directoryBlobs(image, covered, in: context)
        var entries = directories.enumerated().map { index, directory in
            SuperBlobBuilder.Entry(index == 0 ? 0 : UInt32(0x1000 + index - 1), directory.bytes)
        }
        for (slot, blob) in covered where !missingSlots.contains(slot) { entries.append(.init(UInt32(slot), blob)) }
        switch cms {
        case .empty: entries.append(.init(0x10000, Blob.make(Blob.wrapper, [])))
        case .absent: break
        case .wrapped(let bytes): entries.append(.init(0x10000, Blob.make(Blob.wrapper, bytes)))
        case .raw(let bytes): entries.append(.init(0x10000, bytes))
        case .signed:
            let message = try SigningIdentity.shared.get().sign(directories)
            entries.append(.init(0x10000, Blob.make(Blob.wrapper, message)))
        }
        var superBlob = SuperBlobBuilder(entries: entries.sorted { $0.type < $1.type })
        try arrange?(&superBlob)
        let bytes = superBlob.build()
        let size = max(minimumSize, bytes.count).roundedUp(to: alignment)
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// The wrapped list of slots: the CodeDirectory, the special slots in use, the alternates, the CMS message.
    private func topDirectory(_ covered: [Int: [UInt8]], in context: SignatureContext) -> [UInt8] {
        var used = Set(covered.keys).union([4])
        if !isBare, context.infoPlist != nil { used.insert(1) }
        if !isBare, context.codeResources != nil { used.insert(3) }
        let alternates = directories.indices.dropFirst().map { 0x1000 + $0 - 1 }
        let slots = [0] + used.filter { 1...11 ~= $0 }.sorted() + alternates + [0x10000]
        return Blob.make(Blob.wrapper, slots.flatMap { UInt32($0).bytes(.big) })
    }

    /// The CodeDirectories, in the order of their slots.
    private func directoryBlobs(
        _ image: UnsignedImage, _ covered: [Int: [UInt8]], in context: SignatureContext
    ) throws -> [(hash: Sha, bytes: [UInt8])] {
        var components = covered
        // Raw slots are hashed without their wrapper.
        for slot in [4, 6] { components[slot] = components[slot].map { Array($0.dropFirst(8)) } }
        if !isBare {
            components[1] = context.infoPlist
            components[3] = context.codeResources
        }
        let hashed = components.filter { 1...11 ~= $0.key }
        let flags = image.isExecutable ? EntitlementsDER.execSegFlags(entitlements) : 0
        return try directories.map { directory in
            let bytes = try directory.build(image, components: hashed, entitlementFlags: flags, in: context)
            return (directory.hash, bytes)
        }
    }
}
