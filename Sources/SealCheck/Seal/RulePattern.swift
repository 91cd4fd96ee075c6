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
        if let reason = Self.unboundedness(pattern.bytes) { throw .unbounded(reason) }
        let status = (pattern.bytes + [0]).withUnsafeBufferPointer { bytes in
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

    /// Why a pattern is refused before it is compiled, or nil.
    ///
    /// Back-references make matching exponential, and nested or large repetition counts make compiling so. Neither
    /// stands in any seal that was ever seen; POSIX extended expressions do not have back-references at all.
    private static func unboundedness(_ pattern: [UInt8]) -> String? {
        var escaped = false
        var counts = 0
        for byte in pattern {
            if escaped {
                if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return "it has a back-reference" }
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "{") {
                counts += 1
            }
        }
        return counts > 2 ? "it has more than two repetition counts" : nil
    }
}
