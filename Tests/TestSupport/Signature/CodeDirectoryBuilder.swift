/// One CodeDirectory.
///
/// Properties say what a signer would decide; nil means "as Apple's signer does". ``fields`` and ``edit`` are applied
/// to the finished blob and can make it say anything.
public struct CodeDirectoryBuilder: Sendable {
    public static let magic: UInt32 = 0xFADE_0C02

    public var hash: Sha
    /// Nil: the least version that has room for what is set.
    public var version: UInt32?
    /// 0x2 is ad-hoc, 0x20000 linker-signed.
    public var flags: UInt32 = 0x2
    /// Nil takes the identifier of the surroundings.
    public var identifier: String?
    public var teamID: String?
    public var platform: UInt8 = 0
    /// 0 is one page over everything.
    public var pageSizeLog2: UInt8 = 12
    /// Nil is the end of the code. A shorter limit gets fewer slots, consistently.
    public var codeLimit: Int?

    /// Hashes of special slots by their positive number, in place of the right ones.
    public var specialSlots: [Int: [UInt8]] = [:]
    /// Slots whose hash is left zero although there is something to hash.
    public var unhashedSlots: Set<Int> = []
    /// Nil: the highest slot with a hash.
    public var specialSlotCount: Int?

    /// Nil: `__TEXT`, when the image names a platform.
    public var execSegBase: UInt64?
    public var execSegLimit: UInt64?
    /// Nil: 1 for MH_EXECUTE, and the bits that follow from the entitlements.
    public var execSegFlags: UInt64?
    public var runtimeVersion: UInt32?
    /// Adds the array of pre-encryption hashes, equal to the code slots.
    public var hasPreEncryptHashes = false
    /// Scatter entries as (count, base page, target offset); the terminator is added.
    public var scatter: [Scatter] = []
    public var linkage: Linkage?

    /// What is hashed for a code page, from its number and its right bytes.
    public var hashedPage: (@Sendable (Int, [UInt8]) -> [UInt8])?
    /// Hashes of code slots, in place of the right ones.
    public var codeSlots: [Int: [UInt8]] = [:]
    /// Fields that are written as given, without anything else following from them.
    public var fields: [CodeDirectoryField: UInt64] = [:]
    /// Edits the finished blob. It runs several times, and how it changes the size must not depend on the hashes.
    public var edit: (@Sendable (inout [UInt8]) throws -> Void)?

    /// One entry of the scatter vector.
    public struct Scatter: Hashable, Sendable {
        public var count: UInt32
        public var base: UInt32
        public var targetOffset: UInt64

        public init(count: UInt32, base: UInt32 = 0, targetOffset: UInt64 = 0) {
            self.count = count
            self.base = base
            self.targetOffset = targetOffset
        }
    }

    /// The fields of version 0x20600; the linkage data is placed after the hashes.
    public struct Linkage: Hashable, Sendable {
        public var hashType: UInt8
        public var applicationType: UInt8
        public var applicationSubType: UInt16
        public var data: [UInt8]

        public init(hashType: UInt8 = 0, applicationType: UInt8 = 0, applicationSubType: UInt16 = 0, data: [UInt8] = [])
        {
            self.hashType = hashType
            self.applicationType = applicationType
            self.applicationSubType = applicationSubType
            self.data = data
        }
    }

    public init(_ hash: Sha = .sha256) {
        self.hash = hash
    }

    /// The slot hashes by their positive number, right ones and given ones.
    private func specialHashes(_ components: [Int: [UInt8]]) -> [Int: [UInt8]] {
        components.filter { !unhashedSlots.contains($0.key) }.mapValues { hash.digest($0) }
            .merging(specialSlots) { $1 }
    }

    private func effectiveVersion(hasExecSeg: Bool) -> UInt32 {
        if let version { return version }
        if linkage != nil { return 0x20600 }
        if runtimeVersion != nil || hasPreEncryptHashes { return 0x20500 }
        if hasExecSeg { return 0x20400 }
        return teamID != nil ? 0x20200 : 0x20100
    }

