public import MachOReader

/// The message of a certificate's signature: what it says of the CodeDirectories, and whether it is signed by the
/// certificate that it carries. Chain, dates and revocation are looked at by nobody here.
public struct SignatureMessage: Hashable, Sendable {
    /// What the message says of one CodeDirectory.
    public enum Binding: Hashable, Sendable {
        /// It is the content that was signed, or one of the signed attributes has its digest.
        case signed
        /// A signed attribute has another digest for its hash type: the message was made over another CodeDirectory.
        case differs
        /// Nothing in the message is about it.
        case unmentioned
    }

    /// Whether the signature fits the content (the CodeDirectory in slot 0) and the signed attributes; if not, why.
    public var fault: Fault?
    /// One for each CodeDirectory of a viable hash type, by its slot. Empty where ``fault`` stands.
    public var bindings: [Slot: Binding] = [:]
    /// The signer's certificate and its issuers, as the message has them. Nobody asked whether they are to be trusted.
    public var chain: [CertificateFacts] = []

    public enum Fault: Hashable, Sendable {
        /// The bytes are no CMS message with signed data.
        case undecodable
        /// The signature does not fit, in OpenSSL's words.
        case unverified(String)
    }

    /// Whether any CodeDirectory is another than the one that was signed.
    public var hasDifference: Bool { bindings.values.contains(.differs) }
}
