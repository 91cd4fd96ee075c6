/// What a run's exit code says; the same for every command.
enum ExitCode: Int32, CaseIterable, Sendable {
    /// Sealed; the same; done.
    case wanted = 0
    /// Not sealed; different.
    case no = 1
    /// The command line is wrong. Found before any work.
    case usage = 2
    /// Something could not be checked, or a report could not be written.
    case unchecked = 3

    var help: String {
        switch self {
        case .wanted: "as wanted (sealed; same; done)"
        case .no: "the answer is no (not sealed; differs)"
        case .usage: "wrong usage, found before any work"
        case .unchecked: "could not be checked, or a report could not be written"
        }
    }

    /// The status of several inputs together: the largest of 3, 1 and 0.
    static func combined(_ statuses: some Sequence<ExitCode>) -> ExitCode {
        statuses.max { $0.rawValue < $1.rawValue } ?? .wanted
    }
}
