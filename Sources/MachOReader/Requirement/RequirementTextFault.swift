/// Why a text is no requirement, or none that can be judged here.
public struct RequirementTextFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: Reason
    /// Position in the text, in bytes.
    public var offset: Int
    /// What was met there.
    public var message: String

    public enum Reason: Hashable, Sendable {
        /// Apple's compiler refuses it (in a seal: ResourcesInvalid).
        case invalid
        /// A form whose meaning, or whose limits, Apple's published grammar does not settle.
        case undecided
    }

    init(_ reason: Reason = .invalid, at offset: Int, _ message: String) {
        (self.reason, self.offset, self.message) = (reason, offset, message)
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
