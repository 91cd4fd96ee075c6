/// Something that the caller requires an app to have (`--require`).
public enum RequiredThing: Hashable, Sendable {
    /// An app that supports Live Activities and a WidgetKit extension to draw them.
    case liveActivity
    /// A WidgetKit extension.
    case widget
    /// An extension with this folder name (with or without `.appex`) or bundle identifier.
    case extensionNamed(String)
    /// The app itself has this bundle identifier.
    case identifier(String)

    /// Reads `live-activity`, `widget`, `extension=NAME-OR-IDENTIFIER`, `identifier=BUNDLE-ID`.
    public init?(_ text: String) {
        if text == "live-activity" {
            self = .liveActivity
        } else if text == "widget" {
            self = .widget
        } else if let name = Self.value(of: "extension=", in: text) {
            self = .extensionNamed(name)
        } else if let name = Self.value(of: "identifier=", in: text) {
            self = .identifier(name)
        } else {
            return nil
        }
    }

    private static func value(of key: String, in text: String) -> String? {
        guard text.hasPrefix(key), text.utf8.count > key.utf8.count else { return nil }
        return String(text.dropFirst(key.count))
    }

    /// Whether a finding of the ordinary checks says that this thing is missing or would not work.
    func isMissed(by id: Finding.ID) -> Bool {
        switch self {
        case .liveActivity:
            [
                .liveActivityKeyInExtension, .liveActivityKeyMissing, .liveActivityKeyNotBoolean,
                .liveActivityWidgetMissing, .liveActivityTypeMissing, .liveActivityIntentMissing, .widgetTypeMissing,
                .extensionMisplaced,
            ].contains(id)
        case .widget: [.widgetTypeMissing, .extensionMisplaced].contains(id)
        case .extensionNamed: id == .extensionMisplaced
        case .identifier: false
        }
    }

    /// What a build cannot show of the thing, and how to ask a device: for after everything was found right.
    var beyondTheBuild: [String] {
        guard self == .liveActivity else { return [] }
        return [
            "The build has what a Live Activity needs. Whether one appears only the device can say:",
            "Settings > the app > Live Activities must be on (ActivityAuthorizationInfo().areActivitiesEnabled tells the app).",
            "Activity.request throws when it is refused: log its error in a category of the app's own and read it in Console.",
            "Phones without a Dynamic Island show the activity on the lock screen: look there too.",
        ]
    }

    /// What is required and not there.
    static func findings(_ required: [RequiredThing], _ subject: Check.Subject) -> [Finding] {
        let structure = AppStructure(evaluations: subject.evaluations)
        let root = subject.facts.root
        let about = Finding.Subject(path: root, code: root)
        return Set(required).compactMap { thing in
            switch thing {
            case .liveActivity: return nil
            case .widget:
                guard structure.widgets.isEmpty else { return nil }
                return Finding(.requiredWidgetMissing, about, "\(root) has no WidgetKit extension.")
            case .extensionNamed(let name):
                let isThere = structure.extensions.contains { evaluation in
                    let folder = evaluation.code.path.lastComponent
                    return folder.elementsEqual(name.utf8) || folder.elementsEqual("\(name).appex".utf8)
                        || evaluation.code.bundleIdentifier == ByteString(name)
                }
                return isThere ? nil : Finding(.requiredExtensionMissing, about, "\(root) has no extension “\(name)”.")
            case .identifier(let name):
                let actual = structure.evaluations.first?.code.bundleIdentifier
                guard actual != ByteString(name) else { return nil }
                return Finding(
                    .requiredIdentifierDiffers, about,
                    "\(root) is called “\(actual?.lossyText ?? "nothing")”, where “\(name)” is required.",
                    .init(expected: name, actual: actual?.lossyText))
            }
        }
    }
}

extension Finding.ID {
    static let requiredWidgetMissing = Self("required-widget-missing")
    static let requiredExtensionMissing = Self("required-extension-missing")
    static let requiredIdentifierDiffers = Self("required-identifier-differs")
}

extension Catalogue {
    static let required: [CatalogueRow] = [
        CatalogueRow(
            .requiredWidgetMissing, .required, "A required widget is not in the app.",
            why: "It was asked for with --require widget. A packaging step lost the extension, as a rule.",
            fix: "Embed the WidgetKit extension in PlugIns, then sign from the inside out."),
        CatalogueRow(
            .requiredExtensionMissing, .required, "A required extension is not in the app.",
            why: "It was asked for with --require extension=…. A packaging step lost it, as a rule.",
            fix: "Embed the extension in PlugIns (or Extensions), then sign from the inside out."),
        CatalogueRow(
            .requiredIdentifierDiffers, .required, "The app does not have the required identifier.",
            why: "It was asked for with --require identifier=….",
            fix: "Build, or rewrite, the app with that identifier."),
    ]
}
