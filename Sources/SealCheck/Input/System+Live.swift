#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension System {
    /// The real operating system.
    static let live = System(
        open: livePath, openAt: liveName, status: liveStatus, statusOfPath: liveStatusOfPath, statusAt: liveStatusAt,
        read: liveRead, list: liveList, readLink: liveReadLink, realPath: liveRealPath, close: liveClose)
}

// Free functions, since inside `System` the names of its members would hide those of the calls.

@Sendable private func livePath(_ path: [UInt8], _ purpose: System.Purpose) throws(SystemFault) -> Int32 {
    try withTerminated(path, "open") { pointer in
        retrying { open(pointer, purpose.flags) }
    }
}

@Sendable private func liveName(
    _ directory: Int32, _ name: ArraySlice<UInt8>, _ purpose: System.Purpose
) throws(SystemFault) -> Int32 {
    try withTerminated(name, "openat") { pointer in
        retrying { openat(directory, pointer, purpose.flags | O_NOFOLLOW) }
    }
}

@Sendable private func liveStatus(_ descriptor: Int32) throws(SystemFault) -> FileStatus {
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw SystemFault("fstat", errno) }
    return FileStatus(status)
}

@Sendable private func liveStatusOfPath(_ path: [UInt8]) throws(SystemFault) -> FileStatus {
    var status = stat()
    _ = try withTerminated(path, "stat") { pointer in stat(pointer, &status) }
    return FileStatus(status)
}

@Sendable private func liveStatusAt(
    _ directory: Int32, _ name: ArraySlice<UInt8>
) throws(SystemFault) -> FileStatus {
    var status = stat()
    _ = try withTerminated(name, "fstatat") { pointer in fstatat(directory, pointer, &status, AT_SYMLINK_NOFOLLOW) }
    return FileStatus(status)
}

@Sendable private func liveRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: UInt64
) throws(SystemFault) -> Int {
    guard let position = off_t(exactly: offset) else { throw SystemFault("pread", EOVERFLOW) }
    let count = retrying { pread(descriptor, buffer.baseAddress, buffer.count, position) }
    if count < 0 { throw SystemFault("pread", errno) }
    return count
}

@Sendable private func liveReadLink(
    _ directory: Int32, _ name: ArraySlice<UInt8>, _ limit: Int
) throws(SystemFault) -> [UInt8] {
    var text = [CChar](repeating: 0, count: max(limit, 1))
    let capacity = text.count
    let count = try withTerminated(name, "readlinkat") { pointer in readlinkat(directory, pointer, &text, capacity) }
    return text.prefix(Int(count)).map { UInt8(bitPattern: $0) }
}

@Sendable private func liveRealPath(_ path: [UInt8]) throws(SystemFault) -> [UInt8] {
    var result = path
    _ = try withTerminated(path, "realpath") { pointer -> Int32 in
        guard let resolved = realpath(pointer, nil) else { return -1 }
        result = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        free(resolved)
        return 0
    }
    return result
}

@Sendable private func liveClose(_ descriptor: Int32) {
    // Never again after EINTR: Linux has closed it by then, and the number may be another thread's already.
    _ = close(descriptor)
}

@Sendable private func liveList(_ directory: Int32, _ limit: Int) throws(SystemFault) -> [DirectoryItem] {
    // closedir closes the descriptor that it was given, and ours is still needed to open what is found.
    let second = retrying { fcntl(directory, F_DUPFD_CLOEXEC, 0) }
    if second < 0 { throw SystemFault("fcntl", errno) }
    guard let stream = fdopendir(second) else {
        let fault = SystemFault("fdopendir", errno)
        _ = close(second)
        throw fault
    }
    defer { closedir(stream) }
    // The two descriptors share one position, which an earlier listing has left at the end.
    rewinddir(stream)

    var items: [DirectoryItem] = []
    while items.count < limit {
        errno = 0
        guard let item = readdir(stream) else {
            if errno != 0 { throw SystemFault("readdir", errno) }
            break
        }
        // The record may be shorter than the struct, so the struct is never copied: only its parts are read in place.
        guard let start = MemoryLayout<dirent>.offset(of: \.d_name) else { throw SystemFault("readdir", ENOSYS) }
        let text = UnsafeRawPointer(item) + start
        let length = strlen(text.assumingMemoryBound(to: CChar.self))
        let name = Array(UnsafeRawBufferPointer(start: text, count: length))
        if name == [UInt8(ascii: ".")] || name == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
        items.append(DirectoryItem(name: name, kind: FileStatus.Kind(directoryType: Int32(item.pointee.d_type))))
    }
    return items
}

extension System.Purpose {
    fileprivate var flags: Int32 {
        switch self {
        case .file: O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        case .directory: O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_DIRECTORY
        }
    }
}

/// Makes a call again as long as a signal interrupts it.
private func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// Passes `bytes` as a C string to a call that answers below zero when it failed.
private func withTerminated<Number: SignedInteger>(
    _ bytes: some Collection<UInt8>, _ name: String, _ call: (UnsafePointer<CChar>) -> Number
) throws(SystemFault) -> Number {
    // A C string would end at the NUL, and the call would answer for another file.
    if bytes.contains(0) { throw SystemFault(name, ENOENT) }
    var failure: Int32 = 0
    let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer -> Number in
        var end = 0
        for byte in bytes {
            buffer.initializeElement(at: end, to: CChar(bitPattern: byte))
            end += 1
        }
        buffer.initializeElement(at: end, to: 0)
        guard let start = buffer.baseAddress else { return -1 }
        let result = call(UnsafePointer(start))
        if result < 0 { failure = errno }
        return result
    }
    if result < 0 { throw SystemFault(name, failure) }
    return result
}

extension FileStatus.Kind {
    /// The kind that `d_type` tells, or nil where it tells none.
    fileprivate init?(directoryType: Int32) {
        switch directoryType {
        case Int32(DT_REG): self = .file
        case Int32(DT_DIR): self = .directory
        case Int32(DT_LNK): self = .symbolicLink
        case Int32(DT_FIFO): self = .other("FIFO")
        case Int32(DT_SOCK): self = .other("socket")
        case Int32(DT_CHR): self = .other("character device")
        case Int32(DT_BLK): self = .other("block device")
        default: return nil
        }
    }

    fileprivate init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symbolicLink
        case S_IFIFO: self = .other("FIFO")
        case S_IFSOCK: self = .other("socket")
        case S_IFCHR: self = .other("character device")
        case S_IFBLK: self = .other("block device")
        default: self = .other("file of an unknown kind")
        }
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        self.init(
            kind: Kind(mode: status.st_mode), mode: UInt16(truncatingIfNeeded: status.st_mode & 0o7777),
            size: UInt64(max(status.st_size, 0)),
            modified: Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)))
    }
}

extension System {
    /// The words for an error number.
    static func text(ofError number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }
}
