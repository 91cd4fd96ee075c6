/// An archive on disk, held open: whoever reads from it reads the same file that was listed, whatever happens to its
/// name meanwhile.
final class ArchiveFile: Sendable {
    private let descriptor: Descriptor
    private let opened: FileStatus

    /// The size when it was opened.
    var size: UInt64 { opened.size }

    /// - Throws: ``ReadFault/notAFile``, or ``ReadFault/system(call:errno:)``.
    init(_ descriptor: Descriptor) throws(ReadFault) {
        self.descriptor = descriptor
        self.opened = try reading { () throws(SystemFault) in try descriptor.status() }
        guard opened.kind == .file else { throw .notAFile }
    }

    /// Fills `buffer` from `offset` on.
    ///
    /// - Throws: ``ReadFault/damaged(_:)`` when the archive ends before that, ``ReadFault/changed`` when it did not end
    ///   there while it was listed.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ReadFault) {
        if try read(into: buffer, at: offset) < buffer.count {
            throw explain(.damaged("the archive ends in the middle of it"))
        }
    }

    /// Reads as much as there is, up to the size of `buffer`.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ReadFault) -> Int {
        try reading { () throws(SystemFault) in try descriptor.read(into: buffer, at: offset) }
    }

    /// Exactly `count` bytes from `offset` on. Errors as ``fill(_:at:)``.
    func bytes(at offset: UInt64, count: Int) throws(ReadFault) -> [UInt8] {
        let bytes = try reading { () throws(SystemFault) in try descriptor.bytes(at: offset, count: count) }
        if bytes.count != count { throw explain(.damaged("the archive ends in the middle of it")) }
        return bytes
    }

    /// `fault`, or ``ReadFault/changed`` when the archive is no longer the one that was listed.
    ///
    /// Asked only after something went wrong: while sizes and checksums agree with the listing, the contents are those
    /// that the listing promised.
    func explain(_ fault: ReadFault) -> ReadFault {
        do throws(SystemFault) {
            return try descriptor.status().contentsDiffer(from: opened) ? .changed : fault
        } catch {
            return fault
        }
    }
}
