// The app: one window, and a function that starts the Live Activity.

import ActivityKit
import SwiftUI

@_silgen_name("DemoGroupChecksum")
func groupChecksum() -> Builtin.Int32

public func startDelivery(order: Builtin.Int64, minutesLeft: Builtin.Int64) -> Builtin.Int32 {
    let _ = Activity<DeliveryAttributes>.request(
        attributes: DeliveryAttributes(order: order),
        contentState: DeliveryAttributes.ContentState(minutesLeft: minutesLeft))
    return groupChecksum()
}

struct ContentView: View {
    var body: some View { return Text() }
}

@main
struct DemoApp: App {
    var body: some Scene {
        return WindowGroup { return ContentView() }
    }
}
