/// Writes property lists in the binary form (`bplist00`).
enum PlistBinary {
    static func encode(_ value: Plist) -> [UInt8] {
        var objects: [Object] = []
        let top = collect(value, into: &objects)
        let referenceSize = objects.count < 0x100 ? 1 : objects.count < 0x1_0000 ? 2 : 4

        var file = ByteBuilder(.big)
        file.append("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(file.count)
            write(object, referenceSize: referenceSize, into: &file)
        }
        let table = file.count
        let offsetSize = table < 0x100 ? 1 : table < 0x1_0000 ? 2 : 4
        for offset in offsets { file.append(UInt64(offset).bytes(.big).suffix(offsetSize)) }
        file.appendZeros(6)
        file.append(UInt8(offsetSize))
        file.append(UInt8(referenceSize))
        file.append(UInt64(objects.count))
        file.append(UInt64(top))
        file.append(UInt64(table))
        return file.bytes
    }

    /// A value whose children have become numbers of other objects.
    private enum Object {
        case leaf(Plist)
        case array([Int])
        case dict(keys: [Int], values: [Int])
    }

    /// Adds `value` and everything in it, and returns its number. Nothing is shared between equal values.
    private static func collect(_ value: Plist, into objects: inout [Object]) -> Int {
        let number = objects.count
        objects.append(.leaf(value))
        switch value {
        case .array(let values):
            objects[number] = .array(values.map { collect($0, into: &objects) })
        case .dict(let entries):
            let keys = entries.map { collect(.string($0.key), into: &objects) }
            let values = entries.map { collect($0.value, into: &objects) }
            objects[number] = .dict(keys: keys, values: values)
        default: break
        }
        return number
    }

    private static func write(_ object: Object, referenceSize: Int, into file: inout ByteBuilder) {
        func reference(_ number: Int) -> ArraySlice<UInt8> { UInt64(number).bytes(.big).suffix(referenceSize) }
        switch object {
        case .array(let values):
            writeMarker(0xA0, count: values.count, into: &file)
            for number in values { file.append(reference(number)) }
        case .dict(let keys, let values):
            writeMarker(0xD0, count: keys.count, into: &file)
            for number in keys + values { file.append(reference(number)) }
        case .leaf(let value): writeLeaf(value, into: &file)
        }
    }

    private static func writeLeaf(_ value: Plist, into file: inout ByteBuilder) {
        switch value {
        case .bool(let flag): file.append(UInt8(flag ? 0x09 : 0x08))
        case .integer(let number): writeInteger(number, into: &file)
        case .real(let number):
            file.append(UInt8(0x23))
            file.append(number.bitPattern)
        case .date(let seconds):
            file.append(UInt8(0x33))
            file.append(seconds.bitPattern)
        case .data(let bytes):
            writeMarker(0x40, count: bytes.count, into: &file)
            file.append(bytes)
        case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
            writeMarker(0x50, count: text.utf8.count, into: &file)
            file.append(text.utf8)
        case .string(let text):
            writeMarker(0x60, count: text.utf16.count, into: &file)
            for unit in text.utf16 { file.append(unit) }
        case .uid(let number):
            file.append(UInt8(0x83))
            file.append(number)
        case .array, .dict: break  // never leaves: see collect
        }
    }

    private static func writeInteger(_ number: Int64, into file: inout ByteBuilder) {
        switch number {
        case 0..<0x100:
            file.append(UInt8(0x10))
            file.append(UInt8(number))
        case 0x100..<0x1_0000:
            file.append(UInt8(0x11))
            file.append(UInt16(number))
        case 0x1_0000..<0x1_0000_0000:
            file.append(UInt8(0x12))
            file.append(UInt32(number))
        default:
            file.append(UInt8(0x13))
            file.append(number)
        }
    }

    private static func writeMarker(_ kind: UInt8, count: Int, into file: inout ByteBuilder) {
        if count < 15 {
            file.append(kind | UInt8(count))
        } else {
            file.append(kind | 0x0F)
            writeInteger(Int64(count), into: &file)
        }
    }
}
