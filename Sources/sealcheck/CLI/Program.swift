import SealCheck

/// The whole program but for the process around it: from words to an exit status. Tests run it in memory.
struct Program {
    let commands: [any Command.Type]
    let console: Console

    /// Does what the words ask for. Everything written has arrived when this returns, or the status says otherwise.
    func run(_ words: [Word]) async -> ExitCode {
        do throws(UsageError) {
            let dispatcher = Dispatcher(commands: commands.map { $0.row }, exists: Posix.exists)
            switch try dispatcher.request(for: words) {
            case .help(let row):
                let help = HelpText(width: console.terminal.width)
                console.output.lines(row.map(help.command) ?? help.program(commands: dispatcher.commands))
                return finish(.wanted)
            case .version:
                printVersions()
                return finish(.wanted)
            case .run(let row, let arguments):
                guard let type = commands.first(where: { $0.row.name == row.name }) else {
                    throw UsageError("unknown command '\(row.name)'")
                }
                return await run(try type.init(arguments))
            }
        } catch {
            for line in error.lines { console.errors.line(line) }
            return finish(.usage)
        }
    }

    private func run(_ command: some Command) async -> ExitCode {
        do throws(OutputFailure) {
            return finish(try await command.run(console))
        } catch {
            tell(error)
            return finish(.unchecked)
        }
    }

    /// Writes out what is buffered; a report that could not be written outweighs every answer.
    private func finish(_ status: ExitCode) -> ExitCode {
        do throws(OutputFailure) {
            try console.finish()
            return status
        } catch {
            tell(error)
            return .unchecked
        }
    }

    private func tell(_ failure: OutputFailure) {
        console.errors.line("sealcheck: \(failure.message)")
        console.errors.flush()
    }

    private func printVersions() {
        console.output.line("\(ToolVersion.name) \(ToolVersion.current)")
        // popt does not tell its version; it belongs to the command line, not to the library.
        let popt = LibraryVersion(name: "libpopt", loadedFromSymbol: "poptGetContext")
        for library in LibraryVersion.all + [popt] { console.output.line("\(library.name) \(library.version)") }
    }
}
