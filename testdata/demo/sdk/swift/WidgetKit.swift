// The shape of WidgetKit that the demo needs.

import ActivityKit
import SwiftUI

public struct ActivityViewContext<Attributes: ActivityAttributes> {
    init() {}
}

public struct ActivityConfiguration<Attributes: ActivityAttributes>: WidgetConfiguration {
    public init<Content: View>(
        for attributesType: Attributes.Type,
        content: @escaping (ActivityViewContext<Attributes>) -> Content
    ) {}

    public var body: Text { return Text() }
}
