/// A file of code: one image, or several in a universal file.
public struct CodeFile: Sendable {
    public var slices: [MachOBuilder]
    public var mode: UInt16 = 0o755
    /// Nil takes the identifier of the surroundings.
    public var identifier: String?
    /// Changes the universal file before it is written; a thin one has none.
    public var arrangeSlices: (@Sendable (inout UniversalBuilder) throws -> Void)?
    /// Writes a universal file although there is only one slice.
    public var isUniversal = false
    /// Edits of the finished file, for code that is no bundle's main executable. The file stands at the root of the
    /// tree that an edit gets.
    public var edits: [BundleBuilder.StagedEdit] = []

    public init(_ slices: [MachOBuilder]) {
        self.slices = slices
    }

    public init(_ image: MachOBuilder) {
        self.init([image])
    }

    /// Edits every slice alike.
    public mutating func eachSlice(_ body: (inout MachOBuilder) throws -> Void) rethrows {
        for index in slices.indices { try body(&slices[index]) }
    }

    /// Edits the signature of every signed slice alike.
    public mutating func eachSignature(_ body: (inout SignatureBuilder) throws -> Void) rethrows {
        try eachSlice { slice in
            guard var signature = slice.signature else { return }
            try body(&signature)
            slice.signature = signature
        }
    }

    /// Makes it a universal file with one slice for each of `cpus`, all like the first slice.
    public mutating func makeUniversal(_ cpus: [CPU]) {
        guard let first = slices.first else { return }
        slices = cpus.enumerated().map { index, cpu in
            var slice = first
            slice.cpu = cpu
            slice.seed = first.seed &+ UInt64(index) &* 1000
            return slice
        }
    }

    /// The digests that its signatures use.
    public var hashes: [Sha] { Set(slices.flatMap { $0.signature?.hashes ?? [] }).sorted() }

    public func build(in context: SignatureContext = SignatureContext()) throws -> [UInt8] {
        var context = context
        if let identifier { context.identifier = identifier }
        let images = try slices.map { UniversalBuilder.Slice($0.cpu, try $0.build(in: context)) }
        if images.count == 1, !isUniversal, let image = images.first { return image.image }
        var file = UniversalBuilder(images)
        try arrangeSlices?(&file)
        return file.build()
    }
}
