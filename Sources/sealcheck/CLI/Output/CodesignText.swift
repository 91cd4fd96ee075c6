import SealCheck

/// A report in the shape of Apple's tool: what goes where is told in spec 6.2.
struct CodesignText {
    let report: Report
    let isVerbose: Bool
    let isQuiet: Bool

    private var path: InertText { "\(path: Word(report.inputPath))" }

    /// What belongs on standard error.
    var messages: [InertText] {
        if let problem = report.problem { return ["\(path): \(problem.message)"] }
        guard let failure = report.codesign?.failure else {
            switch (report.codesign?.isValid, report.codesign?.gap) {
            case (true?, _): break
            case (false?, _): return ["\(path): not valid (Apple's error for it is not published)"]
            case (nil, .some): return ["\(path): cannot be decided: what Apple's tool makes of it is not published"]
            case (nil, nil):
                return ["\(path): cannot be decided"] + report.findings.map { "  \($0.finding.message)" }
            }
            guard isVerbose, !isQuiet else { return [] }
            let own: InertText? =
                switch report.codesign?.satisfiesDesignatedRequirement {
                case true?: "\(path): satisfies its Designated Requirement"
                case false?: "\(path): does not satisfy its own designated requirement"
                case nil: nil
                }
            return ["\(path): valid on disk"] + [own].compactMap(\.self)
        }
        var lines: [InertText] = ["\(path): \(failure.error.message)"]
        if let subcomponent = failure.subcomponent { lines.append("In subcomponent: \(path: subcomponent)") }
        if let architecture = failure.architecture { lines.append("In architecture: \(architecture)") }
        return lines
    }

    /// What belongs on standard output: the files of the object that failed, added, modified, missing.
    var files: [InertText] {
        guard isVerbose, !isQuiet, let failure = report.codesign?.failure, failure.error == .badResource else {
            return []
        }
        let failing = failure.subcomponent ?? report.evaluations.first?.code.path
        let scan = report.evaluations.first { $0.code.path == failing }?.seal.comparison?.scan
        var lines: [(group: Int, line: InertText)] = []
        for problem in scan?.problems ?? [] {
            switch problem.kind {
            case .added: lines.append((0, "file added: \(path: problem.path)"))
            case .missing, .sealedButNotScanned: lines.append((2, "file missing: \(path: problem.path)"))
            case .unchecked, .unsupportedType: break
            default: lines.append((1, "file modified: \(path: problem.path)"))
            }
        }
        return lines.enumerated().sorted { ($0.element.group, $0.offset) < ($1.element.group, $1.offset) }.map(
            \.element.line)
    }
}
