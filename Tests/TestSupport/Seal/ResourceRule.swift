import Foundation

/// One resource rule: which paths it matches and what becomes of them.
public struct ResourceRule: Hashable, Sendable {
    /// A POSIX extended regular expression, searched for in the path.
    public var pattern: String
    /// Nil is weight 1 and writes the rule as a plain `true`, unless it has flags.
    public var weight: Double?
    public var omit = false
    public var optional = false
    public var nested = false
    /// What is written in place of all this, for rules of a wrong type. The fields still decide what is sealed.
    public var rawValue: Plist?

    public init(
        _ pattern: String, weight: Double? = nil, omit: Bool = false, optional: Bool = false, nested: Bool = false
    ) {
        self.pattern = pattern
        self.weight = weight
        self.omit = omit
        self.optional = optional
        self.nested = nested
    }

    /// The rule as it stands in the seal.
    var value: Plist {
        if let rawValue { return rawValue }
        var value = Plist.dict([])
        if nested { value["nested"] = true }
        if omit { value["omit"] = true }
        if optional { value["optional"] = true }
        if let weight { value["weight"] = .real(weight) }
        return value.entries.isEmpty ? true : value
    }
}

/// A set of rules that can be asked which of them holds for a path.
struct RuleMatcher {
    private let rules: [(rule: ResourceRule, expression: Expression)]

    /// Patterns that do not compile match nothing.
    init(_ rules: [ResourceRule]) {
        self.rules = rules.map { ($0, Expression($0.pattern)) }
    }

    /// The rule with the greatest weight of those that match; of equals the first.
    func rule(for path: RawPath) -> ResourceRule? {
        var best: ResourceRule?
        for (rule, expression) in rules where expression.matches(path.text) {
            if let current = best, (rule.weight ?? 1) <= (current.weight ?? 1) { continue }
            best = rule
        }
        return best
    }

    /// A compiled POSIX extended regular expression.
    private final class Expression {
        private var compiled = regex_t()
        private let isValid: Bool

        init(_ pattern: String) {
            isValid = regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0
        }

        deinit { if isValid { regfree(&compiled) } }

        func matches(_ text: String) -> Bool { isValid && regexec(&compiled, text, 0, nil, 0) == 0 }
    }
}

extension [ResourceRule] {
    /// The v1 rules that Apple's signer writes; `resources` is the resources folder relative to the seal's root, with a
    /// slash at its end, and empty for a flat bundle.
    public static func defaultRules(resources: String) -> [ResourceRule] {
        [
            ResourceRule("^version.plist$"),
            ResourceRule(resources.isEmpty ? "^.*" : "^\(resources)"),
        ] + localizations(resources)
    }

    /// The v2 rules that Apple's signer writes. A flat bundle has no nested rule.
    public static func defaultRules2(resources: String) -> [ResourceRule] {
        let nested = [
            ResourceRule("^[^/]+$", weight: 10, nested: true),
            ResourceRule(
                "^(Frameworks|SharedFrameworks|PlugIns|Plug-ins|XPCServices|Helpers|MacOS"
                    + "|Library/(Automator|Spotlight|LoginItems))/", weight: 10, nested: true),
        ]
        let common = [
            ResourceRule("^.*"),
            ResourceRule(".*\\.dSYM($|/)", weight: 11),
            ResourceRule("^(.*/)?\\.DS_Store$", weight: 2000, omit: true),
            ResourceRule("^Info\\.plist$", weight: 20, omit: true),
            ResourceRule("^version\\.plist$", weight: 20),
            ResourceRule("^embedded\\.provisionprofile$", weight: 20),
            ResourceRule("^PkgInfo$", weight: 20, omit: true),
        ]
        let deep = resources.isEmpty ? [] : nested + [ResourceRule("^\(resources)", weight: 20)]
        return common + deep + localizations(resources)
    }

    private static func localizations(_ resources: String) -> [ResourceRule] {
        [
            ResourceRule("^\(resources).*\\.lproj/", weight: 1000, optional: true),
            ResourceRule("^\(resources)Base\\.lproj/", weight: 1010),
            ResourceRule("^\(resources).*\\.lproj/locversion.plist$", weight: 1100, omit: true),
        ]
    }
}
