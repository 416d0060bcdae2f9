// SPDX-License-Identifier: Apache-2.0

import Schema

extension RecordView {
    /// Whether a field holds a value, compared in place.
    ///
    /// False for values outside the record, which are not looked at.
    public func holds(_ value: Value, at position: Int, in layout: RecordLayout) -> Bool {
        if case .null = value { return isNull(position) }
        guard !isNull(position) else { return false }
        let offset = layout.fields[position].offset
        switch value {
        case .string(let text), .uri(let text):
            guard let bytes = heapBytes(at: offset), bytes.count == text.utf8.count else {
                return false
            }
            return text.utf8.elementsEqual(bytes)
        case .binaryData(let data), .transformable(let data):
            guard let bytes = heapBytes(at: offset), bytes.count == data.count else { return false }
            return data.elementsEqual(bytes)
        default: return self.value(position, in: layout) == value
        }
    }
}
