// SPDX-License-Identifier: Apache-2.0

import Schema

extension RecordView {
    /// Whether a field holds a value, compared in place.
    ///
    /// False for values outside the record, which are not looked at.
    public func holds(_ value: Value, at position: Int, in layout: RecordLayout) -> Bool {
        if case .null = value { return isNull(position) }
        guard !isNull(position) else { return false }
        let offset = offset(of: layout.fields[position], in: layout)
        switch value {
        // The usual ones without making a value of the bytes.
        case .integer16(let number): return load(at: offset, as: Int16.self) == number
        case .integer32(let number): return load(at: offset, as: Int32.self) == number
        case .integer64(let number): return load(at: offset, as: Int64.self) == number
        case .double(let number), .date(let number):
            return load(at: offset, as: UInt64.self) == number.bitPattern
        case .objectID(let key): return load(at: offset, as: UInt64.self) == key.rawValue
        case .string(var text), .uri(var text): return text.withUTF8 { heapHolds($0, at: offset) }
        case .binaryData(let data), .transformable(let data):
            return data.withUnsafeBufferPointer { heapHolds($0, at: offset) }
        default: return self.value(position, in: layout) == value
        }
    }

    /// Whether a slot leads to the same bytes in the heap.
    private func heapHolds(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        guard heapByteCount(at: offset) == bytes.count, let own = heapBytes(at: offset),
            own.count == bytes.count
        else { return false }
        for index in bytes.indices where own[index] != bytes[index] { return false }
        return true
    }
}
