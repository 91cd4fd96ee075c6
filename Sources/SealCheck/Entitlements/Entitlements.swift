public import MachOReader

/// What the two entitlement blobs of a signature say: slot 5 as XML, slot 7 as DER (spec 8.1).
public struct Entitlements: Hashable, Sendable {
    /// The dictionary of slot 5; nil without the slot, or when ``xmlFault`` says why it could not be read.
    public var xml: PropertyList?
    public var xmlFault: EntitlementsFault?
    /// How slot 5 is written. Signers write XML; the kernel's parser takes nothing else.
    public var xmlFormat: PropertyListFormat?
    /// The dictionary of slot 7; nil without the slot, or when ``derFault`` says why it could not be read.
    public var der: PropertyList?
    public var derFault: EntitlementsFault?
    /// What is strange about the DER, although it could be read.
    public var derOddities: Set<EntitlementsOddity>

    /// Reads the blobs, with their headers, as far as they are there.
    public init(xml xmlBlob: Bytes?, der derBlob: Bytes?, limits: Limits = .standard) {
        derOddities = []
        if let xmlBlob {
            do throws(EntitlementsFault) {
                let payload = try Self.payload(of: xmlBlob, magic: .entitlements)
                xmlFormat = PropertyList.format(of: payload)
                xml = try Self.propertyList(payload, limits)
            } catch { xmlFault = error }
        }
        if let derBlob {
            do throws(EntitlementsFault) {
                let decoded = try EntitlementsDecoder.decode(Self.payload(of: derBlob, magic: .entitlementsDER))
                der = decoded.value
                derOddities = decoded.oddities
            } catch { derFault = error }
        }
    }

    /// The dictionary that answers a query: the DER, else the XML (spec 8.1). A slot 7 with another magic counts as
    /// absent; one that cannot be decoded answers nothing (`errSecDecode`, see ``derFault``).
    public var effective: PropertyList? {
        if let der { return der }
        switch derFault {
        case nil, .badMagic: return xml
        default: return nil
        }
    }

    /// The value of one entitlement in ``effective``.
    public subscript(key: ByteString) -> PropertyList? { effective?[key] }

    /// Keys whose values differ between ``xml`` and ``der``, or that only one of them has, ascending. Empty unless both
    /// could be read.
    public var differingKeys: [ByteString] {
        guard let xml = xml?.dictionary, let der = der?.dictionary else { return [] }
        let keys = Set(xml.entries.map(\.key)).union(der.entries.map(\.key))
        return keys.filter { xml[$0] != der[$0] }.sorted()
    }

    private static func payload(of blob: Bytes, magic: BlobMagic) throws(EntitlementsFault) -> [UInt8] {
        let header = Array(blob.slice.prefix(8))
        guard header.count == 8 else { throw .truncated }
        let found = header.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard found == magic.rawValue else { throw .badMagic(found) }
        return Array(blob.slice.dropFirst(8))
    }

    private static func propertyList(_ bytes: [UInt8], _ limits: Limits) throws(EntitlementsFault) -> PropertyList {
        let value: PropertyList
        do throws(PropertyListFault) {
            value = try PropertyList(parsing: bytes, limits: limits)
        } catch { throw .propertyList(error) }
        guard value.dictionary != nil else { throw .notDictionary }
        return value
    }
}

/// Why an entitlement blob could not be read or written.
public enum EntitlementsFault: Error, Hashable, Sendable {
    /// The blob is shorter than its header.
    case truncated
    /// The blob has another magic than its slot demands.
    case badMagic(UInt32)
    case propertyList(PropertyListFault)
    /// The outermost value is no dictionary.
    case notDictionary
    /// Not the DER of spec 8.2; the offset counts bytes from the start of the payload.
    case malformedDER(offset: Int)
    /// A DER type that entitlements do not have, by its identifier byte.
    case unknownType(UInt8, offset: Int)
    /// A format version other than 1.
    case unknownVersion(Int64)
    /// Nested deeper than ``EntitlementsDecoder/maximalDepth``.
    case tooDeep
    /// A property list type without a DER form: a real number, a date, a UID, or a number above `Int64.max`.
    case notEncodable
}

/// What entitlements in DER may have that Apple's signer does not write (spec 8.2).
public enum EntitlementsOddity: Hashable, Sendable {
    case unsortedKeys
    case duplicateKeys
    /// A SET without version, as the first tools with DER wrote it.
    case oldForm
}
