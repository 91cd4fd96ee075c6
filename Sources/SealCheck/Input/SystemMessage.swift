#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Words for an `errno`.
enum SystemMessage {
    static func text(_ errno: Int32) -> String {
        // The pointer may be into a buffer of the thread's own: copied at once.
        strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    }
}
