/// The table of `policy`.
enum PolicyOptions {
    static let printDefault = OptionRow("print-default", in: .report, help: "Print a policy that changes nothing")

    static let row = CommandRow(
        name: "policy",
        synopses: ["--print-default"],
        summary: "Print a policy to start from",
        description: """
            A policy is a JSON file for 'sealcheck verify --policy FILE': things that must be there, severities by finding and \
            profile, findings that are allowed for a reason.
            """,
        operands: [],
        options: [printDefault],
        examples: [
            CommandRow.Example(
                command: "sealcheck policy --print-default > policy.json", help: "Start a policy of one's own")
        ])
}
