/// Writes DER: tag, definite length, contents.
public enum DER {
    public static func encode(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [tag] + length(contents.count) + contents
    }

    public static func integer(_ value: Int64) -> [UInt8] {
        var bytes = value.bytes(.big)
        while bytes.count > 1, (bytes[0] == 0 && bytes[1] < 0x80) || (bytes[0] == 0xFF && bytes[1] >= 0x80) {
            bytes.removeFirst()
        }
        return encode(0x02, bytes)
    }

    public static func boolean(_ value: Bool) -> [UInt8] { encode(0x01, [value ? 0xFF : 0]) }

    public static func utf8String(_ text: String) -> [UInt8] { encode(0x0C, Array(text.utf8)) }

    public static func sequence(_ parts: [[UInt8]]) -> [UInt8] { encode(0x30, Array(parts.joined())) }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = Array(UInt64(count).bytes(.big).drop { $0 == 0 })
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}

/// The DER form of entitlements (slot 7): an application wrapper, version 1, and the dictionary.
public enum EntitlementsDER {
    /// The payload of the blob. Dictionary entries are written in ascending key order unless `sorts` is off.
    public static func encode(_ value: Plist, sorts: Bool = true) -> [UInt8] {
        DER.encode(0x70, DER.integer(1) + element(value, sorts: sorts))
    }

    /// The form of the first DER-capable tools: a bare SET of pairs, without the wrapper.
    public static func encodeOldForm(_ value: Plist) -> [UInt8] {
        DER.encode(0x31, Array(value.sorted().entries.map(pair).joined()))
    }

    private static func pair(_ entry: Plist.Entry) -> [UInt8] {
        DER.sequence([DER.utf8String(entry.key), element(entry.value, sorts: true)])
    }

    private static func element(_ value: Plist, sorts: Bool) -> [UInt8] {
        switch value {
        case .dict(let entries):
            let ordered = sorts ? entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : entries
            return DER.encode(
                0xB0,
                Array(ordered.map { DER.sequence([DER.utf8String($0.key), element($0.value, sorts: sorts)]) }.joined()))
        case .array(let values): return DER.sequence(values.map { element($0, sorts: sorts) })
        case .string(let text): return DER.utf8String(text)
        case .bool(let flag): return DER.boolean(flag)
        case .integer(let number): return DER.integer(number)
        case .data(let bytes): return DER.encode(0x04, bytes)
        // A signer refuses these; as text they at least reach the file.
        case .real(let number), .date(let number): return DER.utf8String(String(number))
        case .uid(let number): return DER.integer(Int64(number))
        }
    }

    /// The bits of the exec segment that a signer derives from entitlements.
    static func execSegFlags(_ entitlements: Plist?) -> UInt64 {
        let bits: [(String, UInt64)] = [
            ("get-task-allow", 0x10), ("run-unsigned-code", 0x10), ("com.apple.private.cs.debugger", 0x20),
            ("dynamic-codesigning", 0x40), ("com.apple.private.skip-library-validation", 0x80),
            ("com.apple.private.amfi.can-load-cdhash", 0x100), ("com.apple.private.amfi.can-execute-cdhash", 0x200),
        ]
        return bits.reduce(0) { flags, bit in entitlements?[bit.0] == .bool(true) ? flags | bit.1 : flags }
    }
}
