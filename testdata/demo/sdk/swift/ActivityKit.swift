// The shape of ActivityKit that the demo needs. Compiled without Apple's standard library, so Codable and Hashable are
// left out; the mangled names of what is here are the real ones.

public protocol ActivityAttributes {
    associatedtype ContentState
}

public struct Activity<Attributes: ActivityAttributes> {
    init() {}

    public static func request(attributes: Attributes, contentState: Attributes.ContentState) -> Activity<Attributes> {
        return Activity<Attributes>()
    }
}
