/// Writes binary property lists, sound and unsound ones, object by object.
struct BinaryListBuilder {
    var magic = "bplist00"
    var objects: [[UInt8]] = []
    var root: UInt64 = 0
    var offsetSize = 4
    var referenceSize = 2
    /// Instead of where the objects are.
    var offsets: [UInt64]?
    /// Instead of how many there are.
    var objectCount: UInt64?
    /// Added to where the offset table is.
    var tableShift: Int = 0
    /// Between the offset table and the trailer.
    var padding: [UInt8] = []

    init(_ objects: [[UInt8]] = []) { self.objects = objects }

    var bytes: [UInt8] {
        var file = Array(magic.utf8)
        var places: [UInt64] = []
        for object in objects {
            places.append(UInt64(file.count))
            file += object
        }
        let table = file.count
        for place in offsets ?? places { file += Self.number(place, size: offsetSize) }
        file += padding
        file += [0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: offsetSize), UInt8(truncatingIfNeeded: referenceSize)]
        file += Self.number(objectCount ?? UInt64(objects.count), size: 8)
        file += Self.number(root, size: 8)
        file += Self.number(UInt64(table + tableShift), size: 8)
        return file
    }

    static func number(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) : 0 }
    }

    /// A marker with a count.
    static func marker(_ type: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [type << 4 | UInt8(count)] : [type << 4 | 0xF, 0x13] + number(UInt64(count), size: 8)
    }

    static func ascii(_ text: String) -> [UInt8] { marker(5, text.utf8.count) + Array(text.utf8) }

    static func utf16(_ units: [UInt16]) -> [UInt8] {
        marker(6, units.count) + units.flatMap { number(UInt64($0), size: 2) }
    }

    static func data(_ bytes: [UInt8]) -> [UInt8] { marker(4, bytes.count) + bytes }

    static func array(_ references: [Int], size: Int = 2) -> [UInt8] {
        marker(0xA, references.count) + references.flatMap { number(UInt64($0), size: size) }
    }

    static func dictionary(_ keys: [Int], _ values: [Int], size: Int = 2) -> [UInt8] {
        marker(0xD, keys.count) + (keys + values).flatMap { number(UInt64($0), size: size) }
    }
}
