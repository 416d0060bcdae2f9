// SPDX-License-Identifier: Apache-2.0

import Schema

/// How the values of a draft become the record under way; the format is that of `RecordEncoder`.
extension RowArena {
    @inline(__always)
    mutating func encode(_ draft: RecordDraft) {
        let record = next + RowArena.prefixByteCount
        record.initializeMemory(as: UInt8.self, repeating: 0, count: fixedByteCount)
        record.storeBytes(of: layoutNumber.littleEndian, as: UInt16.self)
        record.storeBytes(of: UInt32(1).littleEndian, toByteOffset: 4, as: UInt32.self)
        draft.withUnsafeMutablePointers { header, elements in
            let total = header.pointee.fieldCount
            precondition(total == defaults.count, "\(total) fields, \(defaults.count) defaults")
            for position in 0..<fields.count {
                let value = (elements + position).move()
                write(value, position)
            }
            for position in fields.count..<total { _ = (elements + position).move() }
            if defaultsArePlain, let source = defaults.baseAddress {
                UnsafeMutableRawPointer(elements).copyMemory(
                    from: source, byteCount: total * MemoryLayout<Value?>.stride)
            } else {
                for position in 0..<total {
                    (elements + position).initialize(to: defaults[position])
                }
            }
        }
    }

    /// Writes one value into its slot and the heap.
    // Never inlined: what a parameter borrows, a switch takes apart without copying it.
    @inline(never)
    private mutating func write(_ value: Value?, _ position: Int) {
        let slot = fields[position].offset
        switch value {
        case nil, .null: markNull(position)
        case .integer16(let number): store(number, at: slot)
        case .integer32(let number): store(number, at: slot)
        case .integer64(let number): store(number, at: slot)
        case .double(let number), .date(let number): store(number.bitPattern, at: slot)
        case .float(let number): store(number.bitPattern, at: slot)
        case .boolean(let flag): store(UInt8(flag ? 1 : 0), at: slot)
        case .uuid(let uuid):
            store(uuid.high.byteSwapped, at: slot)
            store(uuid.low.byteSwapped, at: slot + 8)
        case .objectID(let key): store(key.rawValue, at: slot)
        case .decimal(let number):
            store(number.significand, at: slot)
            store(number.exponent, at: slot + 16)
            store(UInt8(number.isNegative ? 1 : 0), at: slot + 18)
        case .string(let text), .uri(let text): append(text, slot: slot)
        case .binaryData(let bytes), .transformable(let bytes): append(bytes, position)
        }
    }

    @inline(__always)
    private func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at offset: Int
    ) {
        next.storeBytes(
            of: number.littleEndian, toByteOffset: RowArena.prefixByteCount + offset,
            as: Number.self)
    }

    @inline(__always)
    private func markNull(_ position: Int) {
        let offset = RowArena.prefixByteCount + RecordLayout.headerByteCount + position >> 3
        let bits = next.load(fromByteOffset: offset, as: UInt8.self)
        next.storeBytes(of: bits | 1 << UInt8(position & 7), toByteOffset: offset, as: UInt8.self)
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
    private mutating func append(_ bytes: [UInt8], _ position: Int) {
        let field = fields[position]
        let staysInline =
            bytes.count <= RecordEncoder.inlineLimit
            && (bytes.isEmpty || !field.allowsExternalStorage)
        if staysInline {
            bytes.withUnsafeBytes { append($0, slot: field.offset) }
        } else {
            externalValues[count, default: []].append(ExternalValue(field: position, bytes: bytes))
            store(RecordView.externalMarker, at: field.offset)
            store(UInt32(bytes.count), at: field.offset + 4)
        }
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeRawBufferPointer, slot: Int) {
        let end = byteCount + bytes.count
        if end > room - RowArena.prefixByteCount { addBlock(for: end, moving: byteCount) }
        store(UInt32(byteCount), at: slot)
        store(UInt32(bytes.count), at: slot + 4)
        if let source = bytes.baseAddress {
            (next + RowArena.prefixByteCount + byteCount).copyMemory(
                from: source, byteCount: bytes.count)
        }
        byteCount = end
    }
}
