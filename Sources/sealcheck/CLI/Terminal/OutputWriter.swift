/// Writes what a command has to say: to standard output or standard error, to a file, or (in tests) to memory.
///
/// Text for people goes out as ``InertText``, line by line; machine formats as bytes that are safe by their own rules.
/// Writing never throws, so that commands read well: the first failure is kept, what follows is dropped, and ``finish()``
/// tells. A reader that went away (`sealcheck … | head`) is no failure: the rest is dropped quietly, and the verdict's
/// exit code stays what it was.
final class OutputWriter {
    private enum Destination {
        case descriptor(Int32, name: InertText)
        case file(OutputFile)
        case memory
    }

    private let destination: Destination
    private let bufferSize: Int
    private var buffer: [UInt8] = []
    private var failure: OutputFailure?
    /// Whether anything that is written still arrives. A long listing may stop early when not.
    private(set) var isOpen = true

    /// A writer for a descriptor, which stays open.
    ///
    /// - Parameter bufferSize: bytes to collect before they are written; 0 writes each line at once.
    init(descriptor: Int32, name: InertText, bufferSize: Int = 1 << 16) {
        destination = .descriptor(descriptor, name: name)
        self.bufferSize = bufferSize
    }

    /// A writer for a file, which appears when ``finish()`` succeeds.
    init(file: OutputFile) {
        destination = .file(file)
        bufferSize = 1 << 18
    }

    /// A writer that keeps everything in ``contents``.
    init() {
        destination = .memory
        bufferSize = .max
    }

    /// Writes text and a line feed. The text may itself hold several lines of ours.
    func line(_ text: InertText = "") {
        // A second look at the whole line: two values, each harmless, can make one command of a build server.
        append(Array(Inert.breakingCommands(in: text.rendered).utf8))
        append([UInt8(ascii: "\n")])
        if buffer.count >= bufferSize { flush() }
    }

    /// Writes lines of our own prose, such as help.
    func lines(_ texts: some Sequence<String>) { for text in texts { line("\(text)") } }

    /// Writes a document, or a part of one, whose format has its own rules for what is safe: JSON, say.
    func document(_ bytes: [UInt8]) {
        append(bytes)
        if buffer.count >= bufferSize { flush() }
    }

    /// Hands over what is buffered.
    func flush() {
        guard isOpen, !buffer.isEmpty else { return }
        switch destination {
        case .memory: return
        case .descriptor(let descriptor, let name):
            switch buffer.withUnsafeBytes({ Posix.write($0, to: descriptor) }) {
            case .done: break
            case .closed: isOpen = false
            case .failed(let errno): fail(OutputFailure(destination: name, step: "write", errno: errno))
            }
        case .file(let file):
            do throws(OutputFailure) { try file.append(buffer) } catch { fail(error) }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes what is left, and moves a file into its place.
    ///
    /// - Throws: the first failure of this writer. A file has not appeared then.
    func finish() throws(OutputFailure) {
        flush()
        if let failure { throw failure }
        if case .file(let file) = destination { try file.commit() }
    }

    /// Everything written so far, of a writer to memory.
    var contents: String { String(decoding: buffer, as: UTF8.self) }

    private func append(_ bytes: [UInt8]) {
        if isOpen { buffer.append(contentsOf: bytes) }
    }

    private func fail(_ error: OutputFailure) {
        failure = error
        isOpen = false
    }
}
