// Conformances in every form in which the compiler names a type. What must be found is listed in metadata-facts.json.

import ActivityKit
import AppIntents
import Kitchen
import SwiftUI
import WidgetKit

public struct DeliveryAttributes: ActivityAttributes { public struct ContentState {} }

// Nested: the name goes through its parents.
public enum Order {
    public struct Attributes: ActivityAttributes { public struct ContentState {} }
    public enum Late {
        public final class Attributes: ActivityAttributes { public struct ContentState {} }
    }
}

// In an anonymous context, which is no part of the name.
private struct HiddenAttributes: ActivityAttributes { struct ContentState {} }

public func startHidden() {
    let _ = Activity<HiddenAttributes>.request(
        attributes: HiddenAttributes(), contentState: HiddenAttributes.ContentState())
}

// Generic: one conformance for all its specialisations.
public struct Wrapped<Value>: ActivityAttributes { public struct ContentState {} }

// Added from outside to a type of another image: named by a symbol.
extension Meal: ActivityAttributes { public struct ContentState {} }

// In an extension of a type of another image.
extension Plate {
    public struct Attributes: ActivityAttributes { public struct ContentState {} }
}

public struct PauseIntent: LiveActivityIntent {}
public struct OpenIntent: AppIntent {}

public struct ShopView: View {
    public var body: some View { return Text() }
}

public struct ShopWidget: Widget {
    public init() {}

    public var body: some WidgetConfiguration {
        return ActivityConfiguration(for: DeliveryAttributes.self) { context in ShopView() }
    }
}

// A protocol of this image's own, to be passed over.
public protocol Priced {}
extension DeliveryAttributes: Priced {}
extension Order: Priced {}
