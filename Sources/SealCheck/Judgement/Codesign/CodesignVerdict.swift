/// What `codesign --verify --deep --strict` would say (spec 6.1): the first error that it meets, with what hides what.
public struct CodesignVerdict: Hashable, Sendable {
    /// Nil where the spec cannot tell ([GAP]) or something could not be read.
    public var isValid: Bool?
    public var failure: Failure?
    /// The section of the spec that leaves the answer, or the error of an answer that is no, open. Nil where nothing is
    /// open, or where something could not be read.
    public var gap: String?
    /// What `codesign --verify --verbose` adds for valid code; nil where nobody can tell, and for code that is not valid.
    public var satisfiesDesignatedRequirement: Bool?

    public struct Failure: Error, Hashable, Sendable {
        public var error: AppleError
        /// Architecture that Apple's tool names, where it names one.
        public var architecture: String?
        /// Path of the nested code that failed, relative to nothing: as in the tree.
        public var subcomponent: BundlePath?

        init(_ error: AppleError, architecture: String? = nil, subcomponent: BundlePath? = nil) {
            self.error = error
            self.architecture = architecture
            self.subcomponent = subcomponent
        }
    }

    init(failure: Failure?) {
        isValid = failure == nil
        self.failure = failure
    }

    /// An answer that could not be found, or is not published.
    ///
    /// - Parameter isValid: false where only the error is open.
    init(unknown gap: String?, isValid: Bool? = nil) {
        self.isValid = isValid
        self.gap = gap
    }
}
