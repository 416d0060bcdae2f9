// SPDX-License-Identifier: Apache-2.0

import Schema

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a record has one of the values of an index.
package struct KeyField {
    let position: Int
    let offset: Int
    let type: AttributeType
    let isDescending: Bool

    package init(_ position: Int, in layout: RecordLayout, isDescending: Bool) {
        self.position = position
        offset = layout.fields[position].offset
        type = layout.fields[position].type
        self.isDescending = isDescending
    }
}

/// The index keys of records, one behind the other, with the bytes that ``IndexKey`` makes of the
/// same values.
///
/// Each record that is written comes by here once for each index. So keys are made of the record's
/// bytes without a value or a text in between, in memory that is asked for in large pieces.
package struct KeyBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The size of all keys in bytes.
    package private(set) var count = 0

    package init() {
        capacity = 1_024
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// All keys, valid until the next one is appended.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// Whether two pieces have the same bytes.
    package func isSame(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        UnsafeRawBufferPointer(rebasing: bytes[first])
            .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: bytes[second]))
    }

    /// Forgets what lies behind a place.
    package mutating func truncate(to count: Int) { self.count = count }

    /// Appends the whole key of a record, which may be longer than an index takes.
    ///
    /// - Returns: Whether all values are there. A value outside the record has no place in an
    ///   index; it sorts as absent.
    package mutating func append(
        _ record: RecordView, _ fields: UnsafeBufferPointer<KeyField>
    ) -> Bool {
        var isComplete = true
        for field in fields {
            let start = count
            if !appendValue(field, record) {
                reserve(1)
                put(OrderedBytes.null)
                isComplete = false
            }
            if field.isDescending { complement(from: start) }
        }
        return isComplete
    }

    /// Appends a value; nothing, and returns false, where there is none.
    private mutating func appendValue(_ field: KeyField, _ record: RecordView) -> Bool {
        if record.isNull(field.position) { return false }
        let offset = field.offset
        switch field.type {
        case .integer16: append(Int64(record.load(at: offset, as: Int16.self)))
        case .integer32: append(Int64(record.load(at: offset, as: Int32.self)))
        case .integer64: append(record.load(at: offset, as: Int64.self))
        case .double, .date:
            append(Double(bitPattern: record.load(at: offset, as: UInt64.self)))
        case .float:
            append(Double(Float(bitPattern: record.load(at: offset, as: UInt32.self))))
        case .boolean:
            reserve(2)
            put(OrderedBytes.value)
            put(record.load(at: offset, as: UInt8.self) == 0 ? 0 : 1)
        case .objectID: append(word: record.load(at: offset, as: UInt64.self))
        case .uuid: append(record.uuid(at: offset))
        case .decimal: append(record.decimal(at: offset))
        case .string, .uri, .binaryData, .transformable:
            guard let content = record.heapBytes(at: offset) else { return false }
            append(content)
        }
        return true
    }
}

extension KeyBuffer {
    private mutating func append(_ number: Int64) { append(word: OrderedBytes.bits(number)) }

    private mutating func append(_ number: Double) { append(word: OrderedBytes.bits(number)) }

    private mutating func append(word: UInt64) {
        reserve(9)
        put(OrderedBytes.value)
        put(word: word)
    }

    private mutating func append(_ uuid: UUIDValue) {
        reserve(17)
        put(OrderedBytes.value)
        put(word: uuid.high)
        put(word: uuid.low)
    }

    private mutating func append(_ number: DecimalValue) {
        let key = IndexKey([.decimal(number)]).bytes
        reserve(key.count)
        for byte in key { put(byte) }
    }

    private mutating func append(_ content: UnsafeRawBufferPointer) {
        // Each zero is escaped by a further byte, and two zeros end the value.
        reserve(2 * content.count + 3)
        put(OrderedBytes.value)
        if let start = content.baseAddress {
            if memchr(start, 0, content.count) == nil {
                memcpy(base + count, start, content.count)
                count += content.count
            } else {
                for byte in content {
                    put(byte)
                    if byte == 0 { put(0xFF) }
                }
            }
        }
        put(0)
        put(0)
    }

    private mutating func complement(from start: Int) {
        for index in start..<count { base[index] = ~base[index] }
    }

    /// Appends a byte for which there is room.
    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    /// Appends the bytes of a number, the greatest first, for which there is room.
    @inline(__always)
    private mutating func put(word: UInt64) {
        UnsafeMutableRawPointer(base + count).storeBytes(of: word.bigEndian, as: UInt64.self)
        count += 8
    }

    @inline(__always)
    private mutating func reserve(_ byteCount: Int) {
        if capacity - count < byteCount { grow(byteCount) }
    }

    @inline(never)
    private mutating func grow(_ byteCount: Int) {
        capacity = max(2 * capacity, count + byteCount)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
