#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A compiled pattern of a resource rule: a POSIX extended regular expression, searched anywhere in the path
/// (spec 5.4). The system's `regcomp` *is* the reference semantics.
///
/// A compiled `regex_t` is only read by `regexec`, so one may be used by several threads; that is what makes the
/// unchecked conformance sound.
final class RulePattern: @unchecked Sendable {
    private var compiled = regex_t()

    /// - Throws: ``Fault`` when the pattern does not compile, or could make the engine run without bound.
    init(_ pattern: ByteString, limits: Limits) throws(Fault) {
        guard pattern.bytes.count <= limits.rulePatternBytes else {
            throw .limit(
                .init(
                    "bytes of one rule's pattern", value: UInt64(pattern.bytes.count),
                    limit: UInt64(limits.rulePatternBytes)))
        }
        guard !pattern.bytes.contains(0) else { throw .malformed("it contains a NUL byte") }
        let bounds = RulePatternBounds(pattern.bytes)
        if let reason = bounds.refusal { throw .unbounded(reason) }
        try compile(pattern.bytes)
        guard bounds.isFloating else { return }
        // The same matches, found in one go along the path instead of one from each byte. That the pattern compiles by
        // itself is known by now; `a)|(b` would not have.
        regfree(&compiled)
        compiled = regex_t()
        try compile(Array("^.*(".utf8) + pattern.bytes + Array(")".utf8))
    }

    private func compile(_ pattern: [UInt8]) throws(Fault) {
        let status = (pattern + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                // There is an address: the terminator is always in the buffer.
                text.baseAddress.map { regcomp(&compiled, $0, REG_EXTENDED | REG_NOSUB) } ?? -1
            }
        }
        guard status == 0 else {
            var message = [CChar](repeating: 0, count: 256)
            _ = regerror(status, &compiled, &message, message.count)
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .malformed(String(decoding: text, as: UTF8.self))
        }
    }

    deinit { regfree(&compiled) }

    enum Fault: Error, Hashable, Sendable {
        case malformed(String)
        /// Legal, but able to run for ever; the reason in words.
        case unbounded(String)
        case limit(Limits.Exceeded)
    }

    /// Whether the pattern is found in a path that ends with a zero byte.
    func matches(terminated path: UnsafePointer<CChar>) -> Bool {
        regexec(&compiled, path, 0, nil, 0) == 0
    }
}
