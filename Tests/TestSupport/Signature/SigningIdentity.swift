import COpenSSL

/// A key and a self-signed certificate, for signatures that are not ad hoc.
///
/// They are made anew in each run, so no private key lies in the sources. The key is RSA: its signatures all have the
/// same size, and the size of a signature must be known before anything is hashed.
public final class SigningIdentity: @unchecked Sendable {
    /// One identity for all tests of a run: making a key takes a while.
    public static let shared = Result { try SigningIdentity(commonName: "Test Signing (TEAM123456)") }

    private let key: OpaquePointer
    private let certificate: OpaquePointer

    public init(commonName: String) throws {
        key = try Self.makeKey()
        certificate = try Self.makeCertificate(commonName, key)
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// A detached CMS message over the CodeDirectory in slot 0, with the two attributes that list all cdhashes.
    ///
    /// `directories` are all CodeDirectories of the signature, in the order of their slots.
    public func sign(_ directories: [(hash: Sha, bytes: [UInt8])]) throws -> [UInt8] {
        guard let content = directories.first?.bytes else { throw BuildError("nothing to sign") }
        let flags = UInt32(CMS_DETACHED | CMS_BINARY | CMS_PARTIAL | CMS_NOSMIMECAP)
        guard let message = CMS_sign(nil, nil, nil, nil, flags) else { throw Self.failure("CMS_sign") }
        defer { CMS_ContentInfo_free(message) }
        guard let signer = CMS_add1_signer(message, certificate, key, EVP_sha256(), flags) else {
            throw Self.failure("CMS_add1_signer")
        }
        let hashes: Plist = [
            "cdhashes": .array(directories.map { .data(Array($0.hash.digest($0.bytes).prefix(20))) })
        ]
        try Self.add("1.2.840.113635.100.9.1", V_ASN1_OCTET_STRING, [hashes.encoded()], to: signer)
        let agile = directories.map { directory in
            let digest = DER.encode(0x04, directory.hash.digest(directory.bytes))
            return DER.sequence([Self.objectIdentifier(directory.hash), digest])
        }
        try Self.add("1.2.840.113635.100.9.2", V_ASN1_SEQUENCE, agile, to: signer)
        try content.withUnsafeBytes { buffer in
            let input = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count))
            defer { BIO_free(input) }
            guard CMS_final(message, input, nil, flags) == 1 else { throw Self.failure("CMS_final") }
        }
        return try Self.encoded(message)
    }

    private static func encoded(_ message: OpaquePointer) throws -> [UInt8] {
        let count = i2d_CMS_ContentInfo(message, nil)
        guard count > 0 else { throw failure("i2d_CMS_ContentInfo") }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        bytes.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            i2d_CMS_ContentInfo(message, &cursor)
        }
        return bytes
    }

    /// Adds one signed attribute with all of `values`.
    private static func add(_ type: String, _ kind: Int32, _ values: [[UInt8]], to signer: OpaquePointer) throws {
        guard let attribute = X509_ATTRIBUTE_new() else { throw failure("X509_ATTRIBUTE_new") }
        defer { X509_ATTRIBUTE_free(attribute) }
        let object = OBJ_txt2obj(type, 1)
        defer { ASN1_OBJECT_free(object) }
        guard X509_ATTRIBUTE_set1_object(attribute, object) == 1 else { throw failure("X509_ATTRIBUTE_set1_object") }
        for value in values {
            guard X509_ATTRIBUTE_set1_data(attribute, kind, value, Int32(value.count)) == 1 else {
                throw failure("X509_ATTRIBUTE_set1_data")
            }
        }
        guard CMS_signed_add1_attr(signer, attribute) == 1 else { throw failure("CMS_signed_add1_attr") }
    }

    /// The DER object identifier of a digest algorithm.
    private static func objectIdentifier(_ hash: Sha) -> [UInt8] {
        switch hash {
        case .sha1: DER.encode(0x06, [0x2B, 0x0E, 0x03, 0x02, 0x1A])
        case .sha256, .sha256Truncated: DER.encode(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
        case .sha384: DER.encode(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02])
        case .sha512: DER.encode(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03])
        }
    }

    private static func makeKey() throws -> OpaquePointer {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { throw failure("EVP_PKEY_CTX_new_id") }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1,
            EVP_PKEY_keygen(context, &key) == 1, let key
        else { throw failure("EVP_PKEY_keygen") }
        return key
    }

    private static func makeCertificate(_ commonName: String, _ key: OpaquePointer) throws -> OpaquePointer {
        guard let certificate = X509_new() else { throw failure("X509_new") }
        let name = X509_get_subject_name(certificate)
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -86400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86400 * 365)
        for (field, text) in [("CN", commonName), ("OU", "TEAM123456"), ("O", "Example")] {
            X509_NAME_add_entry_by_txt(name, field, 0x1001, Array(text.utf8), Int32(text.utf8.count), -1, 0)  // UTF-8
        }
        X509_set_issuer_name(certificate, name)
        guard X509_set_pubkey(certificate, key) == 1, X509_sign(certificate, key, EVP_sha256()) > 0 else {
            X509_free(certificate)
            throw failure("X509_sign")
        }
        return certificate
    }

    private static func failure(_ call: String) -> BuildError {
        BuildError("\(call): OpenSSL error \(String(ERR_get_error(), radix: 16))")
    }
}
