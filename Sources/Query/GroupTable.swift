// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Numbers groups by what they have in common, as words.
///
/// Open addressing over one array of keys: nothing is allocated for a row of a known group.
struct GroupTable {
    private var keys: [UInt64] = []
    /// Where the key of each group begins; one more at the end.
    private var starts: [Int] = [0]
    private var hashes: [UInt64] = []
    /// Numbers of groups, one more than they are; 0 for a free slot.
    ///
    /// A power of two of slots.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)
    /// The key of the row at hand.
    private var key: [UInt64] = []

    /// Begins the key of another row.
    @inline(__always)
    mutating func startKey() { key.removeAll(keepingCapacity: true) }

    /// Appends a word of a key whose words always mean the same.
    @inline(__always)
    mutating func appendWord(_ word: UInt64) { key.append(word) }

    /// Appends the value of a field to the key: what it is, then its words.
    ///
    /// Not for values that may lie outside of the record.
    @inline(__always)
    mutating func appendKey(_ place: FieldPlace, _ record: RecordView) {
        if record.isNull(place.position) { return key.append(0) }
        switch place.type {
        case .integer16, .integer32, .integer64, .boolean:
            key.append(1)
            key.append(UInt64(bitPattern: place.integer(record)))
        default: appendOther(place, record)
        }
    }

    // By itself, so that the loops over integers stay short.
    @inline(never)
    private mutating func appendOther(_ place: FieldPlace, _ record: RecordView) {
        switch place.type {
        case .objectID:
            key.append(1)
            key.append(record.load(at: place.offset, as: UInt64.self))
        case .double, .float, .date: append(place.double(record))
        case .decimal: append(record.decimal(at: place.offset))
        case .uuid:
            let uuid = record.uuid(at: place.offset)
            key.append(1)
            key.append(uuid.high)
            key.append(uuid.low)
        default: appendText(place, record)
        }
    }

    /// Both zeros are one group, and so are all that are no numbers.
    private mutating func append(_ number: Double) {
        key.append(1)
        key.append(number.isNaN ? .max : number == 0 ? 0 : number.bitPattern)
    }

    /// Equal decimals have equal parts.
    private mutating func append(_ number: DecimalValue) {
        key.append(1)
        key.append(UInt64(truncatingIfNeeded: number.significand))
        key.append(UInt64(truncatingIfNeeded: number.significand >> 64))
        let exponent = UInt64(UInt16(bitPattern: number.exponent))
        key.append(exponent << 1 | (number.isNegative ? 1 : 0))
    }

    /// Texts are equal if their bytes are, as in a comparison without options.
    private mutating func appendText(_ place: FieldPlace, _ record: RecordView) {
        guard let bytes = record.heapBytes(at: place.offset) else { return key.append(2) }
        key.append(UInt64(bytes.count) + 3)
        var word: UInt64 = 0
        var used = 0
        for byte in bytes {
            word = word << 8 | UInt64(byte)
            used += 1
            guard used == 8 else { continue }
            key.append(word)
            (word, used) = (0, 0)
        }
        if used > 0 { key.append(word) }
    }

    /// The number of the group that the key stands for, and whether it is a new one.
    mutating func number() -> (number: Int, isNew: Bool) {
        let hash = hashOfKey
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, isKey(of: number) { return (number, false) }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = hashes.count
        slots[slot] = UInt32(number + 1)
        hashes.append(hash)
        keys.append(contentsOf: key)
        starts.append(keys.count)
        if hashes.count * 2 > slots.count { grow() }
        return (number, true)
    }

    @inline(__always)
    private func isKey(of number: Int) -> Bool {
        let start = starts[number]
        guard starts[number + 1] - start == key.count else { return false }
        for index in key.indices where keys[start + index] != key[index] { return false }
        return true
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 4)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// A mixture of the words; keys are compared, so collisions only cost time.
    private var hashOfKey: UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for word in key {
            hash = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
            hash ^= hash >> 32
        }
        return hash
    }
}
