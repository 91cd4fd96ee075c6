internal import COpenSSL
import MachOReader

/// A CMS message, decoded by OpenSSL.
final class SignatureMessageReader {
    private let message: OpaquePointer

    /// Nil when the bytes are no signed CMS message. What follows the message is ignored.
    init?(_ bytes: ArraySlice<UInt8>) {
        let decoded = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_CMS_ContentInfo(nil, &cursor, buffer.count)
        }
        defer { ERR_clear_error() }
        guard let decoded else { return nil }
        guard OBJ_obj2nid(CMS_get0_type(decoded)) == NID_pkcs7_signed else {
            CMS_ContentInfo_free(decoded)
            return nil
        }
        message = decoded
    }

    deinit { CMS_ContentInfo_free(message) }

    /// Whether the message is signed over `content` and its attributes by the certificate in it.
    ///
    /// - Returns: nil if it is; else what OpenSSL says.
    func fault(over content: ArraySlice<UInt8>) -> String? {
        content.withUnsafeBufferPointer { buffer in
            guard let input = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
                return "there is no memory for it"
            }
            defer { BIO_free(input) }
            let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
            if CMS_verify(message, nil, nil, input, nil, flags) == 1 { return nil }
            defer { ERR_clear_error() }
            // The first error is the cause; what follows tells who called whom.
            guard let reason = ERR_reason_error_string(ERR_get_error()) else { return "it does not verify" }
            return String(cString: reason)
        }
    }

    /// The values of a signed attribute of the first signer, each as the contents of its ASN.1 value: the bytes of an
    /// octet string, the whole encoding of a sequence. Nil when there is no such attribute.
    func signedAttribute(_ type: String) -> [[UInt8]]? {
        defer { ERR_clear_error() }
        guard let signers = CMS_get0_SignerInfos(message), let first = OPENSSL_sk_value(signers, 0),
            let object = OBJ_txt2obj(type, 1)
        else { return nil }
        defer { ASN1_OBJECT_free(object) }
        let signer = OpaquePointer(first)
        let position = CMS_signed_get_attr_by_OBJ(signer, object, -1)
        guard position >= 0, let attribute = CMS_signed_get_attr(signer, position) else { return nil }
        return (0..<X509_ATTRIBUTE_count(attribute)).compactMap { number in
            guard let value = X509_ATTRIBUTE_get0_type(attribute, number) else { return nil }
            let kind = ASN1_TYPE_get(value)
            guard kind == V_ASN1_OCTET_STRING || kind == V_ASN1_SEQUENCE, let string = value.pointee.value.asn1_string
            else { return nil }
            return Array(
                UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
        }
    }

    /// The signer's certificate and those that issued it, as far as the message carries them. Empty where the signer's
    /// is not there.
    func chain() -> [CertificateFacts] {
        defer { ERR_clear_error() }
        guard let signers = CMS_get0_SignerInfos(message), let first = OPENSSL_sk_value(signers, 0),
            let stack = CMS_get1_certs(message)
        else { return [] }
        defer { OPENSSL_sk_pop_free(stack) { certificate in X509_free(certificate.map { OpaquePointer($0) }) } }
        let all = (0..<OPENSSL_sk_num(stack)).compactMap { OPENSSL_sk_value(stack, $0).map { OpaquePointer($0) } }
        var chain: [CertificateFacts] = []
        var next = all.first { CMS_SignerInfo_cert_cmp(OpaquePointer(first), $0) == 0 }
        // Each is used once, so that issuers that name each other end.
        var rest = all.filter { $0 != next }
        while let certificate = next {
            chain.append(CertificateFacts(certificate))
            if chain.last?.isRoot ?? true { break }
            next = rest.first { X509_check_issued($0, certificate) == X509_V_OK }
            rest.removeAll { $0 == next }
        }
        return chain
    }
}

extension CertificateFacts {
    /// Keys of the language for parts of the subject.
    private static let keys: [(ByteString, Int32)] = [
        ("subject.CN", NID_commonName), ("subject.C", NID_countryName), ("subject.D", NID_description),
        ("subject.L", NID_localityName), ("subject.O", NID_organizationName),
        ("subject.OU", NID_organizationalUnitName), ("subject.STREET", NID_streetAddress), ("subject.UID", NID_userId),
    ]

    fileprivate init(_ certificate: OpaquePointer) {
        var bytes = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        bytes.withUnsafeMutableBufferPointer { _ = X509_digest(certificate, EVP_sha1(), $0.baseAddress, &count) }
        hash = Digest(bytes.prefix(Int(count)))
        let subject = X509_get_subject_name(certificate)
        fields = [:]
        for (key, number) in Self.keys {
            let position = X509_NAME_get_index_by_NID(subject, number, -1)
            guard position >= 0, let entry = X509_NAME_get_entry(subject, position) else { continue }
            var text: UnsafeMutablePointer<UInt8>?
            let length = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
            guard length >= 0, let text else { continue }
            fields[key] = ByteString(bytes: Array(UnsafeBufferPointer(start: text, count: Int(length))))
            CRYPTO_free(text, nil, 0)
        }
        extensions = []
        for number in 0..<max(0, X509_get_ext_count(certificate)) {
            guard let object = X509_EXTENSION_get_object(X509_get_ext(certificate, number)),
                let data = OBJ_get0_data(object)
            else { continue }
            extensions.insert(Array(UnsafeBufferPointer(start: data, count: OBJ_length(object))))
        }
        isRoot = X509_check_issued(certificate, certificate) == X509_V_OK
    }
}
