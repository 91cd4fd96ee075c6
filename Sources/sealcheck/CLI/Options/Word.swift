/// One word of the command line, as bytes.
///
/// Paths are bytes, and `CommandLine.arguments` repairs what is not UTF-8: a file that it names then does not exist.
struct Word: Hashable, Sendable {
    let bytes: [UInt8]

    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    init(_ text: String) { bytes = Array(text.utf8) }

    /// The word as text, or nil where it is not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    var isEmpty: Bool { bytes.isEmpty }

    /// Hands out the word as a C string. A word cannot hold a NUL; what was made by hand and does is cut there.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try (bytes + [0]).withUnsafeBufferPointer { buffer in
            try buffer.withMemoryRebound(to: CChar.self) { characters in
                // The buffer holds at least the NUL, so it has an address; the empty string stands in for type's sake.
                guard let base = characters.baseAddress else { return try "".withCString(body) }
                return try body(base)
            }
        }
    }

    /// The words of this process, without its own name.
    static var ofProcess: [Word] {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return arguments.dropFirst().compactMap { pointer in
            pointer.map {
                Word(bytes: UnsafeBufferPointer(start: $0, count: length(of: $0)).map(UInt8.init(bitPattern:)))
            }
        }
    }

    private static func length(of text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}

extension Word: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self.init(value) }
}
