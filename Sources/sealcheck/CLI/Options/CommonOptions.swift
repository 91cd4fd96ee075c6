/// Options that several commands share, so that they mean the same everywhere.
enum CommonOptions {
    static let color = ChoiceOption<ColorChoice>(
        "color", placeholder: "WHEN", default: .auto, in: .general, help: "Colours in text",
        details: """
            'auto' heeds NO_COLOR, then CLICOLOR_FORCE and FORCE_COLOR, then TERM=dumb, then whether the output is a \
            terminal.
            """)

    static let quiet = OptionRow(
        "quiet", "q", in: .general, help: "Print nothing on success, and only errors otherwise",
        details: "Machine formats do not change.")

    static let verbose = OptionRow("verbose", "v", in: .general, help: "Say more about what was read and checked")

    static let output = OptionRow(
        "output", nil, .file(placeholder: "FILE"), in: .report, default: "standard output",
        help: "Write the report to FILE",
        details: """
            FILE appears only when the report is complete. A report of an earlier run is removed first, so that it cannot \
            be taken for a new one.
            """)

    static let jobs = OptionRow(
        "jobs", nil, .integer(placeholder: "N", range: 1...256), in: .work, default: "one a core",
        help: "Work on N files at a time")

    static let memory = OptionRow(
        "memory", nil, .integer(placeholder: "MIB", range: 16...1_048_576), in: .work, default: "512",
        help: "Stay within about this much memory, in MiB")
}

/// When text is coloured.
enum ColorChoice: String, OptionChoice {
    case auto, always, never

    var help: String {
        switch self {
        case .auto: "on a terminal, unless the environment says otherwise"
        case .always: "also in files and pipes"
        case .never: "nowhere"
        }
    }
}

/// How a report is written.
enum FormatChoice: String, OptionChoice {
    case text, json, jsonl, markdown, sarif, junit, github

    var help: String {
        switch self {
        case .text: "for people"
        case .json: "one object, indented"
        case .jsonl: "one object a line"
        case .markdown: "for job summaries and comments"
        case .sarif: "SARIF 2.1.0, for code scanning"
        case .junit: "JUnit XML, for the test pages of build servers"
        case .github: "annotations of GitHub Actions; the summary of the job gets the Markdown report"
        }
    }
}
