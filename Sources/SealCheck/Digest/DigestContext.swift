import COpenSSL

/// Computes digests with OpenSSL. One context is used by one thread at a time, again and again: fetching a digest
/// and making a context cost more than hashing a page.
final class DigestContext {
    let algorithm: DigestAlgorithm
    private let context: OpaquePointer
    private let function: OpaquePointer

    /// - Throws: ``DigestFault`` when OpenSSL cannot supply the function (a build without it, or no memory).
    init(_ algorithm: DigestAlgorithm) throws(DigestFault) {
        let name =
            switch algorithm {
            case .sha1: "SHA1"
            case .sha256: "SHA2-256"
            case .sha384: "SHA2-384"
            }
        guard let function = EVP_MD_fetch(nil, name, nil) else { throw DigestFault(function: name) }
        guard let context = EVP_MD_CTX_new() else {
            EVP_MD_free(function)
            throw DigestFault(function: name)
        }
        self.algorithm = algorithm
        self.function = function
        self.context = context
        guard EVP_DigestInit_ex(context, function, nil) == 1 else { throw DigestFault(function: name) }
    }

    deinit {
        EVP_MD_CTX_free(context)
        EVP_MD_free(function)
    }

    /// Forgets what was hashed.
    func reset() throws(DigestFault) {
        guard EVP_DigestInit_ex(context, function, nil) == 1 else { throw DigestFault(function: algorithm.rawValue) }
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws(DigestFault) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw DigestFault(function: algorithm.rawValue)
        }
    }

    /// Ends the digest, and makes the context ready for the next.
    func finish() throws(DigestFault) -> Digest {
        var length: UInt32 = 0
        var failed = false
        let size = algorithm.size
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            failed = EVP_DigestFinal_ex(context, buffer.baseAddress, &length) != 1 || Int(length) != size
            count = failed ? 0 : size
        }
        if failed { throw DigestFault(function: algorithm.rawValue) }
        try reset()
        return Digest(bytes)
    }
}

/// OpenSSL could not compute a digest. Nothing can be verified then.
public struct DigestFault: Error, Hashable, Sendable {
    /// OpenSSL's name of the function.
    public var function: String
}

/// The contexts of one thread, one a function, made when first wanted.
final class DigestContexts {
    private var contexts: [DigestAlgorithm: DigestContext] = [:]

    func context(_ algorithm: DigestAlgorithm) throws(DigestFault) -> DigestContext {
        if let context = contexts[algorithm] { return context }
        let context = try DigestContext(algorithm)
        contexts[algorithm] = context
        return context
    }

    /// The digest of bytes that are at hand.
    func digest(_ bytes: some Sequence<UInt8>, _ algorithm: DigestAlgorithm) throws(DigestFault) -> Digest {
        let context = try context(algorithm)
        let array = Array(bytes)
        // The span's closure hands a typed error on; the array's own does not.
        try array.span.bytes.withUnsafeBytes { buffer throws(DigestFault) in try context.update(buffer) }
        return try context.finish()
    }

    /// The digests of bytes that are at hand.
    func digests(
        _ bytes: some Sequence<UInt8>, _ algorithms: Set<DigestAlgorithm>
    ) throws(DigestFault) -> DigestSet {
        var set = DigestSet()
        for algorithm in algorithms { set[algorithm] = try digest(bytes, algorithm) }
        return set
    }
}