    /// The blob. `components` are the bytes that special slots cover; `entitlementFlags` come from the entitlements.
    func build(
        _ image: UnsignedImage, components: [Int: [UInt8]], entitlementFlags: UInt64, in context: SignatureContext
    ) throws -> [UInt8] {
        let version = effectiveVersion(hasExecSeg: image.hasPlatform)
        let limit = codeLimit ?? image.codeLimit
        let pages = CodePages(limit: limit, pageSizeLog2: pageSizeLog2)
        let special = specialHashes(components)
        let specialCount = specialSlotCount ?? special.keys.max() ?? 0
        let hashes = codeHashes(pages, of: image)

        var blob = ByteBuilder(.big)
        blob.appendZeros(CodeDirectoryField.fixedSize(version: version))
        var values: [CodeDirectoryField: UInt64] = [
            .magic: UInt64(Self.magic), .version: UInt64(version), .flags: UInt64(flags),
            .nSpecialSlots: UInt64(specialCount), .nCodeSlots: UInt64(pages.count),
            .codeLimit: limit > 0xFFFF_FFFF ? 0 : UInt64(limit), .codeLimit64: limit > 0xFFFF_FFFF ? UInt64(limit) : 0,
            .hashSize: UInt64(hash.size), .hashType: UInt64(hash.hashType), .platform: UInt64(platform),
            .pageSize: UInt64(pageSizeLog2),
            .execSegBase: execSegBase ?? 0,
            .execSegLimit: execSegLimit ?? (image.hasPlatform ? UInt64(image.textSize) : 0),
            .execSegFlags: execSegFlags ?? ((image.isExecutable ? 1 : 0) | entitlementFlags),
            .runtime: UInt64(runtimeVersion ?? 0),
        ]
        if !scatter.isEmpty {
            values[.scatterOffset] = UInt64(blob.count)
            for entry in scatter + [Scatter(count: 0)] {
                blob.append(entry.count)
                blob.append(entry.base)
                blob.append(entry.targetOffset)
                blob.append(UInt64(0))
            }
        }
        values[.identOffset] = UInt64(blob.count)
        blob.appendCString(identifier ?? context.identifier)
        if let teamID {
            values[.teamIDOffset] = UInt64(blob.count)
            blob.appendCString(teamID)
        }
        if hasPreEncryptHashes {
            values[.preEncryptOffset] = UInt64(blob.count)
            for hash in hashes { blob.append(hash) }
        }
        for slot in stride(from: specialCount, to: 0, by: -1) {
            blob.append(special[slot] ?? [UInt8](repeating: 0, count: hash.size))
        }
        values[.hashOffset] = UInt64(blob.count)
        for hash in hashes { blob.append(hash) }
        if let linkage {
            values[.linkageHashType] = UInt64(linkage.hashType)
            values[.linkageApplicationType] = UInt64(linkage.applicationType)
            values[.linkageApplicationSubType] = UInt64(linkage.applicationSubType)
            values[.linkageOffset] = UInt64(linkage.data.isEmpty ? 0 : blob.count)
            values[.linkageSize] = UInt64(linkage.data.count)
            blob.append(linkage.data)
        }
        values[.length] = UInt64(blob.count)
        return try finish(blob.bytes, values: values, version: version)
    }

    private func codeHashes(_ pages: CodePages, of image: UnsignedImage) -> [[UInt8]] {
        (0..<pages.count).map { index in
            if let given = codeSlots[index] { return given }
            guard let code = image.code else { return [UInt8](repeating: 0, count: hash.size) }
            let page = Array(code[pages.range(index).clamped(to: 0..<code.count)])
            return hash.digest(hashedPage?(index, page) ?? page)
        }
    }

    /// Writes the fields that the version has, then the given ones, wherever they fall.
    private func finish(_ bytes: [UInt8], values: [CodeDirectoryField: UInt64], version: UInt32) throws -> [UInt8] {
        var bytes = bytes
        let fixed = CodeDirectoryField.fixedSize(version: version)
        for (field, value) in values where field.offset + field.width <= fixed {
            try field.write(value, into: &bytes, at: 0)
        }
        for (field, value) in fields { try field.write(value, into: &bytes, at: 0) }
        try edit?(&bytes)
        return bytes
    }
}

/// How a code limit falls into pages.
struct CodePages {
    let limit: Int
    let pageSizeLog2: UInt8

    var count: Int {
        if limit <= 0 { return 0 }
        return pageSizeLog2 == 0 ? 1 : ((limit - 1) >> Int(pageSizeLog2)) + 1
    }

    /// The bytes of one page; the last one is short.
    func range(_ index: Int) -> Range<Int> {
        if pageSizeLog2 == 0 { return 0..<limit }
        let start = index << Int(pageSizeLog2)
        return start..<min(limit, start + 1 << Int(pageSizeLog2))
    }
}
