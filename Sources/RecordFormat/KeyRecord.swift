// SPDX-License-Identifier: Apache-2.0

import Schema

/// A record made of the values of an index key, for readers of no other fields.
///
/// One record is made again and again in the same memory: a view is valid until the next one.
/// Keys that do not have all of a value make no record: cut ones, and those of zero and NaN, which
/// have several forms.
public final class KeyRecord {
    private let layout: RecordLayout
    /// The positions of the key's values in the layout.
    private let positions: [Int]
    private let descending: [Bool]
    private let takesAnyZero: Bool
    private let buffer: UnsafeMutableRawBufferPointer

    /// Prepares records.
    ///
    /// - Parameters:
    ///   - layout: The layout of the records that the index is made of.
    ///   - positions: Where the layout has the values of the index.
    ///   - descending: For each value whether its element descends; empty where none does.
    ///   - takesAnyZero: Whether one form of zero, and one of NaN, may stand for all.
    /// - Returns: nil for an index with values that keys do not have whole.
    public init?(
        _ layout: RecordLayout, positions: [Int], descending: [Bool] = [],
        takesAnyZero: Bool = false
    ) {
        guard positions.allSatisfy({ KeyRecord.isReadable(layout.fields[$0].type) }) else {
            return nil
        }
        self.layout = layout
        self.positions = positions
        self.descending = descending
        self.takesAnyZero = takesAnyZero
        buffer = .allocate(
            byteCount: layout.fixedByteCount + IndexKey.maximumByteCount, alignment: 8)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        store(layout.number, at: RecordOffset.layoutNumber)
    }

    deinit { buffer.deallocate() }

    /// Whether index keys have the whole values of a type.
    public static func isReadable(_ type: AttributeType) -> Bool {
        switch type {
        case .decimal, .binaryData, .transformable: false
        default: true
        }
    }

    /// The record of a key, with no values but those of the index.
    ///
    /// - Returns: nil where only the stored record has the values.
    public func record(of key: UnsafeRawBufferPointer) -> RecordView? {
        guard key.count < IndexKey.maximumByteCount else { return nil }
        for byte in RecordOffset.nullBitmap..<RecordOffset.nullByte(layout.fields.count + 7) {
            buffer[byte] = 0xFF
        }
        var reader = KeyReader(bytes: key)
        var heap = layout.fixedByteCount
        for (place, position) in positions.enumerated() {
            reader.mask = !descending.isEmpty && descending[place] ? .max : 0
            switch reader.byte() {
            case OrderedBytes.null: continue
            case OrderedBytes.value: break
            default: return nil
            }
            guard put(&reader, layout.fields[position], &heap) else { return nil }
            buffer[RecordOffset.nullByte(position)] &= ~(1 << UInt8(position & 7))
        }
        guard reader.isAtEnd else { return nil }
        return RecordView(UnsafeRawBufferPointer(rebasing: buffer[..<heap]))
    }

    private func put(
        _ reader: inout KeyReader, _ field: RecordLayout.Field, _ heap: inout Int
    ) -> Bool {
        let offset = field.offset
        if field.type == .string || field.type == .uri { return putText(&reader, offset, &heap) }
        if field.type == .boolean {
            guard let byte = reader.byte() else { return false }
            buffer[offset] = byte
            return true
        }
        guard let word = reader.word() else { return false }
        let integer = Int64(bitPattern: word ^ 1 << 63)
        switch field.type {
        case .integer16: store(Int16(truncatingIfNeeded: integer), at: offset)
        case .integer32: store(Int32(truncatingIfNeeded: integer), at: offset)
        case .integer64: store(integer, at: offset)
        case .objectID: store(word, at: offset)
        case .uuid:
            guard let low = reader.word() else { return false }
            store(word.byteSwapped, at: offset + SlotOffset.uuidHigh)
            store(low.byteSwapped, at: offset + SlotOffset.uuidLow)
        default:
            let number = Double(bitPattern: word >> 63 == 1 ? word & ~(1 << 63) : ~word)
            if !takesAnyZero, number == 0 || number.isNaN { return false }
            if field.type == .float {
                store(Float(number).bitPattern, at: offset)
            } else {
                store(number.bitPattern, at: offset)
            }
        }
        return true
    }

    private func putText(
        _ reader: inout KeyReader, _ offset: Int, _ heap: inout Int
    ) -> Bool {
        let start = heap
        while let byte = reader.byte() {
            if byte == 0 {
                guard let next = reader.byte() else { return false }
                if next == 0 {
                    return putSlot(start, heap - start, offset)
                }
            }
            buffer[heap] = byte
            heap += 1
        }
        return false
    }

    /// Writes where a text is; false behind very many fields, where a narrow slot has no room.
    private func putSlot(_ start: Int, _ byteCount: Int, _ offset: Int) -> Bool {
        guard layout.isNarrow else {
            store(UInt32(start), at: offset + SlotOffset.heapStart)
            store(UInt32(byteCount), at: offset + SlotOffset.heapByteCount)
            return true
        }
        guard let slot = NarrowSlot.near(start, byteCount) else { return false }
        store(slot, at: offset)
        return true
    }

    private func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at offset: Int
    ) {
        buffer.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }
}
