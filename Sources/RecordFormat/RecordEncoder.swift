// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// A binary value that is to be written beside its record.
public struct ExternalValue {
    /// The field's position in the layout.
    public let field: Int
    /// The bytes.
    public let bytes: [UInt8]
}

/// Writes records into one reused buffer.
///
/// A record is made of a base record, whose bytes are copied, and a draft, whose values replace
/// fields of it. The result is valid until the next call.
public struct RecordEncoder: ~Copyable {
    private var buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    private(set) var isNarrow = false
    /// The large binary values of the record encoded last, which belong outside it.
    public internal(set) var externalValues: [ExternalValue] = []

    /// Whether the record encoded last has values that belong outside it.
    public var hasExternalValues: Bool { !externalValues.isEmpty }

    /// Binary values of more bytes than this live outside their record.
    public static let inlineLimit = 1_024
    /// The size up to which a start has 32 bits, less room for what a narrow slot leads to.
    private static let copyLimit = Int(UInt32.max) - 64

    /// Makes an encoder with room for small records.
    public init() {
        buffer = .allocate(byteCount: 1_024, alignment: 8)
    }

    deinit { buffer.deallocate() }

    /// Encodes one record.
    ///
    /// - Parameters:
    ///   - layout: The layout of the result and of the base.
    ///   - version: The optimistic-locking version to write.
    ///   - base: The record whose fields the draft does not mention, or `nil` for null fields.
    ///   - draft: The values that replace the base's.
    ///   - changedFields: Which fields the draft sets, as ``RecordDraft/setFields(_:)`` says, or
    ///     `nil` to look at all. With it, a base whose heap stays as it is, is copied as a whole.
    ///   - resolve: Turns a key of a value into the one to write: a temporary one into the
    ///     permanent one, or into 0 where there is none.
    /// - Returns: The record's bytes, valid until the next call.
    /// - Complexity: O(bytes of the record).
    public mutating func encode(
        layout: RecordLayout, version: UInt32, base: RecordView?, draft: RecordDraft?,
        changedFields: UInt64? = nil, resolve: (ObjectKey) -> ObjectKey
    ) -> UnsafeRawBufferPointer {
        if let base, !base.fits(layout) {
            trap(
                "base record of layout \(base.layoutNumber), \(base.byteCount) bytes, for layout "
                    + "\(layout.number) of \(layout.fixedByteCount) bytes")
        }
        if !externalValues.isEmpty { externalValues.removeAll() }
        isNarrow = layout.isNarrow
        if let base, let changedFields, changedFields & layout.heapFields == 0 {
            return patch(base, draft, changedFields, layout, version, resolve)
        }
        begin(layout, version)
        let fields = layout.fields
        if let draft {
            // SAFETY: `draft` is a parameter, so the caller keeps the object until this returns.
            encode(Unmanaged.passUnretained(draft), fields, base, resolve)
        } else {
            for position in 0..<fields.count {
                encode(nil, position, fields[position], base, resolve)
            }
        }
        return summed()
    }

    /// Begins a record without values.
    @inline(__always)
    private mutating func begin(_ layout: RecordLayout, _ version: UInt32) {
        count = layout.fixedByteCount
        reserve(count)
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(
            as: UInt8.self, repeating: 0)
        store(layout.number, at: RecordOffset.layoutNumber)
        store(version, at: RecordOffset.version)
    }

    /// Encodes a record anew, in the layout that its entity has in another model.
    ///
    /// The version stays. Values that lie outside the record stay there.
    ///
    /// - Parameters:
    ///   - record: A record of the conversion's former layout.
    ///   - conversion: Where the fields come from.
    ///   - isLost: Whether the destination of a to-one relationship goes, so that the field has
    ///     none any more.
    /// - Returns: The record's bytes, valid until the next call.
    /// - Complexity: O(bytes of the record).
    public mutating func convert(
        _ record: RecordView, by conversion: RecordConversion, isLost: (ObjectKey) -> Bool
    ) -> UnsafeRawBufferPointer {
        require(
            record.fits(conversion.former),
            "a record of layout \(record.layoutNumber) to be converted from layout "
                + "\(conversion.former.number)")
        if !externalValues.isEmpty { externalValues.removeAll() }
        isNarrow = conversion.layout.isNarrow
        begin(conversion.layout, record.version)
        for (position, origin) in conversion.fields.enumerated() {
            let field = conversion.layout.fields[position]
            guard let source = origin.source, !record.isNull(source) else {
                write(origin.fallback, position, field, { $0 })
                continue
            }
            let old = conversion.former.fields[source]
            if origin.isLink,
                isLost(ObjectKey(rawValue: record.load(at: old.offset, as: UInt64.self)))
            {
                markNull(position)
            } else {
                copy(source, old, of: record, to: position, field)
            }
        }
        return summed()
    }

