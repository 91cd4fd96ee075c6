/// A file that appears whole or not at all.
///
/// A gate uploads whatever lies at the report's path when it is done. So a report of an earlier run is removed before the
/// work begins, the new one is written beside the path, brought to the disk and moved there; whatever goes wrong in
/// between leaves nothing at the path. An interrupt removes the temporary file (``Interruption``).
final class OutputFile {
    private let target: OutputTarget
    private var descriptor: Int32?
    private var temporary: Word?
    private var isCommitted = false

    /// Removes what an earlier run left at the path.
    ///
    /// - Throws: where it cannot be removed: it would be taken for this run's.
    init(_ target: OutputTarget) throws(OutputFailure) {
        self.target = target
        if target.method == .replace, let errno = Posix.remove(target.path), errno != Posix.noSuchFile {
            throw failure("remove the earlier", errno)
        }
    }

    deinit { discard() }

    /// Writes more of the file. The temporary file is made by the first call.
    func append(_ bytes: [UInt8]) throws(OutputFailure) {
        let descriptor = try open()
        switch bytes.withUnsafeBytes({ Posix.write($0, to: descriptor) }) {
        case .done: return
        case .closed:
            // Only a named pipe can say so. Nobody is waiting for the rest.
            return
        case .failed(let errno):
            discard()
            throw failure("write", errno)
        }
    }

    /// Brings the file to the disk and to its path. Doing it again changes nothing.
    func commit() throws(OutputFailure) {
        if isCommitted { return }
        let descriptor = try open()
        self.descriptor = nil
        if target.method == .writeThrough {
            isCommitted = true
            if let errno = Posix.close(descriptor) { throw failure("write", errno) }
            return
        }
        // An error of the disk may show as late as here.
        let synced = Posix.sync(descriptor)
        let closed = Posix.close(descriptor)
        if let errno = synced ?? closed {
            discard()
            throw failure("write", errno)
        }
        guard let temporary else { return }
        if let errno = Posix.rename(temporary, to: target.path) {
            discard()
            throw failure("move the report to", errno)
        }
        self.temporary = nil
        isCommitted = true
        Interruption.forget(temporary)
        Posix.syncFolder(target.folder)
    }

    /// Gives the file up; nothing stays.
    func discard() {
        if let descriptor { _ = Posix.close(descriptor) }
        descriptor = nil
        if let temporary {
            _ = Posix.remove(temporary)
            Interruption.forget(temporary)
        }
        temporary = nil
    }

    private func open() throws(OutputFailure) -> Int32 {
        if let descriptor { return descriptor }
        if target.method == .writeThrough {
            switch Posix.openForWriting(target.path, mustBeNew: false) {
            case .success(let opened):
                descriptor = opened
                return opened
            case .failure(let error): throw failure("open", error.errno)
            }
        }
        // Another process with our number may have died here, or be at work in another container: never touch its file.
        var last = Posix.fileExists
        for number in 0..<100 where last == Posix.fileExists {
            let path = target.temporaryPath(number)
            switch Posix.openForWriting(path, mustBeNew: true) {
            case .success(let opened):
                descriptor = opened
                temporary = path
                Interruption.remember(path)
                return opened
            case .failure(let error): last = error.errno
            }
        }
        throw failure("write", last)
    }

    private func failure(_ step: StaticString, _ errno: Int32) -> OutputFailure {
        OutputFailure(destination: "\(path: target.typed)", step: step, errno: errno)
    }
}
