// The widget extension: what the system draws for the Live Activity.

import SwiftUI
import WidgetKit

struct DeliveryView: View {
    var body: some View { return Text() }
}

@main
struct DemoWidget: Widget {
    var body: some WidgetConfiguration {
        return ActivityConfiguration(for: DeliveryAttributes.self) { context in DeliveryView() }
    }
}
