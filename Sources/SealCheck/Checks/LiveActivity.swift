extension Finding.ID {
    static let liveActivityKeyInExtension = Self("live-activity-key-in-extension")
    static let liveActivityKeyMissing = Self("live-activity-key-missing")
    static let liveActivityKeyNotBoolean = Self("live-activity-key-not-boolean")
    static let liveActivityWidgetMissing = Self("live-activity-widget-missing")
}

extension Check {
    /// What a Live Activity needs: the key in the app, a WidgetKit extension to draw it. Only an app that one side
    /// promises something is looked at; `--require live-activity` makes errors of these, and misses the key as well.
    static let liveActivity = Check(.liveActivity) { subject in
        let structure = AppStructure(evaluations: subject.evaluations)
        guard let app = structure.app?.code, app.infoPlist?.dictionary != nil else { return [] }
        let key: ByteString = "NSSupportsLiveActivities"
        let about = Finding.Subject(path: app.infoPlist?.path ?? app.path, code: app.path)
        let value = app.infoPlist?.dictionary?[key]
        var findings: [Finding] = []
        if app.supportsLiveActivities {
            if structure.widgets.isEmpty {
                findings.append(
                    Finding(
                        .liveActivityWidgetMissing, about,
                        "The app \(app.path) supports Live Activities, but has no WidgetKit extension to draw them."))
            }
        } else if let value, value.boolean == nil {
            findings.append(
                Finding(
                    .liveActivityKeyNotBoolean, about, "\(key) of \(app.path) is \(value.kindName), not a boolean.",
                    .init(expected: "true", actual: value.string?.lossyText ?? value.kindName)))
        } else if let holder = structure.extensions.first(where: { $0.code.supportsLiveActivities })?.code {
            findings.append(
                Finding(
                    .liveActivityKeyInExtension, about,
                    "\(key) is set in the extension \(holder.path), where it has no effect, and not in the app \(app.path)."
                ))
        } else if subject.required.contains(.liveActivity) {
            findings.append(
                Finding(.liveActivityKeyMissing, about, "\(key) is not set in the Info.plist of the app \(app.path)."))
        }
        if !app.supportsLiveActivities, structure.widgets.isEmpty, subject.required.contains(.liveActivity) {
            findings.append(
                Finding(
                    .liveActivityWidgetMissing, about,
                    "The app \(app.path) has no WidgetKit extension to draw Live Activities."))
        }
        return findings
    }
}

extension Catalogue {
    static let liveActivity: [CatalogueRow] = [
        CatalogueRow(
            .liveActivityKeyInExtension, .liveActivity, severity: .warning,
            "The key for Live Activities is in the extension instead of the app.",
            why: "It counts in the app's Info.plist only: starting an activity fails.",
            fix: "Set NSSupportsLiveActivities to true in the app's Info.plist, then sign from the inside out."),
        CatalogueRow(
            .liveActivityKeyMissing, .liveActivity, severity: .warning,
            "The app does not say that it supports Live Activities.",
            why: "Without the key starting an activity fails.",
            fix: "Set NSSupportsLiveActivities to true in the app's Info.plist, then sign from the inside out."),
        CatalogueRow(
            .liveActivityKeyNotBoolean, .liveActivity, severity: .warning,
            "The key for Live Activities is not a boolean.",
            why: "Text such as “YES” is not true to the system.",
            fix:
                "Set NSSupportsLiveActivities to the boolean true in the app's Info.plist, then sign from the inside out."
        ),
        CatalogueRow(
            .liveActivityWidgetMissing, .liveActivity, severity: .warning,
            "The app promises Live Activities, but nothing draws them.",
            why:
                "The activity starts, and island and lock screen stay empty. A packaging step lost the extension, as a rule.",
            fix: "Embed the WidgetKit extension in PlugIns, then sign from the inside out."),
    ]
}
