extension Policy {
    /// A policy that allows what a report found, each with an empty reason to be filled in: the way to bring an old
    /// project in on day one. Notes need no allowance.
    public init(baselineOf reports: [Report]) {
        self.init()
        var entries: Set<Entry> = []
        for report in reports {
            let top = report.root?.parent ?? .root
            for judged in report.findings where judged.severity > .note && judged.allowed == nil {
                let path = judged.finding.subject.path
                let text = (path.relative(to: top) ?? path).lossyText
                entries.insert(Entry(finding: judged.finding.id, path: Self.quoted(text), reason: ""))
            }
        }
        allow = entries.sorted { ($0.finding, $0.path ?? "") < ($1.finding, $1.path ?? "") }
    }

    /// A glob that matches exactly this text.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in text {
            if "*?[\\".contains(character) { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted
    }

    /// The policy as it is written to a file.
    public var json: JSONValue {
        func severities(_ profile: Profile) -> JSONValue {
            .object((self.severities[profile] ?? [:]).map { .init($0.key.rawValue, .string($0.value.rawValue)) })
        }
        return [
            "schema": .string(Self.schema),
            "require": JSONValue(required.map(\.text)),
            "severities": .object(self.severities.keys.map { .init($0.rawValue, severities($0)) }),
            "allow": .array(
                allow.map { entry in
                    var members: [JSONValue.Member] = [.init("finding", .string(entry.finding.rawValue))]
                    if let path = entry.path { members.append(.init("path", .string(path))) }
                    members.append(.init("reason", .string(entry.reason)))
                    if let expires = entry.expires { members.append(.init("expires", .string(expires.description))) }
                    return .object(members)
                }),
        ]
    }

    /// Every severity as it is without a policy: a start for one's own.
    public static var standard: Policy {
        var policy = Policy()
        for profile in [Profile.adhoc, .integrity] {
            policy.severities[profile] = Dictionary(
                Catalogue.rows.map { ($0.id, $0.severity(profile)) }, uniquingKeysWith: { first, _ in first })
        }
        return policy
    }
}

extension RequiredThing {
    /// The words that ask for it.
    public var text: String {
        switch self {
        case .liveActivity: "live-activity"
        case .widget: "widget"
        case .extensionNamed(let name): "extension=\(name)"
        case .identifier(let name): "identifier=\(name)"
        }
    }
}
