import MachOReader

extension Finding.ID {
    static let liveActivityTypeMissing = Self("live-activity-type-missing")
    static let liveActivityIntentMissing = Self("live-activity-intent-missing")
    static let liveActivityIntentOnlyInApp = Self("live-activity-intent-only-in-app")
    static let widgetTypeMissing = Self("widget-type-missing")
    static let swiftMetadataUnreadable = Self("swift-metadata-unreadable")
}

extension Check {
    /// What the code itself says: the types of Live Activities and their intents in app and widget, and a `Widget` in
    /// each WidgetKit extension. Nothing is said of a type that may be in a part that could not be read.
    static let liveActivityTypes = Check(.liveActivityTypes) { subject in
        let structure = AppStructure(evaluations: subject.evaluations)
        let widgets = structure.widgets.map { (code: $0.code, types: SwiftTypes(of: $0, in: subject.evaluations)) }
        guard let app = structure.app, !widgets.isEmpty else { return [] }
        var findings = widgets.compactMap { widget -> Finding? in
            guard widget.types.isSwift, widget.types.obstacle == nil, widget.types[.widget].isEmpty else { return nil }
            return Finding(
                .widgetTypeMissing, .init(path: widget.code.executable ?? widget.code.path, code: widget.code.path),
                "No type of the WidgetKit extension \(widget.code.path) is a Widget.", .init(expected: "SwiftUI.Widget")
            )
        }
        let ofApp = TypeSide(code: app.code, [SwiftTypes(of: app, in: subject.evaluations)])
        let ofWidgets = TypeSide(code: widgets[0].code, widgets.map(\.types))
        let hasActivities = !ofApp[.activityAttributes].isEmpty || !ofWidgets[.activityAttributes].isEmpty
        if hasActivities {
            findings += TypeSide.missing(.activityAttributes, in: ofWidgets, of: ofApp, as: .liveActivityTypeMissing)
            findings += TypeSide.missing(.activityAttributes, in: ofApp, of: ofWidgets, as: .liveActivityTypeMissing)
        }
        findings += TypeSide.missing(.liveActivityIntent, in: ofApp, of: ofWidgets, as: .liveActivityIntentMissing)
        findings += TypeSide.missing(.liveActivityIntent, in: ofWidgets, of: ofApp, as: .liveActivityIntentOnlyInApp)
        guard hasActivities || subject.required.contains(.liveActivity) else { return findings }
        // One note for an app without any Swift: it is one reason, not two.
        let sides = ofApp.isSwift || ofWidgets.isSwift ? [ofApp, ofWidgets] : [ofApp]
        for side in sides {
            guard let obstacle = side.obstacle else { continue }
            findings.append(
                Finding(
                    .swiftMetadataUnreadable, .init(path: side.code.executable ?? side.code.path, code: side.code.path),
                    "Which types of Live Activities \(side.code.path) has cannot be told: \(obstacle)."))
        }
        return findings
    }
}

/// App, or WidgetKit extensions together: the two sides that have to have the same types.
private struct TypeSide {
    let code: CodeObject
    private let parts: [SwiftTypes]

    init(code: CodeObject, _ parts: [SwiftTypes]) {
        self.code = code
        self.parts = parts
    }

    var isSwift: Bool { parts.contains(where: \.isSwift) }

    subscript(conformed: SwiftMetadata.Conformed) -> Set<String> {
        parts.reduce(into: []) { $0.formUnion($1[conformed]) }
    }

    /// Why a type that is not among those of this side may be there all the same.
    var obstacle: String? {
        parts.lazy.compactMap(\.obstacle).first
            ?? (isSwift ? nil : "it holds no metadata of Swift")
    }

    /// A finding for each type that one side has and the other certainly has not.
    static func missing(
        _ conformed: SwiftMetadata.Conformed, in lacking: TypeSide, of having: TypeSide, as id: Finding.ID
    ) -> [Finding] {
        guard lacking.obstacle == nil else { return [] }
        return having[conformed].subtracting(lacking[conformed]).sorted().map { type in
            Finding(
                id, .init(path: lacking.code.executable ?? lacking.code.path, code: lacking.code.path),
                "\(having.code.path) has the type \(type) (\(conformed.rawValue)), \(lacking.code.path) has not.",
                .init(expected: type))
        }
    }
}

extension Catalogue {
    static let liveActivityTypes: [CatalogueRow] = [
        CatalogueRow(
            .liveActivityTypeMissing, .liveActivityTypes, severity: .warning,
            "The type of a Live Activity is in the app or in the widget only.",
            why:
                "The system pairs what the app starts with what the widget draws by the name of the ActivityAttributes "
                + "type. Where one of them lacks it, the activity starts and nothing is shown, or it cannot start.",
            fix: "Make the type's source file a member of both targets, or move it into a framework that both link."),
        CatalogueRow(
            .liveActivityIntentMissing, .liveActivityTypes, severity: .warning,
            "An intent of a Live Activity is in the widget only.",
            why: "The system runs a LiveActivityIntent in the app's process: the button does nothing.",
            fix: "Make the intent's source file a member of the app's target too."),
        CatalogueRow(
            .liveActivityIntentOnlyInApp, .liveActivityTypes, severity: .note,
            "An intent of a Live Activity is in the app only.",
            why: "No button of the widget can use it; shortcuts can.",
            fix: "If a button is to run it, make its source file a member of the widget's target too."),
        CatalogueRow(
            .widgetTypeMissing, .liveActivityTypes, severity: .warning, "A WidgetKit extension holds no Widget.",
            why: "The extension loads, and there is nothing that it could show.",
            fix: "Check that the file with the Widget (or WidgetBundle) is a member of the extension's target."),
        CatalogueRow(
            .swiftMetadataUnreadable, .liveActivityTypes, severity: .note,
            "Which types of Live Activities a program has cannot be told.",
            why:
                "The list of Swift's conformances is missing or unreadable there, so types that one side lacks go "
                + "unnoticed.",
            fix: "Nothing has to be wrong: check by hand that app and widget share the activity's types."),
    ]
}
