#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a project wants of its builds beyond the profile: things that must be there, other severities, findings that are
/// allowed for a reason (`--policy FILE`).
///
/// ```json
/// {
///   "schema": "sealcheck.policy/1",
///   "require": ["live-activity"],
///   "severities": { "adhoc": { "extension-version-differs": "error" } },
///   "allow": [
///     { "finding": "framework-in-extension", "path": "*/Legacy.appex/*", "reason": "removed in 5.0", "expires": "2027-01-31" }
///   ]
/// }
/// ```
public struct Policy: Hashable, Sendable {
    public var required: [RequiredThing] = []
    /// Severity by profile and finding.
    public var severities: [Profile: [Finding.ID: Severity]] = [:]
    public var allow: [Entry] = []

    public static let schema = "sealcheck.policy/1"

    public init() {}

    /// One finding that is allowed.
    public struct Entry: Hashable, Sendable {
        public var finding: Finding.ID
        /// A POSIX glob on the path, which begins at the app (`Demo.app/PlugIns/…`) in folders and archives alike; `*`
        /// also matches slashes. Nil allows the finding anywhere.
        public var path: String?
        public var reason: String
        /// The last day on which the entry counts.
        public var expires: Day?

        public init(finding: Finding.ID, path: String?, reason: String, expires: Day? = nil) {
            self.finding = finding
            self.path = path
            self.reason = reason
            self.expires = expires
        }

        /// Whether the entry speaks of a finding about this path.
        func matches(_ id: Finding.ID, path subject: BundlePath) -> Bool {
            guard id == finding else { return false }
            guard let path else { return true }
            return subject.bytes.withTerminator { name in path.withCString { fnmatch($0, name, 0) == 0 } }
        }
    }

    /// A calendar day.
    public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
        public let year: Int
        public let month: Int
        public let day: Int

        /// Reads `2027-01-31`; nil for anything else.
        public init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
                parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let year = Int(parts[0]),
                let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month),
                day >= 1, day <= Self.days(in: month, of: year)
            else { return nil }
            (self.year, self.month, self.day) = (year, month, day)
        }

        private static func days(in month: Int, of year: Int) -> Int {
            let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        }

        /// The day that it is, in universal time.
        public static var today: Day {
            var now = time(nil)
            var parts = tm()
            gmtime_r(&now, &parts)
            return Day(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        }

        private init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

        public static func < (left: Day, right: Day) -> Bool {
            (left.year, left.month, left.day) < (right.year, right.month, right.day)
        }

        public var description: String {
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(year)-\(two(month))-\(two(day))"
        }
    }
}

extension [UInt8] {
    /// The bytes as a C string.
    fileprivate func withTerminator<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        (self + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                // Never empty: the terminator is in it.
                text.baseAddress.map(body) ?? "".withCString(body)
            }
        }
    }
}
