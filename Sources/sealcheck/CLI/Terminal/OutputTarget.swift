/// The argument of `--output`, checked before any work and without touching anything.
struct OutputTarget: Hashable, Sendable {
    /// How the file comes into being.
    enum Method: Hashable, Sendable {
        /// Written beside the path and moved there.
        case replace
        /// The path is a device or a pipe (`/dev/null`, `/dev/stdout`): written to directly. A move would put a plain file
        /// in the device's place.
        case writeThrough
    }

    /// The path as it was typed, for messages.
    let typed: Word
    /// The path with its links followed, so that a link stays a link.
    let path: Word
    /// The folder of ``path``.
    let folder: Word
    let method: Method

    /// - Parameters:
    ///   - word: the argument.
    ///   - inputs: what the command is going to read; a report must not replace one of them, nor lie inside one, where it
    ///     would break the very seal that it reports on.
    /// - Throws: a usage error where nothing can be written there.
    init(_ word: Word, option: OptionRow, inputs: [Word], of arguments: ParsedArguments) throws(UsageError) {
        func refuse(_ reason: InertText) -> UsageError {
            arguments.error("'\(option.spelling)': \(reason)")
        }
        if word == "-" { throw refuse("'-' is not a FILE: leave the option out to write to standard output") }
        typed = word
        let status = Posix.status(of: word)
        if status?.kind == .directory || word.bytes.last == UInt8(ascii: "/") {
            throw refuse("\(path: word) is a folder")
        }
        if status?.kind == .special {
            path = word
            folder = Self.folder(of: word)
            method = .writeThrough
            return
        }
        let place = Posix.realPath(of: word) ?? word
        guard let folder = Posix.realPath(of: Self.folder(of: place)), Posix.status(of: folder)?.kind == .directory
        else {
            throw refuse("there is no folder for \(path: word)")
        }
        guard Posix.canWrite(into: folder) else {
            throw refuse("the folder of \(path: word) cannot be written to")
        }
        self.folder = folder
        path = Self.join(folder, Self.name(of: place))
        method = .replace

        for input in inputs {
            guard let found = Posix.status(of: input), let resolved = Posix.realPath(of: input) else { continue }
            if found == status { throw refuse("\(path: word) is also the input") }
            if found.kind == .directory, Self.isInside(folder, resolved) {
                throw refuse("\(path: word) lies inside the input \(path: input)")
            }
        }
    }

    /// A path in ``folder`` for the file while it is being written; `number` tells tries apart.
    func temporaryPath(_ number: Int) -> Word {
        Self.join(folder, Word(".sealcheck-\(Posix.processIdentifier)-\(number).part"))
    }

    private static func folder(of path: Word) -> Word {
        guard let slash = path.bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : Word(bytes: path.bytes[..<slash])
    }

    private static func name(of path: Word) -> Word {
        guard let slash = path.bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return Word(bytes: path.bytes[(slash + 1)...])
    }

    private static func join(_ folder: Word, _ name: Word) -> Word {
        let separator = folder.bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return Word(bytes: folder.bytes + separator + name.bytes)
    }

    private static func isInside(_ folder: Word, _ outer: Word) -> Bool {
        folder == outer || folder.bytes.starts(with: join(outer, "").bytes)
    }
}
