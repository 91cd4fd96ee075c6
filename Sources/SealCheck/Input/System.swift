#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one door to the operating system for reading an input.
///
/// Everything that a tree or a reader asks of the file system goes through a value of this type, so that a test can
/// swap one member and make "the third read fails with EIO", a short read, or a vanishing file happen. ``live`` makes
/// the real calls (`System+Live.swift`). Calls interrupted by a signal are made again, inside the live members.
///
/// Names and paths are bytes. A name with a NUL cannot be a file's; the live members answer it with ENOENT.
struct System: Sendable {
    /// What a descriptor is opened for. Every kind is close-on-exec, never becomes the controlling terminal, and never
    /// waits: opening a FIFO that nobody writes to returns at once.
    enum Purpose: Hashable, Sendable {
        /// To read a file (or to find out with ``System/status`` that it is none).
        case file
        /// To list a directory; anything else is refused with ENOTDIR.
        case directory
    }

    /// Opens what `path` names, following symbolic links: only for what a person typed.
    var open: @Sendable (_ path: [UInt8], _ purpose: Purpose) throws(SystemFault) -> Int32

    /// Opens the single component `name` in a directory. A symbolic link is refused with ELOOP (or ENOTDIR).
    var openAt:
        @Sendable (_ directory: Int32, _ name: ArraySlice<UInt8>, _ purpose: Purpose) throws(SystemFault) -> Int32

    /// What a descriptor stands for, and how large it is now.
    var status: @Sendable (_ descriptor: Int32) throws(SystemFault) -> FileStatus

    /// What `path` names, following symbolic links.
    var statusOfPath: @Sendable (_ path: [UInt8]) throws(SystemFault) -> FileStatus

    /// What the single component `name` in a directory is; a symbolic link is itself.
    var statusAt: @Sendable (_ directory: Int32, _ name: ArraySlice<UInt8>) throws(SystemFault) -> FileStatus

    /// Reads into `buffer` from `offset`. May read less than fits; 0 means the end of the file.
    var read:
        @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: UInt64)
            throws(SystemFault) -> Int

    /// The items of a directory without `.` and `..`, in no order, at most `limit` of them.
    var list: @Sendable (_ directory: Int32, _ limit: Int) throws(SystemFault) -> [DirectoryItem]

    /// The text of the symbolic link `name` in a directory, cut after `limit` bytes.
    var readLink: @Sendable (_ directory: Int32, _ name: ArraySlice<UInt8>, _ limit: Int) throws(SystemFault) -> [UInt8]

    /// The absolute path of what `path` names, without symbolic links, `.` and `..`.
    var realPath: @Sendable (_ path: [UInt8]) throws(SystemFault) -> [UInt8]

    /// Closes a descriptor. Nothing was written through it, so a failure means nothing.
    var close: @Sendable (_ descriptor: Int32) -> Void
}

/// A system call that failed.
struct SystemFault: Error, Hashable, Sendable {
    /// The call's name, as its manual page has it.
    var call: String
    var number: Int32

    init(_ call: String, _ number: Int32) {
        self.call = call
        self.number = number
    }

    /// What a call answers for a name that does not exist.
    static func noSuchFile(_ call: String) -> SystemFault { SystemFault(call, ENOENT) }

    /// Whether nothing has the name.
    var meansNotFound: Bool { [ENOENT, ENOTDIR].contains(number) }

    /// Whether a name that was there before is gone, or names another kind of thing now.
    var meansReplaced: Bool { [ENOENT, ENOTDIR, ELOOP, EISDIR].contains(number) }
}

extension ReadFault {
    init(_ fault: SystemFault) { self = .system(call: fault.call, errno: fault.number) }
}

/// Makes system calls, and turns their fault into one of reading.
func reading<Value>(_ calls: () throws(SystemFault) -> Value) throws(ReadFault) -> Value {
    do throws(SystemFault) {
        return try calls()
    } catch {
        throw ReadFault(error)
    }
}

/// What `fstat` tells of a file, as far as this tool cares.
struct FileStatus: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file, directory, symbolicLink
        /// A FIFO, socket or device; the word is for people.
        case other(String)
    }

    var kind: Kind
    /// Permission bits (`st_mode & 07777`).
    var mode: UInt16
    var size: UInt64
    /// Time of the last change of the contents, in seconds and nanoseconds.
    var modified: Timestamp

    struct Timestamp: Hashable, Sendable {
        var seconds: Int64
        var nanoseconds: Int64
    }

    /// Whether the contents can have changed between two looks at one open file. A change within one tick of the file
    /// system's clock that keeps the size goes unseen; nothing short of a lock could see it.
    func contentsDiffer(from earlier: FileStatus) -> Bool {
        size != earlier.size || modified != earlier.modified || kind != earlier.kind
    }
}

/// One item of a directory.
struct DirectoryItem: Hashable, Sendable {
    var name: [UInt8]
    /// The kind, or nil where the file system does not tell it in a listing (some XFS volumes, many network and FUSE
    /// file systems): then ``System/statusAt`` has to be asked.
    var kind: FileStatus.Kind?
}

/// An open file descriptor that closes itself.
final class Descriptor: Sendable {
    let number: Int32
    let system: System

    /// Takes ownership of an open descriptor.
    init(owning number: Int32, system: System) {
        self.number = number
        self.system = system
    }

    deinit { system.close(number) }

    /// Opens the single component `name` of this directory; never follows a link.
    func open(_ name: ArraySlice<UInt8>, for purpose: System.Purpose) throws(SystemFault) -> Descriptor {
        Descriptor(owning: try system.openAt(number, name, purpose), system: system)
    }

    func status() throws(SystemFault) -> FileStatus { try system.status(number) }

    /// Fills `buffer` from `offset` on, however many reads that takes.
    ///
    /// - Returns: the number of bytes read: less than `buffer.count` only where the file ends.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemFault) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try system.read(number, rest, offset + UInt64(done))
            if count <= 0 { break }
            done += min(count, rest.count)
        }
        return done
    }

    /// Up to `count` bytes from `offset` on: fewer only where the file ends.
    func bytes(at offset: UInt64, count: Int) throws(SystemFault) -> [UInt8] {
        var failure: SystemFault?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            do throws(SystemFault) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
