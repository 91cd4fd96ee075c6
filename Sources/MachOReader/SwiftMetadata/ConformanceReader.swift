/// Walks `__swift5_proto`: conformance descriptors, and the context descriptors that name their types.
struct ConformanceReader<Failure: Error> {
    var memory: ImageMemory<Failure>
    let slots: PointerSlots
    private(set) var found = SwiftMetadata()

    /// Conformances that are read at most. The largest apps have some 50,000.
    private static var maximum: UInt64 { 1 << 18 }
    /// Types nested in each other at most.
    private static var maximumDepth: Int { 32 }
    /// Extensions of types in extensions, at most.
    private static var maximumExtensions: Int { 4 }

    init(memory: ImageMemory<Failure>, slots: PointerSlots) {
        self.memory = memory
        self.slots = slots
    }

    mutating func read(_ section: Segment.Section) throws(Failure) {
        let count = min(section.size / 4, Self.maximum)
        if section.size / 4 > count { found.unreadable += 1 }
        for index in 0..<count {
            found.conformances += 1
            let (address, overflow) = section.address.addingReportingOverflow(index * 4)
            guard !overflow, let record = try memory.relative(at: address) else {
                found.unreadable += 1
                continue
            }
            try conformance(at: record.target)
        }
    }

    private mutating func conformance(at descriptor: UInt64) throws(Failure) {
        guard let reference = try memory.relative(at: descriptor, mask: ~1) else {
            found.unreadable += 1
            return
        }
        // A protocol of this very image is none of Apple's.
        guard reference.low != 0 else { return }
        guard let target = try target(at: reference.target) else {
            found.unreadable += 1
            return
        }
        guard case .symbol(let symbol) = target, let conformed = SwiftMetadata.Conformed(descriptor: symbol) else {
            return
        }
        guard let name = try typeName(of: descriptor) else {
            found.unreadable += 1
            return
        }
        found.types[conformed, default: []].insert(name)
    }

    /// The type of a conformance, by the kind of reference in bits 3 to 5 of its flags.
    private mutating func typeName(of descriptor: UInt64) throws(Failure) -> String? {
        guard let flags = try memory.word(at: descriptor &+ 12),
            let reference = try memory.relative(at: descriptor &+ 4)
        else { return nil }
        switch flags >> 3 & 7 {
        case 0: return try contextName(at: reference.target)
        case 1:
            switch try target(at: reference.target) {
            case .address(let address): return try contextName(at: address)
            case .symbol(let symbol): return MangledName.type(symbol)
            case nil: return nil
            }
        case 2: return try memory.text(at: reference.target)
        default: return nil
        }
    }

    /// The name of a type, those of the types around it before it; module, extension and file scopes left out.
    private mutating func contextName(at descriptor: UInt64, extensions: Int = 0) throws(Failure) -> String? {
        var parts: [String] = []
        var address = descriptor
        for _ in 0..<Self.maximumDepth {
            guard let flags = try memory.word(at: address) else { return nil }
            switch flags & 0x1f {
            case 0: return parts.isEmpty ? nil : parts.reversed().joined(separator: ".")  // module
            case 1:  // extension: the name goes on with the type that it extends
                guard let extended = try extendedType(of: address, extensions: extensions + 1) else { return nil }
                return ([extended] + parts.reversed()).joined(separator: ".")
            case 2: break  // anonymous
            case 3, 16, 17, 18:  // protocol, class, struct, enum
                guard let pointer = try memory.relative(at: address &+ 8),
                    let name = try memory.text(at: pointer.target), !name.isEmpty
                else { return nil }
                parts.append(name)
            default: return nil
            }
            guard let parent = try memory.relative(at: address &+ 4, mask: ~1) else { return nil }
            if parent.low == 0 {
                address = parent.target
                continue
            }
            switch try target(at: parent.target) {
            case .address(let outer): address = outer
            // A context of another image: a type of somebody else's, or its module.
            case .symbol(let symbol):
                let outer = MangledName.type(symbol).map { [$0] } ?? []
                return parts.isEmpty ? nil : (outer + parts.reversed()).joined(separator: ".")
            case nil: return nil
            }
        }
        return nil
    }

