// SPDX-License-Identifier: Apache-2.0

import Lode

/// A field of a value component as its file describes it, such as `x:Float@0`.
struct ComponentColumn: Equatable {
    /// The name of the field, with those of the structures around it.
    let name: String
    /// What its bytes mean; nil for those of an unknown type.
    let form: FieldForm?
    /// Its bytes in a value.
    let range: Range<Int>

    /// Whether cells stand to the right.
    var isNumber: Bool { form?.isNumber ?? false }

    /// The fields of a type; its bytes as a whole where it names none.
    static func columns(of type: NSPersistentStore.ComponentStatistics) -> [ComponentColumn] {
        let fields = ComponentField.list(type.fields)
        if fields.isEmpty, type.valueByteCount > 0 {
            // An enumeration that is a component itself has its cases there.
            let form = FieldForm(type.fields)
            let isWhole = form?.byteCount == type.valueByteCount
            return [
                ComponentColumn(
                    name: "value", form: isWhole ? form : nil, range: 0..<type.valueByteCount)
            ]
        }
        return fields.map { field in
            let next = fields.map(\.offset).filter { $0 > field.offset }.min() ?? Int.max
            let start = min(field.offset, type.valueByteCount)
            let end = max(start, min(next, type.valueByteCount))
            if let form = FieldForm(field.type), form.byteCount <= end - start {
                return ComponentColumn(
                    name: field.name, form: form, range: start..<start + form.byteCount)
            }
            return ComponentColumn(name: field.name, form: nil, range: start..<end)
        }
    }

    /// The field of a value; hexadecimal digits for one of another type.
    func value(in bytes: [UInt8]) -> ValueText {
        let bytes = bytes[range]
        return form?.value(in: bytes) ?? .text(bytes.map(ComponentColumn.hex).joined())
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
