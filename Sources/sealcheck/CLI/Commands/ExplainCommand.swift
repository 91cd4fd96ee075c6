import SealCheck

/// `sealcheck explain`: what a finding means, why it matters, what to do.
struct ExplainCommand: Command {
    static let row = ExplainOptions.row

    private let rows: [CatalogueRow]
    private let isAll: Bool
    private let format: FormatChoice
    private let color: ColorChoice

    init(_ arguments: ParsedArguments) throws(UsageError) {
        format = arguments.choice(ExplainOptions.format)
        color = arguments.choice(CommonOptions.color)
        isAll = arguments.has(ExplainOptions.all)
        if isAll {
            _ = try arguments.operands(0...0, "ID")
            rows = Catalogue.rows
            return
        }
        guard let word = try arguments.operands(1...1, "ID").first else { throw arguments.error("no ID given") }
        let known = Catalogue.rows.map(\.id.rawValue)
        guard let row = word.text.flatMap({ Catalogue.row(Finding.ID(rawValue: $0)) }) else {
            let hint = Suggestion.phrase(for: word.text ?? "", among: known)
            throw arguments.error("there is no finding '\(word)'\(hint)")
        }
        rows = [row]
    }

    func run(_ console: Console) async throws(OutputFailure) -> ExitCode {
        switch format {
        case .json, .jsonl:
            let findings = JSONValue.array(rows.map(\.json))
            let document: JSONValue = isAll ? ["schema": "sealcheck.catalogue/1", "findings": findings] : rows[0].json
            console.output.document(JSONWriter.document(document))
        default:
            let style = console.style(color)
            let text = isAll ? overview(style) : rows.flatMap { lines($0, style, width: console.terminal.width) }
            for line in text { console.output.line(line) }
        }
        return .wanted
    }

    /// One line a finding, by family: the whole catalogue in full is too long to read.
    private func overview(_ style: Style) -> [InertText] {
        let column = (rows.map { $0.id.rawValue.count }.max() ?? 0) + 2
        var lines: [InertText] = []
        for family in Family.allCases where rows.contains(where: { $0.family == family }) {
            lines += ["\(style.bold("\(family.rawValue)"))"]
            for row in rows where row.family == family {
                let padding = String(repeating: " ", count: column - row.id.rawValue.count)
                lines.append("  \(row.id.rawValue)\(padding)\(row.summary)")
            }
            lines.append("")
        }
        return lines + ["'sealcheck explain ID' tells why a finding matters and what to do."]
    }

    private func lines(_ row: CatalogueRow, _ style: Style, width: Int) -> [InertText] {
        var lines: [InertText] = ["\(style.bold("\(row.id.rawValue)"))  (\(row.family.rawValue))"]
        func add(_ label: InertText, _ text: String) {
            for (index, line) in TextWrap.lines(text, width: min(width, 100) - 12).enumerated() {
                lines.append(index == 0 ? "  \(label)\(line)" : "            \(line)")
            }
        }
        add("what:     ", row.summary)
        add("why:      ", row.why)
        add("fix:      ", row.fix)
        let severities = Profile.allCases.map { "\(row.severity($0).rawValue) under \($0.rawValue)" }
        add("severity: ", severities.joined(separator: ", "))
        if let apple = row.apple { add("Apple:    ", "\(apple.name) (\(apple.code)): \(apple.message)") }
        return lines
    }
}
