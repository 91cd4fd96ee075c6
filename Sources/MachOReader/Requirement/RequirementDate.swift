/// Points in time as requirements print them: `<2026-12-06 07:30:00Z>`.
enum RequirementDate {
    /// - Parameter seconds: since the beginning of 2001, UTC.
    static func text(_ seconds: Int64) -> String {
        let (days, rest) = floored(seconds, by: 86_400)
        let (year, month, day) = civil(days: days)
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "<\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) \(clock)Z>"
    }

    /// Days from March first of the year 0 to the beginning of 2001.
    private static let epoch: Int64 = 730_791

    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floored(days + epoch, by: 146_097)
        let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (era * 400 + year + (month > 9 ? 1 : 0), month > 9 ? month - 9 : month + 3, day)
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (value < 0 ? "-" : "") + zeros + digits
    }
}
