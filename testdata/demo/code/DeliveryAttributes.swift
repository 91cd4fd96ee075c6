// Compiled into the app and into its widget, as ActivityKit asks: the two find each other by this type's name.

import ActivityKit

struct DeliveryAttributes: ActivityAttributes {
    struct ContentState {
        var minutesLeft: Builtin.Int64
    }

    var order: Builtin.Int64
}
