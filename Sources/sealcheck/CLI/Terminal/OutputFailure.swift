/// A report, or a part of it, could not be written: exit code 3, told even under `--quiet`.
struct OutputFailure: Error, Sendable {
    /// What was written to: a path, or "standard output".
    var destination: InertText
    /// The step that failed, for "cannot … report.json": `write`, `move the report to`.
    var step: StaticString
    var errno: Int32

    var message: InertText {
        "cannot \(InertText.own(step)) \(destination): \(Posix.message(for: errno))"
    }
}
