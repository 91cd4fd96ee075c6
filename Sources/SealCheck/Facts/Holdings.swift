import Synchronization

/// What the facts of one input hold in memory to the end of the run, over all workers, against its limits.
///
/// The limits of a single file bound nothing when a file can stand there a thousand times: a kilobyte of an archive, or
/// nothing at all of a sparse disk, unpacks to a signature of megabytes.
final class Holdings: Sendable {
    private let limits: Limits
    private let signatureBytes = Mutex<UInt64>(0)
    private let nodes = Mutex<Int>(0)

    init(limits: Limits) { self.limits = limits }

    /// Counts a signature of `count` bytes that is about to be read.
    ///
    /// - Throws: ``ReadFault/limit(_:)``.
    func holdSignature(_ count: UInt64) throws(ReadFault) {
        let total = signatureBytes.withLock { total in
            let (sum, overflow) = total.addingReportingOverflow(count)
            if !overflow, sum <= limits.allSignatureBytes { total = sum }
            return overflow ? .max : sum
        }
        if total > limits.allSignatureBytes {
            throw .exceeded("bytes of all signatures", total, limits.allSignatureBytes)
        }
    }

    /// Reads a property list whose top is a dictionary. One at a time: while a list is being read it takes several times
    /// the memory that it is held in.
    func dictionary(_ bytes: [UInt8]) -> Result<PropertyList, CodeObject.InfoPlist.Fault> {
        nodes.withLock { used in
            var limits = limits
            limits.propertyListNodes = max(0, min(limits.propertyListNodes, limits.allPropertyListNodes - used))
            do throws(PropertyListFault) {
                let list = try PropertyList(parsing: bytes, limits: limits)
                used += list.nodeCount
                return list.dictionary == nil ? .failure(.notADictionary) : .success(list)
            } catch {
                return .failure(.notAPropertyList(error))
            }
        }
    }
}

extension PropertyList {
    /// This value and everything in it, keys included.
    fileprivate var nodeCount: Int {
        switch self {
        case .dictionary(let dictionary): dictionary.entries.reduce(1) { $0 + 1 + $1.value.nodeCount }
        case .array(let values): values.reduce(1) { $0 + $1.nodeCount }
        default: 1
        }
    }
}
