// SPDX-License-Identifier: Apache-2.0

import Schema

/// How one value of a draft is written into its slot and the heap.
extension RecordEncoder {
    // Never inlined: what a parameter borrows, a switch takes apart without copying it.
    @inline(never)
    mutating func encode(
        _ value: Value?, _ position: Int, _ field: RecordLayout.Field, _ base: RecordView?,
        _ resolve: (ObjectKey) -> ObjectKey
    ) {
        let slot = field.offset
        switch value {
        case nil:
            if let base { copy(position, of: base, field) } else { markNull(position) }
        case .null: markNull(position)
        case .integer16(let number): store(number, at: slot)
        case .integer32(let number): store(number, at: slot)
        case .integer64(let number): store(number, at: slot)
        case .double(let number), .date(let number): store(number.bitPattern, at: slot)
        case .float(let number): store(number.bitPattern, at: slot)
        case .boolean(let flag): store(UInt8(flag ? 1 : 0), at: slot)
        case .uuid(let uuid):
            store(uuid.high.byteSwapped, at: slot)
            store(uuid.low.byteSwapped, at: slot + 8)
        case .objectID(let key):
            store((key.isTemporary ? resolve(key) : key).rawValue, at: slot)
        case .decimal(let number):
            store(number.significand, at: slot)
            store(number.exponent, at: slot + 16)
            store(UInt8(number.isNegative ? 1 : 0), at: slot + 18)
        case .string(let text), .uri(let text): append(text, slot: slot)
        case .binaryData(let bytes), .transformable(let bytes):
            append(bytes, position: position, field: field)
        }
    }

    private mutating func append(_ text: String, slot: Int) {
        let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable {
            append(UnsafeRawBufferPointer($0), slot: slot)
        }
        guard isAppended == nil else { return }
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), slot: slot) }
    }

    private mutating func append(_ bytes: [UInt8], position: Int, field: RecordLayout.Field) {
        let staysInline =
            bytes.count <= RecordEncoder.inlineLimit
            && (bytes.isEmpty || !field.allowsExternalStorage)
        if staysInline {
            bytes.withUnsafeBytes { append($0, slot: field.offset) }
        } else {
            externalValues.append(ExternalValue(field: position, bytes: bytes))
            store(RecordView.externalMarker, at: field.offset)
            store(UInt32(bytes.count), at: field.offset + 4)
        }
    }
}