    /// The type that an extension's context extends: a mangled name that is a reference to the type's descriptor, as
    /// the compiler writes it for every nominal type (control bytes 1 and 2: relative, through a pointer).
    private mutating func extendedType(of descriptor: UInt64, extensions: Int) throws(Failure) -> String? {
        guard extensions <= Self.maximumExtensions, let name = try memory.relative(at: descriptor &+ 8),
            let control = try memory.bytes(at: name.target, count: 1)?.slice.first,
            let reference = try memory.relative(at: name.target &+ 1)
        else { return nil }
        switch control {
        case 1: return try contextName(at: reference.target, extensions: extensions)
        case 2:
            switch try target(at: reference.target) {
            case .address(let address): return try contextName(at: address, extensions: extensions)
            case .symbol(let symbol): return MangledName.type(symbol)
            case nil: return nil
            }
        default: return nil
        }
    }

    private mutating func target(at address: UInt64) throws(Failure) -> PointerSlots.Target? {
        guard let segment = memory.segment(at: address), let raw = try memory.pointer(at: address) else { return nil }
        return slots.target(of: raw, at: address, in: segment, base: memory.base)
    }
}

/// The plain part of Swift's mangling: nominal types in modules, with word substitutions (`docs/ABI/Mangling.rst`).
enum MangledName {
    /// The type that a symbol names, without its module: `DeliveryAttributes` of `_$s4Core18DeliveryAttributesVMn`.
    /// Nil for anything that is not plainly a nominal type.
    static func type(_ symbol: String) -> String? {
        var rest = Substring(symbol).drop { $0 == "_" }
        guard rest.hasPrefix("$s") else { return nil }
        rest = rest.dropFirst(2)
        var words: [Substring] = []
        var names: [String] = []
        while let first = rest.first, first.isASCII, first.isNumber {
            guard let name = identifier(&rest, &words) else { return nil }
            names.append(name)
            if names.count > 1 {
                guard let kind = rest.popFirst(), "VCO".contains(kind) else { return nil }
            }
        }
        guard names.count > 1, rest == "Mn" || rest == "N" || rest == "Ma" else { return nil }
        return names.dropFirst().joined(separator: ".")
    }

    /// `10Attributes`, or `0A10Attributes` where A stands for the first word so far.
    private static func identifier(_ rest: inout Substring, _ words: inout [Substring]) -> String? {
        var result = ""
        if rest.first == "0" {
            rest = rest.dropFirst()
            var isLast = false
            while !isLast {
                guard let letter = rest.popFirst(), let value = letter.asciiValue, letter.isLetter else { return nil }
                isLast = letter.isUppercase
                let index = Int(value) - Int(UInt8(ascii: isLast ? "A" : "a"))
                guard words.indices.contains(index) else { return nil }
                result += words[index]
            }
            if rest.first == "0" {
                rest = rest.dropFirst()
                return result
            }
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let length = Int(digits), length > 0, length <= 1_024 else { return nil }
        rest = rest.dropFirst(digits.count)
        guard rest.utf8.count >= length, rest.allSatisfy(\.isASCII) else { return nil }
        let literal = rest.prefix(length)
        rest = rest.dropFirst(length)
        words += Self.words(of: literal)
        return result + literal
    }

    /// The words of an identifier that later ones can refer to: begun by a capital or after a non-letter, of two
    /// letters or more; 26 at most.
    private static func words(of literal: Substring) -> [Substring] {
        var words: [Substring] = []
        var start: Substring.Index?
        var previous: Character = "_"
        func isStart(_ character: Character) -> Bool { !character.isNumber && character != "_" && character != "$" }
        func ends(_ character: Character) -> Bool {
            character == "_" || (!previous.isUppercase && character.isUppercase)
        }
        for index in literal.indices {
            let character = literal[index]
            if let begun = start, ends(character) {
                if literal.distance(from: begun, to: index) >= 2 { words.append(literal[begun..<index]) }
                start = nil
            }
            if start == nil, isStart(character) { start = index }
            previous = character
        }
        if let begun = start, literal.distance(from: begun, to: literal.endIndex) >= 2 {
            words.append(literal[begun...])
        }
        return words
    }
}
