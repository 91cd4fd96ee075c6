/// Memory that one reader uses over and over.
///
/// Fresh pages cost more than the reading itself on a virtual machine, so a reader keeps its buffer from file to file.
/// The contents it hands out hold the same object; a reader recycles it only while nobody else does
/// (``RecycledBuffer/recycle(_:)``). Contents that are used after the next `open`, against the rules of
/// ``EntryReader``, therefore still see their own bytes.
final class RecycledBuffer {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    init() {}

    deinit { memory.deallocate() }

    /// `buffer` itself when no contents hold it any more, else a new one.
    static func recycle(_ buffer: inout RecycledBuffer) -> RecycledBuffer {
        if !isKnownUniquelyReferenced(&buffer) { buffer = RecycledBuffer() }
        return buffer
    }

    /// The first `count` bytes, with whatever they held before; the memory grows when it has to.
    ///
    /// Never empty memory: the C libraries that fill it do not take a null pointer even for no bytes.
    func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let wanted = max(count, 1)
        if memory.count < wanted {
            // What it held is not needed, so no copy as a realloc would make. Doubling keeps a run of ever larger
            // entries from allocating once for each.
            let size = max(wanted, min(memory.count * 2, 1 << 20), 4096)
            memory.deallocate()
            memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        }
        return UnsafeMutableRawBufferPointer(rebasing: memory.prefix(max(count, 0)))
    }

    /// The first `count` bytes for reading, as far as there are so many.
    func contents(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: memory.prefix(max(count, 0))))
    }
}
