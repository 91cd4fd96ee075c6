#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The few system calls of the command line, with the traps taken out: interrupted calls are repeated, writes are whole.
enum Posix {
    static let standardOutput: Int32 = 1
    static let standardError: Int32 = 2

    /// What became of a write.
    enum WriteResult: Hashable {
        case done
        /// Nobody reads the other end of the pipe any more.
        case closed
        case failed(errno: Int32)
    }

    /// What stands at a path, links followed.
    struct Status: Hashable {
        enum Kind: Hashable {
            case regular
            case directory
            /// A device, pipe or socket.
            case special
        }

        var kind: Kind
        var device: UInt64
        var inode: UInt64
    }

    /// Writes all bytes, waiting where the descriptor is in non-blocking mode.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> WriteResult {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            #if canImport(Darwin)
                let count = Darwin.write(descriptor, piece.baseAddress, piece.count)
            #else
                let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
            #endif
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            case EPIPE: return .closed
            case let code: return .failed(errno: code)
            }
        }
        return .done
    }

    /// What stands at `path`, or nil where nothing does or it cannot be asked.
    static func status(of path: Word) -> Status? {
        var result = stat()
        guard path.withCString({ stat($0, &result) }) == 0 else { return nil }
        let kind: Status.Kind =
            switch mode_t(result.st_mode) & mode_t(S_IFMT) {
            case mode_t(S_IFREG): .regular
            case mode_t(S_IFDIR): .directory
            default: .special
            }
        return Status(
            kind: kind, device: UInt64(truncatingIfNeeded: result.st_dev),
            inode: UInt64(truncatingIfNeeded: result.st_ino))
    }

    /// Whether a file, folder, link (even one that leads nowhere) or anything else stands at `path`.
    static func exists(_ path: Word) -> Bool {
        var result = stat()
        return path.withCString { lstat($0, &result) } == 0
    }

    /// `path` with its links followed, or nil where it does not exist.
    static func realPath(of path: Word) -> Word? {
        guard let resolved = path.withCString({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return Word(bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
    }

    static func canWrite(into folder: Word) -> Bool { folder.withCString { access($0, W_OK | X_OK) } == 0 }

    // MARK: Files

    /// A failed call, as `errno` has it.
    struct Failure: Error {
        var errno: Int32
    }

    static let noSuchFile = ENOENT
    static let fileExists = EEXIST
    static var processIdentifier: Int32 { getpid() }

    /// The contents of a small file.
    ///
    /// A failure carries `EFBIG` for a file above the limit.
    static func contents(of path: Word, limit: Int) -> Result<[UInt8], Failure> {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return .failure(Failure(errno: errno)) }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return .failure(Failure(errno: errno)) }
            if count == 0 { return .success(bytes) }
            bytes.append(contentsOf: piece[..<count])
            if bytes.count > limit { return .failure(Failure(errno: EFBIG)) }
        }
    }

    /// Opens a file for writing; a new one gets the permissions that the user's mask leaves.
    ///
    /// - Parameter mustBeNew: whether the file is made, and anything that stands there already is an error; otherwise it
    ///   must exist.
    static func openForWriting(_ path: Word, mustBeNew: Bool) -> Result<Int32, Failure> {
        let flags = O_WRONLY | O_CLOEXEC | (mustBeNew ? O_CREAT | O_EXCL | O_NOFOLLOW : 0)
        while true {
            let descriptor = path.withCString { open($0, flags, 0o666) }
            if descriptor >= 0 { return .success(descriptor) }
            if errno != EINTR { return .failure(Failure(errno: errno)) }
        }
    }

    /// Adds to the end of a file, making it where it is not there; the answer is `errno` where that failed.
    static func append(_ bytes: [UInt8], to path: Word) -> Int32? {
        let descriptor = path.withCString { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { return errno }
        let result = bytes.withUnsafeBytes { write($0, to: descriptor) }
        let closed = close(descriptor)
        if case .failed(let code) = result { return code }
        return closed
    }

    /// Closes a descriptor; the answer is `errno` where something that was written is lost.
    static func close(_ descriptor: Int32) -> Int32? {
        #if canImport(Darwin)
            let result = Darwin.close(descriptor)
        #else
            let result = Glibc.close(descriptor)
        #endif
        // Interrupted or not, the descriptor is gone: never close it again.
        return result == 0 || errno == EINTR ? nil : errno
    }

    /// Brings a file's contents to the disk; the answer is `errno` where that failed. File systems that cannot do so say
    /// EINVAL or EROFS, which is no loss.
    static func sync(_ descriptor: Int32) -> Int32? {
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            case EINVAL, EROFS, ENOTSUP: return nil
            case let code: return code
            }
        }
        return nil
    }

    /// Brings a folder's entries to the disk, where the file system does such a thing.
    static func syncFolder(_ folder: Word) {
        let descriptor = folder.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        _ = sync(descriptor)
        _ = close(descriptor)
    }

    /// Moves a file; the answer is `errno` where that failed.
    static func rename(_ path: Word, to target: Word) -> Int32? {
        #if canImport(Darwin)
            let result = path.withCString { from in target.withCString { Darwin.rename(from, $0) } }
        #else
            let result = path.withCString { from in target.withCString { Glibc.rename(from, $0) } }
        #endif
        return result == 0 ? nil : errno
    }

    /// Removes a file; the answer is `errno` where that failed.
    static func remove(_ path: Word) -> Int32? { path.withCString { unlink($0) } == 0 ? nil : errno }

    // MARK: The process

    static func message(for code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }

    /// Makes a write to a pipe that nobody reads an error instead of a silent death, and keeps the descriptors 0, 1 and 2
    /// from being given to a file: where the caller closed one, writing to it must fail, not end up in somebody's archive.
    static func prepareProcess() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is the one just found closed. Read-only for output, so that writes are refused.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal behind `descriptor`, or nil where it is none.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
