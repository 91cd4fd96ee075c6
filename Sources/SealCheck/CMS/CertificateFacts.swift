/// What requirements can ask of a certificate (spec 9.2).
public struct CertificateFacts: Hashable, Sendable {
    /// SHA-1 of the whole certificate.
    public var hash: Digest
    /// Fields of the subject by their key in the language, such as `subject.OU`; the first of each kind.
    public var fields: [ByteString: ByteString]
    /// The object identifiers of its extensions, as DER has them.
    public var extensions: Set<[UInt8]>
    /// Whether it is its own issuer.
    public var isRoot: Bool
}

extension [CertificateFacts] {
    /// The certificate in a slot: 0 is the leaf, 1 its issuer and so on, −1 the root.
    func certificate(_ slot: Int32) -> CertificateSlot {
        let isWhole = last?.isRoot ?? false
        if slot >= 0 {
            if indices.contains(Int(slot)) { return .found(self[Int(slot)]) }
            return isWhole ? .none : .unknown
        }
        guard isWhole else { return .unknown }
        let index = count + Int(slot)
        return indices.contains(index) ? .found(self[index]) : .none
    }
}

/// What stands in a slot of a chain.
enum CertificateSlot {
    case found(CertificateFacts)
    case none
    /// The message does not carry the chain that far.
    case unknown
}