    /// Encodes all fields.
    // SAFETY: the only caller is the function above, whose parameter keeps the draft.
    @inline(__always)
    private mutating func encode(
        _ draft: Unmanaged<RecordDraft>, _ fields: ContiguousArray<RecordLayout.Field>,
        _ base: RecordView?,
        _ resolve: (ObjectKey) -> ObjectKey
    ) {
        draft._withUnsafeGuaranteedRef { draft in
            draft.withUnsafeMutablePointers { header, elements in
                require(
                    fields.count <= header.pointee.fieldCount,
                    "a draft of \(header.pointee.fieldCount) fields for \(fields.count)")
                for position in 0..<fields.count {
                    // Out and back in: a copy would count references.
                    let value = (elements + position).move()
                    encode(value, position, fields[position], base, resolve)
                    (elements + position).initialize(to: value)
                }
            }
        }
    }

    /// Copies a record and replaces fields of fixed width.
    private mutating func patch(
        _ base: RecordView, _ draft: RecordDraft?, _ changedFields: UInt64, _ layout: RecordLayout,
        _ version: UInt32, _ resolve: (ObjectKey) -> ObjectKey
    ) -> UnsafeRawBufferPointer {
        count = base.byteCount
        reserve(count)
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).copyMemory(from: base.bytes)
        store(version, at: RecordOffset.version)
        var rest = changedFields
        while rest != 0 {
            let position = rest.trailingZeroBitCount
            rest &= rest - 1
            guard let value = draft?[position] else { continue }
            clear(position, layout.fields[position])
            encode(value, position, layout.fields[position], base, resolve)
        }
        return summed()
    }

    var heapEnd: Int { count }

    /// The record, with its checksum.
    @inline(__always)
    private func summed() -> UnsafeRawBufferPointer {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        let sum = RecordChecksum.compute(bytes, skippingAt: RecordOffset.checksum)
        store(sum, at: RecordOffset.checksum)
        return bytes
    }

    /// Makes a field as it is before anything is written: not null, its slot zero.
    private func clear(_ position: Int, _ field: RecordLayout.Field) {
        let bitmap = RecordOffset.nullByte(position)
        store(buffer[bitmap] & ~(1 << UInt8(position & 7)), at: bitmap)
        for offset in field.offset..<field.offset + field.type.slotWidth { buffer[offset] = 0 }
    }

    @inline(__always)
    private mutating func reserve(_ total: Int) {
        if total > buffer.count { grow(total) }
    }

    @inline(never)
    private mutating func grow(_ total: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(total, buffer.count * 2), alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        buffer = larger
    }

    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at offset: Int
    ) {
        buffer.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    func markNull(_ position: Int) {
        // Loaded and stored apart: the thread sanitizer cannot compile `|=` on a borrowed buffer.
        let offset = RecordOffset.nullByte(position)
        store(buffer[offset] | 1 << UInt8(position & 7), at: offset)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(count + bytes.count)
        if let source = bytes.baseAddress, let target = buffer.baseAddress {
            (target + count).copyMemory(from: source, byteCount: bytes.count)
        }
        count += bytes.count
    }

    @inline(__always)
    mutating func copy(
        _ position: Int, of base: RecordView, _ field: RecordLayout.Field
    ) {
        copy(position, field, of: base, to: position, field)
    }

    /// Copies a field into another place, of a layout that is as narrow or wide.
    @inline(__always)
    private mutating func copy(
        _ source: Int, _ old: RecordLayout.Field, of base: RecordView, to position: Int,
        _ field: RecordLayout.Field
    ) {
        if base.isNull(source) {
            markNull(position)
        } else if field.type.isVariableLength {
            guard let bytes = base.heapBytes(at: old.offset) else {
                let byteCount = base.heapByteCount(at: old.offset)
                return storeExternal(byteCount: byteCount, slot: field.offset)
            }
            // Only in a damaged record do values share bytes, and so take more room than there is.
            guard count + bytes.count <= RecordEncoder.copyLimit else { return markNull(position) }
            append(bytes, slot: field.offset)
        } else {
            let width = field.type.slotWidth
            let source = UnsafeRawBufferPointer(
                rebasing: base.bytes[old.offset..<old.offset + width])
            UnsafeMutableRawBufferPointer(rebasing: buffer[field.offset...]).copyMemory(
                from: source)
        }
    }
}
