// SPDX-License-Identifier: Apache-2.0

import Lode

/// A field of a value component as its file describes it, such as `x:Float@0`.
struct ComponentColumn: Equatable {
    /// The name of the field, with those of the structures around it.
    let name: String
    /// The name of its Swift type; nil for bytes of an unknown one.
    let type: String?
    /// Its bytes in a value.
    let range: Range<Int>

    private static let sizes = [
        "Int8": 1, "Int16": 2, "Int32": 4, "Int64": 8, "Int": 8, "UInt8": 1, "UInt16": 2,
        "UInt32": 4, "UInt64": 8, "UInt": 8, "Float": 4, "Double": 8, "Bool": 1, "GameObjectID": 8,
    ]

    /// Whether cells stand to the right.
    var isNumber: Bool { type.map { $0 != "Bool" && $0 != "GameObjectID" } ?? false }

    /// The fields of a type; its bytes as a whole where it names none.
    static func columns(of type: NSPersistentStore.ComponentStatistics) -> [ComponentColumn] {
        let fields = ComponentField.list(type.fields)
        if fields.isEmpty, type.valueByteCount > 0 {
            return [ComponentColumn(name: "value", type: nil, range: 0..<type.valueByteCount)]
        }
        return fields.map { field in
            let next = fields.map(\.offset).filter { $0 > field.offset }.min() ?? Int.max
            let start = min(field.offset, type.valueByteCount)
            let end = max(start, min(next, type.valueByteCount))
            if let size = sizes[field.type], size <= end - start {
                return ComponentColumn(
                    name: field.name, type: field.type, range: start..<start + size)
            }
            return ComponentColumn(name: field.name, type: nil, range: start..<end)
        }
    }

    /// The field of a value; hexadecimal digits for one of another type.
    func value(in bytes: [UInt8]) -> ValueText {
        let bytes = bytes[range]
        let bits = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch type {
        case "Bool": return .boolean(bits & 1 == 1)
        case "Float":
            let number = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            return ValueText(NSNumber(value: number), .floatAttributeType)
        case "Double":
            return ValueText(NSNumber(value: Double(bitPattern: bits)), .doubleAttributeType)
        case "GameObjectID": return .text("\(bits >> 48)/p\(bits & (1 << 48 - 1))")
        case let type? where type.hasPrefix("U"): return .number("\(bits)")
        case .some:
            let unused = UInt64(64 - 8 * bytes.count)
            return .number("\(Int64(bitPattern: bits << unused) >> Int64(unused))")
        case nil: return .text(bytes.map(ComponentColumn.hex).joined())
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
