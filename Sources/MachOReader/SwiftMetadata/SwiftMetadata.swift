/// What the metadata of Swift in an image says of the protocols that matter to Live Activities.
///
/// The compiler lists every conformance in `__swift5_proto`, and that list stays when symbols are stripped. Types are
/// named without their module: app and extension compile the same source into modules of their own, and the system pairs
/// the two by the type's name.
public struct SwiftMetadata: Hashable, Sendable {
    /// A protocol that is looked for.
    public enum Conformed: String, Hashable, Sendable, CaseIterable {
        /// `ActivityKit.ActivityAttributes`
        case activityAttributes = "ActivityKit.ActivityAttributes"
        /// `AppIntents.LiveActivityIntent`
        case liveActivityIntent = "AppIntents.LiveActivityIntent"
        /// `SwiftUI.Widget`, or `WidgetKit.Widget`
        case widget = "SwiftUI.Widget"

        /// The protocol whose descriptor has this symbol.
        init?(descriptor symbol: String) {
            switch symbol.drop(while: { $0 == "_" }) {
            case "$s11ActivityKit0A10AttributesMp": self = .activityAttributes
            case "$s10AppIntents18LiveActivityIntentMp": self = .liveActivityIntent
            case "$s7SwiftUI6WidgetMp", "$s9WidgetKit0A0Mp": self = .widget
            default: return nil
            }
        }
    }

    /// Names of the types that conform, by protocol: `DeliveryAttributes`, `Order.Attributes`.
    public var types: [Conformed: Set<String>] = [:]
    /// Conformances in the list, of any protocol.
    public var conformances = 0
    /// Conformances of which the protocol or the type could not be told. What is not in ``types`` may be among them.
    public var unreadable = 0

    public init() {}
}

extension MachOImage {
    /// Whether the image holds code that Swift's compiler made.
    public var hasSwiftMetadata: Bool {
        segments.contains { segment in
            segment.value?.sections.contains { $0.segmentName == "__TEXT" && $0.name.hasPrefix("__swift5_") } == true
        }
    }

    /// Reads which types conform to the protocols of ``SwiftMetadata/Conformed``.
    ///
    /// - Parameter read: bytes of a range of the slice, cut at its end.
    /// - Returns: the metadata, or what keeps it from being read; nil for an image without any.
    /// - Throws: what `read` throws.
    ///
    /// Source: Swift's `docs/ABI/TypeMetadata.rst` and `include/swift/ABI/Metadata.h`.
    public func swiftMetadata<Failure: Error>(
        reading read: @escaping (Range<UInt64>) throws(Failure) -> Bytes
    ) throws(Failure) -> Parsed<SwiftMetadata>? {
        guard hasSwiftMetadata else { return nil }
        guard header.is64Bit else { return .fault(FormatFault(.unsupported, at: 0, in: "mach_header", field: "magic")) }
        var known: [Segment] = []
        for segment in segments {
            switch segment {
            case .value(let segment): known.append(segment)
            case .fault(let fault): return .fault(fault)
            }
        }
        guard !encryption.contains(where: { $0.value?.cryptID != 0 }) else {
            return .fault(FormatFault(.unsupported, at: 0, in: "LC_ENCRYPTION_INFO_64", field: "cryptid"))
        }
        let sections = known.flatMap(\.sections).filter { $0.segmentName == "__TEXT" && $0.name == "__swift5_proto" }
        guard !sections.isEmpty else { return .value(SwiftMetadata()) }
        let slots: PointerSlots
        switch try pointerSlots(known, reading: read) {
        case .value(let value): slots = value
        case .fault(let fault): return .fault(fault)
        }
        var reader = ConformanceReader(
            memory: ImageMemory(segments: known, order: header.order, read: read), slots: slots)
        for section in sections { try reader.read(section) }
        return .value(reader.found)
    }

    private func pointerSlots<Failure: Error>(
        _ segments: [Segment], reading read: (Range<UInt64>) throws(Failure) -> Bytes
    ) throws(Failure) -> Parsed<PointerSlots> {
        /// What a load command points to in `__LINKEDIT`: at most 64 MiB.
        func payload(_ command: LoadCommand, _ field: UInt64) throws(Failure) -> Parsed<Bytes> {
            let order = header.order
            let place = Parsed { () throws(FormatFault) in
                (
                    try command.bytes.integer(at: field, as: UInt32.self, order: order, in: command.label),
                    try command.bytes.integer(at: field + 4, as: UInt32.self, order: order, in: command.label)
                )
            }
            guard let (offset, size) = place.value else {
                return .fault(place.fault ?? FormatFault(.truncated, at: command.bytes.origin, in: command.label))
            }
            guard size <= 64 << 20 else {
                return .fault(FormatFault(.limit, at: command.bytes.origin, in: command.label, value: UInt64(size)))
            }
            return .value(try read(UInt64(offset)..<(UInt64(offset) + UInt64(size))))
        }
        let order = header.order
        if let command = commands.first(where: { $0.kind == .dyldChainedFixups }) {
            switch try payload(command, 8) {
            case .fault(let fault): return .fault(fault)
            case .value(let bytes):
                return .init { () throws(FormatFault) in .chained(try ChainedFixups(parsing: bytes, order: order)) }
            }
        }
        if let command = commands.first(where: { $0.kind == .dyldInfo || $0.kind == .dyldInfoOnly }) {
            switch try payload(command, 16) {
            case .fault(let fault): return .fault(fault)
            case .value(let bytes):
                return .init { () throws(FormatFault) in .classic(try ClassicBinds.run(bytes, segments: segments)) }
            }
        }
        return .value(.classic([:]))
    }
}
