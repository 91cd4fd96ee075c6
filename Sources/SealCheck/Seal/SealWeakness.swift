/// A way in which a seal's rules leave out more than strict verification allows (spec 5.10).
enum SealWeakness: Hashable, Sendable {
    /// The rule that seals everything is not there, with the plain value `true`.
    case noCatchAll(ByteString)
    /// A rule omits what no default rule omits.
    case omit(ByteString)

    /// Every weakness, in the order in which Apple's verifier tests.
    static func all(_ seal: CodeResources, resourcesPrefix: String) -> [SealWeakness] {
        let catchAll: ByteString = seal.version == 1 ? "^Resources/" : "^.*"
        var found: [SealWeakness] = []
        if !seal.rules.contains(where: { $0.pattern == catchAll && $0.isPlainTrue }) {
            found.append(.noCatchAll(catchAll))
        }
        let allowed: Set<ByteString> = [
            #"^(.*/)?\.DS_Store$"#, #"^Info\.plist$"#, #"^PkgInfo$"#,
            ByteString("^" + resourcesPrefix + #".*\.lproj/locversion.plist$"#),
        ]
        for rule in seal.rules where rule.isOmit && !allowed.contains(rule.pattern) {
            found.append(.omit(rule.pattern))
        }
        return found
    }
}
