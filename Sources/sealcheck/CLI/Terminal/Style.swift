/// Emphasis for text on a terminal, or none: the same calls give plain text where colour is off.
///
/// Colour is never the only sign of anything: what is red also says "error".
struct Style: Sendable {
    /// Whether control sequences are written.
    let isColored: Bool

    static let plain = Style(isColored: false)
    static let ansi = Style(isColored: true)

    func bold(_ text: InertText) -> InertText { apply("\u{1B}[1m", to: text) }
    func dim(_ text: InertText) -> InertText { apply("\u{1B}[2m", to: text) }
    func red(_ text: InertText) -> InertText { apply("\u{1B}[31m", to: text) }
    func green(_ text: InertText) -> InertText { apply("\u{1B}[32m", to: text) }
    func yellow(_ text: InertText) -> InertText { apply("\u{1B}[33m", to: text) }

    private func apply(_ sequence: StaticString, to text: InertText) -> InertText {
        guard isColored, !text.isEmpty else { return text }
        // Everything is reset at the end: terminals differ in what the single "off" codes do.
        return text.wrapped(before: sequence, after: "\u{1B}[0m")
    }
}
