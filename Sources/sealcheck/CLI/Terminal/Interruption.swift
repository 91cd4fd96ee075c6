import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// What happens on SIGINT, SIGTERM and SIGHUP: the temporary file goes, and the process dies by that very signal, so that
/// a shell sees it was interrupted (130 for SIGINT) and stops its loop.
enum Interruption {
    /// The path of the one temporary file at a time that is looked after, as a C string; a further one is not. Reports are
    /// put together first and written one after another, so there is hardly ever a second.
    ///
    /// The text is never freed: the handler may be reading it. The pointer is held as a number, 0 for none, because an
    /// atomic pointer is not `Sendable`.
    private static let path = Atomic<UInt>(0)

    /// Begins to look after signals. A signal that is ignored (`nohup`) stays ignored.
    static func install() {
        // Makes the static exist before a handler could ask for it: making it there could deadlock.
        _ = path.load(ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            signal(number) { number in
                if let path = Interruption.current { unlink(path) }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Looks after a file that was just made.
    static func remember(_ file: Word) {
        guard current == nil else { return }
        path.store(UInt(bitPattern: file.withCString { strdup($0) }), ordering: .releasing)
    }

    /// The file was moved or removed.
    static func forget(_ file: Word) {
        guard let current else { return }
        if file.withCString({ strcmp($0, current) }) == 0 { path.store(0, ordering: .releasing) }
    }

    private static var current: UnsafePointer<CChar>? { UnsafePointer(bitPattern: path.load(ordering: .acquiring)) }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
