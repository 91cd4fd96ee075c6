#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The process: its words, its descriptors, its signals, its exit code.
@main
enum Main {
    static func main() async {
        Posix.prepareProcess()
        Interruption.install()
        let program = Program(commands: CommandList.all, console: .ofProcess())
        exit(await program.run(Word.ofProcess).rawValue)
    }
}
