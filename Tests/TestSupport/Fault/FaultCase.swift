/// A fault, the object it is put into, and what is sealed around it afterwards: one row of a table of tests.
public struct FaultCase: Hashable, Sendable, CustomStringConvertible {
    public var fault: Fault
    public var path: RawPath
    public var rebuild: BundleBuilder.Rebuild

    public init(_ fault: Fault, at path: RawPath = .root, rebuilding rebuild: BundleBuilder.Rebuild = .all) {
        self.fault = fault
        self.path = path
        self.rebuild = rebuild
    }

    public var description: String {
        "\(fault.rawValue) at \(path.isRoot ? "the top" : path.text)" + (path.isRoot ? "" : ", \(rebuild)")
    }

    /// `demo` with the fault in it.
    public func build(from demo: BundleBuilder) throws -> SealedBundle {
        var bundle = demo
        try fault.put(into: &bundle, at: path, rebuilding: rebuild)
        return try bundle.sealed()
    }

    /// Every fault at every object of `demo` where it makes sense, each with fresh and with stale seals around it.
    public static func all(in demo: BundleBuilder) -> [FaultCase] {
        demo.places.flatMap { place in
            Fault.allCases.filter { $0.applies(to: place, in: demo) }.flatMap { fault in
                fault.rebuilds(at: place).map { FaultCase(fault, at: place.path, rebuilding: $0) }
            }
        }
    }
}
