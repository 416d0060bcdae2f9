// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// How the values of a draft become the record under way.
extension RowArena: ValueWriter {
    @inline(__always)
    mutating func encode(_ draft: RecordDraft) {
        let record = next + RowArena.prefixByteCount
        record.initializeMemory(as: UInt8.self, repeating: 0, count: fixedByteCount)
        store(layoutNumber, at: RecordOffset.layoutNumber)
        store(UInt32(1), at: RecordOffset.version)
        draft.withUnsafeMutablePointers { header, elements in
            let total = header.pointee.fieldCount
            require(total == defaults.count, "\(total) fields, \(defaults.count) defaults")
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
        // A batch has no temporary keys that a save would have to resolve.
        write(value, position, fields[position]) { $0 }
    }

    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at offset: Int
    ) {
        next.storeBytes(
            of: number.littleEndian, toByteOffset: RowArena.prefixByteCount + offset,
            as: Number.self)
    }

    @inline(__always)
    func markNull(_ position: Int) {
        let offset = RowArena.prefixByteCount + RecordOffset.nullByte(position)
        let bits = next.load(fromByteOffset: offset, as: UInt8.self)
        next.storeBytes(of: bits | 1 << UInt8(position & 7), toByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    var heapEnd: Int { byteCount }

    mutating func keep(_ value: ExternalValue) {
        externalValues[count, default: []].append(value)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let end = byteCount + bytes.count
        if end > room - RowArena.prefixByteCount { addBlock(for: end, moving: byteCount) }
        if let source = bytes.baseAddress {
            (next + RowArena.prefixByteCount + byteCount).copyMemory(
                from: source, byteCount: bytes.count)
        }
        byteCount = end
    }
}
