/// One rule of a seal: which paths it is for, how much it weighs, and what it does to them (spec 5.3).
public struct ResourceRule: Hashable, Sendable {
    public var pattern: ByteString
    public var weight: UInt64
    public var isOmit: Bool
    public var isOptional: Bool
    public var isNested: Bool
    /// Whether the value is the plain boolean `true`, which the weakness test asks for (spec 5.10).
    public var isPlainTrue: Bool

    /// Reads the value of a rule.
    ///
    /// - Throws: ``SealFault`` for a wrong type.
    init(pattern: ByteString, value: PropertyList) throws(SealFault) {
        self.pattern = pattern
        (weight, isOmit, isOptional, isNested, isPlainTrue) = (1, false, false, false, false)
        if let flag = value.boolean {
            isPlainTrue = flag
            isOmit = !flag
            return
        }
        guard let dictionary = value.dictionary else {
            throw .rule(pattern, "its value is \(value.kindName), not a boolean or a dictionary")
        }
        if let weight = dictionary["weight"] {
            guard let number = weight.number else { throw .rule(pattern, "its weight is \(weight.kindName)") }
            guard number >= 0, number < 0x1p32 else { throw .rule(pattern, "its weight is out of range") }
            self.weight = UInt64(number)
        }
        func flag(_ key: ByteString) throws(SealFault) -> Bool {
            guard let value = dictionary[key] else { return false }
            guard let flag = value.boolean else { throw .rule(pattern, "\(key) is \(value.kindName), not a boolean") }
            return flag
        }
        isOmit = try flag("omit")
        isOptional = try flag("optional")
        isNested = try flag("nested")
    }

    init(pattern: ByteString, weight: UInt64, omit: Bool = false, optional: Bool = false, nested: Bool = false) {
        self.pattern = pattern
        self.weight = weight
        isOmit = omit
        isOptional = optional
        isNested = nested
        isPlainTrue = false
    }
}

/// The rules of one seal, compiled, with the exclusions that the verifier adds in front (spec 4.7, 5.4).
struct ResourceRules: Sendable {
    enum Match: Hashable, Sendable {
        /// An exclusion: never sealed, whatever the rules say. Legal as the target of a link only if it is the main
        /// executable.
        case excluded(isExecutable: Bool)
        case rule(ResourceRule)
        /// No rule: not sealed.
        case none
    }

    let rules: [ResourceRule]
    private let patterns: [RulePattern]
    private let executable: [UInt8]?
    /// Pairs of rules with equal weight and other flags that both matched some path: Apple's answer is undefined then.
    static let excludedNames: Set<[UInt8]> = Set(
        ["_CodeSignature", "CodeResources", "_MASReceipt"].map { Array($0.utf8) })

    /// - Parameter executable: the main executable relative to the root of the seal, or nil when it lies elsewhere.
    init(_ rules: [ResourceRule], executable: BundlePath?, limits: Limits) throws(SealFault) {
        guard rules.count <= limits.resourceRules else {
            throw .limit(.init("rules in one seal", value: UInt64(rules.count), limit: UInt64(limits.resourceRules)))
        }
        var patterns: [RulePattern] = []
        for rule in rules {
            do { patterns.append(try RulePattern(rule.pattern, limits: limits)) } catch {
                switch error {
                case .malformed(let reason): throw .rule(rule.pattern, reason)
                case .unbounded(let reason): throw .unboundedRule(rule.pattern, reason)
                case .limit(let exceeded): throw .limit(exceeded)
                }
            }
        }
        self.rules = rules
        self.patterns = patterns
        self.executable = executable?.bytes
    }

    /// The rule for a path relative to the root of the seal, without a trailing slash.
    ///
    /// The greatest weight wins. At equal weight Apple's answer depends on the order of a dictionary; here omit wins
    /// over optional, optional over nested, and those over none, which is what every real seal with such a pair
    /// expects (spec 5.4).
    func match(_ path: BundlePath) -> Match {
        if Self.excludedNames.contains(path.bytes) { return .excluded(isExecutable: false) }
        if path.bytes == executable { return .excluded(isExecutable: true) }
        var best: ResourceRule?
        (path.bytes + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let text = text.baseAddress else { return }
                for (rule, pattern) in zip(rules, patterns) {
                    if let current = best, !rule.outweighs(current) { continue }
                    if pattern.matches(terminated: text) { best = rule }
                }
            }
        }
        return best.map(Match.rule) ?? .none
    }
}

extension ResourceRule {
    fileprivate func outweighs(_ other: ResourceRule) -> Bool {
        weight != other.weight ? weight > other.weight : rank > other.rank
    }

    private var rank: Int { isOmit ? 3 : isOptional ? 2 : isNested ? 1 : 0 }
}
