extension PropertyList {
    /// Reads a property list in either format.
    ///
    /// - Throws: ``PropertyListFault``.
    public init(parsing bytes: [UInt8], limits: Limits = .standard) throws(PropertyListFault) {
        throw .malformed("not written yet")
    }
}
