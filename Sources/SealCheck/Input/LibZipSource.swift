internal import CLibZip

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets libzip read an ``ArchiveFile``.
///
/// libzip could open the path itself. Then a file that is swapped during the run would be listed in one version and
/// read in another, and a test could not make a read fail.
final class LibZipSource {
    /// What reading threw last. libzip's error codes cannot carry it.
    var failure: ReadFault?

    private let file: ArchiveFile
    private var position: UInt64 = 0
    private var error = zip_error_t()
    /// A part of the file that starts at ``windowStart``. libzip reads headers of some 30 bytes and data in steps of
    /// 8 KiB; each would be a system call.
    private var window: [UInt8] = []
    private var windowStart: UInt64 = 0

    private static let windowSize = 64 << 10

    init(_ file: ArchiveFile) {
        self.file = file
        zip_error_init(&error)
    }

    deinit { zip_error_fini(&error) }

    /// The source as libzip takes it; it keeps this object alive until it is freed.
    func makeHandle(_ error: inout zip_error_t) -> OpaquePointer? {
        let state = Unmanaged.passRetained(self)
        let handle = zip_source_function_create(
            { state, data, length, command in
                guard let state else { return -1 }
                let source = Unmanaged<LibZipSource>.fromOpaque(state)
                if command == ZIP_SOURCE_FREE {
                    source.release()
                    return 0
                }
                return source.takeUnretainedValue().run(command, data, length)
            }, state.toOpaque(), &error)
        if handle == nil { state.release() }
        return handle
    }

    private func run(
        _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
    ) -> zip_int64_t {
        switch command {
        case ZIP_SOURCE_SUPPORTS:
            return [
                ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
                ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
            ].reduce(0) { $0 | 1 << zip_int64_t($1.rawValue) }
        case ZIP_SOURCE_OPEN:
            position = 0
            return 0
        case ZIP_SOURCE_CLOSE:
            return 0
        case ZIP_SOURCE_READ:
            guard let data, let count = Int(exactly: length) else { return length == 0 ? 0 : fail(ZIP_ER_INVAL) }
            return read(into: UnsafeMutableRawBufferPointer(start: data, count: count))
        case ZIP_SOURCE_STAT:
            guard let data, length >= MemoryLayout<zip_stat_t>.size else { return fail(ZIP_ER_INVAL) }
            var status = zip_stat_t()
            zip_stat_init(&status)
            status.size = file.size
            status.valid = zip_uint64_t(ZIP_STAT_SIZE)
            data.storeBytes(of: status, as: zip_stat_t.self)
            return zip_int64_t(MemoryLayout<zip_stat_t>.size)
        case ZIP_SOURCE_SEEK:
            guard let data else { return fail(ZIP_ER_INVAL) }
            let target = zip_source_seek_compute_offset(position, file.size, data, length, &error)
            guard let target = UInt64(exactly: target) else { return -1 }
            position = target
            return 0
        case ZIP_SOURCE_TELL:
            return zip_int64_t(clamping: position)
        case ZIP_SOURCE_ERROR:
            guard let data else { return -1 }
            return zip_error_to_data(&error, data, length)
        default:
            return fail(ZIP_ER_OPNOTSUPP)
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> zip_int64_t {
        do throws(ReadFault) {
            if buffer.count >= Self.windowSize {
                let count = try file.read(into: buffer, at: position)
                position += UInt64(count)
                return zip_int64_t(count)
            }
            var done = 0
            while done < buffer.count {
                guard let available = try bytesAtPosition(), !available.isEmpty else { break }
                let part = available.prefix(buffer.count - done)
                UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: part)
                done += part.count
                position += UInt64(part.count)
            }
            return zip_int64_t(done)
        } catch {
            failure = error
            return fail(ZIP_ER_READ)
        }
    }

    /// What the window holds from the position on, after reading on where it holds nothing; nil at the end of the file.
    private func bytesAtPosition() throws(ReadFault) -> ArraySlice<UInt8>? {
        if position < windowStart || position - windowStart >= UInt64(window.count) {
            if position >= file.size { return nil }
            window = try file.bytes(at: position, count: Int(min(file.size - position, UInt64(Self.windowSize))))
            windowStart = position
        }
        return window.dropFirst(Int(position - windowStart))
    }

    private func fail(_ code: Int32) -> zip_int64_t {
        zip_error_set(&error, code, code == ZIP_ER_READ ? EIO : 0)
        return -1
    }
}
