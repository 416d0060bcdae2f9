// SPDX-License-Identifier: Apache-2.0

import Schema

extension RecordView {
    /// The start of a variable-length value whose bytes live outside the record.
    static var externalMarker: UInt32 { 0xFFFF_FFFF }

    /// Whether the record's layout is narrow.
    @inlinable
    public var isNarrow: Bool { layoutNumber >= RecordLayout.firstNarrowNumber }

    /// Where this record has a field, found by a layout of the same fields that may be wide where
    /// the record is narrow, or the other way round.
    ///
    /// The objects of a model come from files of both kinds. Code that has the layout of the
    /// record itself takes ``RecordLayout/Field/offset``.
    @inlinable
    public func offset(of field: RecordLayout.Field, in layout: RecordLayout) -> Int {
        isNarrow == layout.isNarrow ? field.offset : field.otherOffset
    }

    /// The bytes of a variable-length field; `nil` when they live outside the record.
    ///
    /// A slot that points outside the record, as only a damaged file has it, reads as empty.
    @inlinable
    public func heapBytes(at offset: Int) -> UnsafeRawBufferPointer? {
        let slot = load(at: offset, as: UInt32.self)
        guard isNarrow, slot & NarrowSlot.farBit == 0 else { return farBytes(at: offset) }
        return heap(NarrowSlot.start(slot), NarrowSlot.byteCount(slot))
    }

    /// The size of a variable-length value, wherever it lives.
    @inlinable
    public func heapByteCount(at offset: Int) -> Int {
        let slot = load(at: offset, as: UInt32.self)
        guard isNarrow, slot & NarrowSlot.farBit == 0 else { return farByteCount(at: offset) }
        return NarrowSlot.byteCount(slot)
    }

    @inlinable
    @inline(__always)
    func heap(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        start + count <= byteCount
            ? UnsafeRawBufferPointer(start: base + start, count: count)
            : UnsafeRawBufferPointer(start: nil, count: 0)
    }

    @usableFromInline
    func farBytes(at offset: Int) -> UnsafeRawBufferPointer? {
        guard let place = farPlace(at: offset) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let start = load(at: place + SlotOffset.heapStart, as: UInt32.self)
        if start == RecordView.externalMarker { return nil }
        return heap(Int(start), Int(load(at: place + SlotOffset.heapByteCount, as: UInt32.self)))
    }

    @usableFromInline
    func farByteCount(at offset: Int) -> Int {
        guard let place = farPlace(at: offset) else { return 0 }
        return Int(load(at: place + SlotOffset.heapByteCount, as: UInt32.self))
    }

    /// Where a start and a size are: in the slot itself, or in the heap; nil for a place outside
    /// the record.
    private func farPlace(at offset: Int) -> Int? {
        guard isNarrow else { return offset }
        let place = NarrowSlot.place(load(at: offset, as: UInt32.self))
        return place + SlotOffset.heapSlotByteCount <= byteCount ? place : nil
    }
}
