// The shape of SwiftUI that the demo needs.

// The compiler wants these four from the standard library, which is absent here.
precedencegroup AssignmentPrecedence { assignment: true }
precedencegroup DefaultPrecedence {}
precedencegroup TernaryPrecedence {}
precedencegroup CastingPrecedence {}

public protocol View {
    associatedtype Body
    var body: Body { get }
}

public struct Text: View {
    public init() {}
    public var body: Text { return self }
}

public protocol Scene {
    associatedtype Body
    var body: Body { get }
}

public struct WindowGroup<Content: View>: Scene {
    public init(content: () -> Content) {}
    public var body: Text { return Text() }
}

public protocol App {
    associatedtype Body: Scene
    init()
    var body: Body { get }
}

extension App {
    public static func main() {}
}

public protocol WidgetConfiguration {
    associatedtype Body
    var body: Body { get }
}

public protocol Widget {
    associatedtype Body: WidgetConfiguration
    init()
    var body: Body { get }
}

extension Widget {
    public static func main() {}
}
