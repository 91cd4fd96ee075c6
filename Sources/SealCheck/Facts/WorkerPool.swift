import Synchronization

/// The file workers of one run, one a job, kept over all its phases: opening an archive again for each phase would cost
/// more than the small ones themselves.
///
/// A worker is used by the one child task that borrowed it and goes back when that task ends, so no two threads ever
/// share one; that is what makes the unchecked conformance sound.
final class WorkerPool: @unchecked Sendable {
    private let idle: Mutex<[Borrowed]>
    let jobs: Int

    private struct Borrowed: @unchecked Sendable {
        let worker: FileWorker
    }

    init(tree: any BundleTree, limits: Limits, jobs: Int) throws(ReadFault) {
        self.jobs = max(1, jobs)
        var workers: [Borrowed] = []
        let holdings = Holdings(limits: limits)
        for _ in 0..<self.jobs {
            workers.append(Borrowed(worker: try FileWorker(tree: tree, limits: limits, holdings: holdings)))
        }
        idle = Mutex(workers)
    }

    /// Runs `body` once for each number below `count`, on all workers, and returns the results in order.
    ///
    /// - Throws: `CancellationError` when the task around it is cancelled.
    func map<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (FileWorker, Int) -> Value
    ) async throws -> [Value] {
        let next = Counter()
        let parts = try await withThrowingTaskGroup(of: [(Int, Value)].self) { group in
            for _ in 0..<min(jobs, count) {
                group.addTask {
                    guard let borrowed = self.idle.withLock({ $0.popLast() }) else { return [] }
                    defer { self.idle.withLock { $0.append(borrowed) } }
                    var results: [(Int, Value)] = []
                    while true {
                        try Task.checkCancellation()
                        let index = next.advance()
                        if index >= count { break }
                        results.append((index, body(borrowed.worker, index)))
                    }
                    return results
                }
            }
            var parts: [(Int, Value)] = []
            parts.reserveCapacity(count)
            for try await part in group { parts.append(contentsOf: part) }
            return parts
        }
        return parts.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The work of all workers so far.
    var counters: Counters {
        idle.withLock { workers in
            var total = Counters()
            for borrowed in workers { total.add(borrowed.worker.counters) }
            return total
        }
    }
}

/// The next piece of work to be taken.
private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func advance() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
