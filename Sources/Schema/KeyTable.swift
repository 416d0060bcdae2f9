// SPDX-License-Identifier: Apache-2.0

/// Values by object keys: a hash table with linear probing, at most half full.
///
/// Eight consecutive keys hash to the same place and end up side by side: objects are made, saved
/// and asked for in the order of their rows, so most look-ups read memory that the one before has
/// read. A `Dictionary` hashes each key so that an attacker cannot choose keys that collide. That
/// costs more than all the rest of a look-up, and rows are handed out by the library itself.
///
/// The key 0, which no object has, marks an empty place.
@frozen
public struct KeyTable<Value> {
    @usableFromInline var keys: ContiguousArray<UInt64> = []
    @usableFromInline var values: ContiguousArray<Value?> = []
    @usableFromInline var shift: UInt64 = 0
    @usableFromInline var used = 0

    /// Makes an empty table, which takes no memory.
    @inlinable
    public init() {}

    /// The number of keys that have a value.
    @inlinable
    public var count: Int { used }

    /// Whether no key has a value.
    @inlinable
    public var isEmpty: Bool { used == 0 }

    @inlinable @inline(__always)
    func home(of key: UInt64) -> Int {
        let group = ((key >> 3) &* 0x9E37_79B9_7F4A_7C15) >> shift
        return Int(truncatingIfNeeded: group << 3 | key & 7)
    }

    /// The place of a key, or the empty one that it would take; there must be places.
    @inlinable @inline(__always)
    func place(of key: UInt64) -> Int {
        let mask = keys.count &- 1
        var index = home(of: key)
        while keys[index] != key, keys[index] != 0 { index = (index &+ 1) & mask }
        return index
    }

    /// The value of a key; setting `nil` removes the key.
    @inlinable
    public subscript(key: ObjectKey) -> Value? {
        get {
            guard used > 0 else { return nil }
            return values[place(of: key.rawValue)]
        }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
        }
    }

    /// Sets the value of a key; returns the former one.
    @inlinable
    @discardableResult
    public mutating func updateValue(_ value: Value, forKey key: ObjectKey) -> Value? {
        if (used + 1) * 2 > keys.count { grow() }
        let place = place(of: key.rawValue)
        if keys[place] == key.rawValue {
            let former = values[place]
            values[place] = value
            return former
        }
        keys[place] = key.rawValue
        values[place] = value
        used += 1
        return nil
    }

    /// Removes a key; returns the value that it had.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: ObjectKey) -> Value? {
        guard used > 0 else { return nil }
        var hole = place(of: key.rawValue)
        guard keys[hole] != 0 else { return nil }
        let former = values[hole]
        let mask = keys.count - 1
        var next = (hole + 1) & mask
        while keys[next] != 0 {
            // Entries whose home is at or before the hole move into it.
            let distance = (next - home(of: keys[next])) & mask
            if distance >= (next - hole) & mask {
                keys[hole] = keys[next]
                values[hole] = values[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        keys[hole] = 0
        values[hole] = nil
        used -= 1
        return former
    }

    @inlinable
    mutating func grow() {
        let former = keys
        var formerValues = values
        let capacity = max(former.count * 2, 16)
        keys = ContiguousArray(repeating: 0, count: capacity)
        values = ContiguousArray(repeating: nil, count: capacity)
        shift = 64 - UInt64(capacity.trailingZeroBitCount - 3)
        for index in former.indices where former[index] != 0 {
            let place = place(of: former[index])
            keys[place] = former[index]
            values[place] = formerValues[index].take()
        }
    }

    /// All keys with their values, in no order.
    @inlinable
    public var entries: [(key: ObjectKey, value: Value)] {
        var result: [(key: ObjectKey, value: Value)] = []
        result.reserveCapacity(count)
        for index in keys.indices {
            guard let value = values[index] else { continue }
            result.append((ObjectKey(rawValue: keys[index]), value))
        }
        return result
    }
}

extension KeyTable where Value: AnyObject {
    // SAFETY: valid until the table is changed.
    /// The object of a key without a count of its references: to look at one that may be anywhere
    /// in memory.
    @inlinable @inline(__always)
    public func unretained(_ key: ObjectKey) -> Unmanaged<Value>? {
        guard used > 0 else { return nil }
        return values[place(of: key.rawValue)].map { Unmanaged.passUnretained($0) }
    }
}
