/// The table of `verify`.
enum VerifyOptions {
    static let profile = ChoiceOption<ProfileChoice>(
        "profile", placeholder: "PROFILE", default: .adhoc, in: .judgement, help: "Which rules hold")

    static let failOn = ChoiceOption<FailOnChoice>(
        "fail-on", placeholder: "SEVERITY", default: .error, in: .judgement,
        help: "The least severe finding that makes the exit code 1",
        details: "What could not be checked, and a wrong command line, fail in any case.")

    static let require = OptionRow(
        "require", nil, .text(placeholder: "WHAT"), repeatable: true, in: .judgement,
        help: "Fail when this is not in the app",
        details: """
            WHAT is live-activity (the app supports Live Activities and has a widget to draw them), widget, \
            extension=NAME-OR-IDENTIFIER, or identifier=BUNDLE-ID.
            """)

    static let policy = OptionRow(
        "policy", nil, .file(placeholder: "FILE"), in: .judgement,
        help: "Read what the project wants beyond the profile from FILE",
        details: """
            JSON: required things, severities by finding, findings that are allowed with a path pattern and a reason. \
            'sealcheck policy --print-default' prints one to start from.
            """)

    static let asOf = OptionRow(
        "as-of", nil, .text(placeholder: "DATE"), in: .judgement, default: "today",
        help: "The day on which expiring entries of the policy are judged, as 2027-01-31")

    static let writePolicy = OptionRow(
        "write-policy", nil, .file(placeholder: "FILE"), in: .report,
        help: "Write a policy that allows today's findings",
        details: "Each entry has an empty reason, which is warned about until it is filled in.")

    static let fileOnly = OptionRow(
        "file-only", in: .judgement, help: "Judge a bundle's main executable alone, without its bundle")

    static let allDigests = OptionRow(
        "all-digests", in: .judgement, help: "Check every digest that a seal records",
        details: """
            Without it, digests that the verdict does not consult are skipped: version 1 'files' beside 'files2', \
            'hash' where no CodeDirectory is SHA-1.
            """)

    static let format = ChoiceOption<FormatChoice>(
        "format", placeholder: "FORMAT", default: .text, in: .report, help: "How the report is written",
        details: "'json' takes one PATH, the others any number.")

    static let report = OptionRow(
        "report", nil, .text(placeholder: "FORMAT=FILE"), repeatable: true, in: .report,
        help: "Write a further report to FILE",
        details: "FORMAT is one of the words of '--format', but for github, which belongs in the log.")

    static let sarifCategory = OptionRow(
        "sarif-category", nil, .text(placeholder: "NAME"), in: .report,
        help: "Tell SARIF uploads of one commit apart by NAME",
        details: "Without it the uploading step names the category, which is right for a single upload.")

    static let all = OptionRow(
        "all", in: .report, help: "Print every occurrence in text instead of folding long lists")

    static let row = CommandRow(
        name: "verify",
        synopses: ["[OPTION]... PATH..."],
        summary: "Check that everything in an app is sealed",
        description: """
            Checks every code object in PATH, at any depth, as its own root: its signature, its page hashes, the seal over \
            its resources, and that the code around it seals it in turn. Says what is wrong, and why.
            """,
        operands: [
            CommandRow.Operand(
                placeholder: "PATH",
                help: """
                    An .ipa, or another zip that holds an app; a bundle (.app, .appex, .framework, .xctest, .xpc, .bundle, \
                    .xcarchive); or a Mach-O file. Decided by looking, not by the name
                    """)
        ],
        options: [
            profile.row, failOn.row, require, policy, asOf, fileOnly, allDigests,
            format.row, CommonOptions.output, report, sarifCategory, writePolicy, all,
            CommonOptions.jobs, CommonOptions.memory,
            CommonOptions.color.row, CommonOptions.quiet, CommonOptions.verbose,
        ],
        examples: [
            CommandRow.Example(command: "sealcheck verify App.ipa", help: "Check an archive where it lies"),
            CommandRow.Example(
                command: "sealcheck verify --require live-activity App.ipa",
                help: "Gate a build that must carry a Live Activity"),
            CommandRow.Example(
                command: "sealcheck verify --format json --output report.json Demo.app",
                help: "Write a report that scripts can read"),
            CommandRow.Example(
                command: "sealcheck verify --format github --report sarif=sealcheck.sarif App.ipa",
                help: "Annotate a run of GitHub Actions, and keep a report for code scanning"),
            CommandRow.Example(
                command: "sealcheck verify --fail-on warning --quiet build/*.ipa",
                help: "Let a build fail on warnings too, and be silent when all is well"),
        ])
}

/// Which rules hold.
enum ProfileChoice: String, OptionChoice {
    case adhoc, integrity, codesign

    var help: String {
        switch self {
        case .adhoc: "every code object is signed ad hoc and sealed, and extension and archive rules hold"
        case .integrity: "as adhoc, but signed with a certificate is accepted too; its chain and dates are not checked"
        case .codesign: "what 'codesign --verify --deep --strict' decides, and no more; silent on success without -v"
        }
    }
}

/// The least severe finding that makes a run fail.
enum FailOnChoice: String, OptionChoice {
    case error, warning, never

    var help: String {
        switch self {
        case .error: "errors"
        case .warning: "errors and warnings"
        case .never: "nothing: report only"
        }
    }
}
