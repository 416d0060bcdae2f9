// SPDX-License-Identifier: Apache-2.0

import Schema

/// The target of the values of one record: slots of fixed width, followed by a heap.
///
/// The bytes are zero at first, and each field is written once.
protocol ValueWriter: ~Copyable {
    /// Writes into a slot.
    borrowing func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at offset: Int)
    /// Marks a field as having no value.
    borrowing func markNull(_ position: Int)
    /// Whether the record's layout is narrow.
    var isNarrow: Bool { get }
    /// The size of the record so far, where the heap goes on.
    var heapEnd: Int { get }
    /// Adds bytes to the heap.
    mutating func append(_ bytes: UnsafeRawBufferPointer)
    /// Takes a value that belongs outside the record.
    mutating func keep(_ value: ExternalValue)
}

extension ValueWriter where Self: ~Copyable {
    /// Writes one value; none is null.
    ///
    /// - Parameter resolve: Turns a key into the one to write: a temporary one into the permanent
    ///   one, or into 0 where there is none: the value is null then.
    @inline(__always)
    mutating func write(
        _ value: Value?, _ position: Int, _ field: RecordLayout.Field,
        _ resolve: (ObjectKey) -> ObjectKey
    ) {
        let slot = field.offset
        switch value {
        case nil, .null: markNull(position)
        case .integer16(let number): store(number, at: slot)
        case .integer32(let number): store(number, at: slot)
        case .integer64(let number): store(number, at: slot)
        case .double(let number), .date(let number): store(number.bitPattern, at: slot)
        case .float(let number): store(number.bitPattern, at: slot)
        case .boolean(let flag): store(UInt8(flag ? 1 : 0), at: slot)
        case .uuid(let uuid):
            store(uuid.high.byteSwapped, at: slot + SlotOffset.uuidHigh)
            store(uuid.low.byteSwapped, at: slot + SlotOffset.uuidLow)
        case .objectID(let key):
            let stored = resolve(key).rawValue
            if stored == 0 { markNull(position) } else { store(stored, at: slot) }
        case .decimal(let number):
            store(number.significand, at: slot + SlotOffset.significand)
            store(number.exponent, at: slot + SlotOffset.exponent)
            store(UInt8(number.isNegative ? 1 : 0), at: slot + SlotOffset.sign)
        case .string(let text), .uri(let text): append(text, slot: slot)
        case .binaryData(let bytes), .transformable(let bytes): append(bytes, position, field)
        }
    }

    @inline(__always)
    private mutating func append(_ text: String, slot: Int) {
        let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable {
            append(UnsafeRawBufferPointer($0), slot: slot)
        }
        if isAppended == nil { appendForeign(text, slot) }
    }

    @inline(never)
    private mutating func appendForeign(_ text: String, _ slot: Int) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), slot: slot) }
    }

    @inline(never)
    private mutating func append(
        _ bytes: [UInt8], _ position: Int, _ field: RecordLayout.Field
    ) {
        let staysInline =
            bytes.count <= RecordEncoder.inlineLimit
            && (bytes.isEmpty || !field.allowsExternalStorage)
        if staysInline {
            bytes.withUnsafeBytes { append($0, slot: field.offset) }
        } else {
            keep(ExternalValue(field: position, bytes: bytes))
            storeExternal(byteCount: bytes.count, slot: field.offset)
        }
    }
}

extension ValueWriter where Self: ~Copyable {
    /// Adds bytes to the heap and writes where they are into a slot.
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer, slot: Int) {
        if isNarrow, let near = NarrowSlot.near(heapEnd, bytes.count) {
            store(near, at: slot)
        } else {
            storeFar(start: nil, byteCount: bytes.count, slot: slot)
        }
        append(bytes)
    }

    /// Writes into a slot that the bytes live outside the record.
    mutating func storeExternal(byteCount: Int, slot: Int) {
        storeFar(start: RecordView.externalMarker, byteCount: byteCount, slot: slot)
    }

    /// Writes a start and a size into a wide slot, or into the heap where a narrow one leads to.
    ///
    /// - Parameter start: nil for what comes next in the heap.
    @inline(never)
    private mutating func storeFar(start: UInt32?, byteCount: Int, slot: Int) {
        guard isNarrow else {
            store(start ?? UInt32(heapEnd), at: slot + SlotOffset.heapStart)
            return store(UInt32(byteCount), at: slot + SlotOffset.heapByteCount)
        }
        let gap = -heapEnd & (NarrowSlot.alignment - 1)
        withUnsafeBytes(of: UInt64(0)) { append(UnsafeRawBufferPointer(rebasing: $0[..<gap])) }
        store(NarrowSlot.far(heapEnd), at: slot)
        let start = start ?? UInt32(heapEnd + SlotOffset.heapSlotByteCount)
        withUnsafeBytes(of: start.littleEndian) { append($0) }
        withUnsafeBytes(of: UInt32(byteCount).littleEndian) { append($0) }
    }
}
