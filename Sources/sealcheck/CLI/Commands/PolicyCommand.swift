import SealCheck

/// `sealcheck policy --print-default`: every severity as it is, to start a policy of one's own from.
struct PolicyCommand: Command {
    static let row = PolicyOptions.row

    init(_ arguments: ParsedArguments) throws(UsageError) {
        _ = try arguments.operands(0...0, "operand")
        guard arguments.has(PolicyOptions.printDefault) else { throw arguments.error("say what: '--print-default'") }
    }

    func run(_ console: Console) async throws(OutputFailure) -> ExitCode {
        console.output.document(JSONWriter.document(Policy.standard.json))
        return .wanted
    }
}
