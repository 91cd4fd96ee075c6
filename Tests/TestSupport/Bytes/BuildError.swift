/// Why a fixture could not be built.
///
/// Builders throw instead of trapping, so that a slip in one row of a test table fails that row and not the whole run.
public struct BuildError: Error, Hashable, CustomStringConvertible {
    /// One sentence for the person who wrote the test.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
