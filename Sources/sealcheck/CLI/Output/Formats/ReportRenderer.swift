import SealCheck

/// One format: turns judged inputs into what is written.
///
/// A renderer decides nothing. It is given one report after the other, and may write each as it comes or collect them
/// for a document that holds all.
protocol ReportRenderer: AnyObject {
    /// Takes the report on the input that `path` names.
    func add(_ report: Report, for path: Word, to writer: OutputWriter)

    /// Writes what can be written only when every input was judged.
    func finish(to writer: OutputWriter)
}

extension ReportRenderer {
    func finish(to writer: OutputWriter) {}
}

/// JSON: an object for each input, indented, or on a line of its own.
final class JSONRenderer: ReportRenderer {
    private let layout: JSONWriter.Layout

    init(_ layout: JSONWriter.Layout) { self.layout = layout }

    func add(_ report: Report, for path: Word, to writer: OutputWriter) {
        writer.document(JSONWriter.document(report.json, layout))
    }
}

/// Text for people, and under `--profile codesign` text in the shape of Apple's tool.
final class TextRenderer: ReportRenderer {
    private let style: Style
    private let isComplete: Bool
    private let isVerbose: Bool
    private let isQuiet: Bool
    /// Where Apple's tool prints its messages: standard error. Nil puts them with the rest, into a file.
    private let errors: OutputWriter?
    private var isFirst = true

    init(style: Style, isComplete: Bool, isVerbose: Bool, isQuiet: Bool, errors: OutputWriter?) {
        self.style = style
        self.isComplete = isComplete
        self.isVerbose = isVerbose
        self.isQuiet = isQuiet
        self.errors = errors
    }

    func add(_ report: Report, for path: Word, to writer: OutputWriter) {
        if report.profile == .codesign { return addLikeCodesign(report, to: writer) }
        let text = TextReport(
            report: report, style: style, isComplete: isComplete, isVerbose: isVerbose, isQuiet: isQuiet)
        let lines = text.lines()
        if !isFirst, !lines.isEmpty { writer.line() }
        for line in lines { writer.line(line) }
        isFirst = false
    }

    /// Messages on standard error, lists on standard output, as Apple's tool divides them (spec 6.2).
    private func addLikeCodesign(_ report: Report, to writer: OutputWriter) {
        let text = CodesignText(report: report, isVerbose: isVerbose, isQuiet: isQuiet)
        for line in text.messages { (errors ?? writer).line(line) }
        for line in text.files { writer.line(line) }
    }
}
