// SPDX-License-Identifier: Apache-2.0

import Schema

/// The objects of a context by key, without keeping them alive.
///
/// An open-addressing table with linear probing. Sixteen consecutive rows share a block of slots,
/// and blocks are spread by a multiplicative hash: a walk over an entity touches each cache line
/// once, and two entities never pile up on one another. Key 0 marks an empty slot; no object has
/// it.
struct ObjectRegistry {
    private struct Slot {
        var key: UInt64
        // Unretained: an object removes itself when it goes, see NSManagedObject.deinit.
        var object: Unmanaged<NSManagedObject>?
    }

    private var slots: ContiguousArray<Slot>
    /// The registered objects.
    private(set) var count = 0
    /// The slots that hold a key, of an object or of one that has gone.
    private var used = 0
    private var shift: UInt64

    init() {
        slots = ContiguousArray(repeating: Slot(key: 0, object: nil), count: 64)
        shift = 64 - 2
    }

    @inline(__always)
    private func home(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: ((key >> 4) &* 0x9E37_79B9_7F4A_7C15) >> shift) << 4
            | Int(truncatingIfNeeded: key & 15)
    }

    /// The slot of a key, or the empty one that it would take.
    @inline(__always)
    private func index(of key: UInt64) -> Int {
        let mask = slots.count - 1
        var index = home(key)
        while slots[index].key != key, slots[index].key != 0 { index = (index + 1) & mask }
        return index
    }

    /// The object of a key.
    @inline(__always)
    subscript(key: ObjectKey) -> NSManagedObject? {
        slots[index(of: key.rawValue)].object?.takeUnretainedValue()
    }

    /// Adds an object, replacing another one of the same key.
    mutating func insert(_ object: NSManagedObject, for key: ObjectKey) {
        if used * 5 >= slots.count * 3 { rehash(for: count + 1) }
        let index = index(of: key.rawValue)
        if slots[index].key == 0 { used += 1 }
        if slots[index].object == nil { count += 1 }
        slots[index] = Slot(key: key.rawValue, object: Unmanaged.passUnretained(object))
    }

    /// Removes an object, if it is the one registered under the key.
    ///
    /// The key stays until the next rehash, so that a removal touches one slot only.
    mutating func remove(_ object: NSManagedObject, for key: ObjectKey) {
        let index = index(of: key.rawValue)
        guard let found = slots[index].object,
            found.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
        else { return }
        slots[index].object = nil
        count -= 1
    }

    /// Drops the keys of objects that have gone, in a table that has room for a number of objects.
    private mutating func rehash(for objects: Int) {
        let old = slots
        var size = 64
        // At most three tenths full, so that as many insertions again go by before the next time.
        while objects * 10 > size * 3 { size *= 2 }
        slots = ContiguousArray(repeating: Slot(key: 0, object: nil), count: size)
        shift = 64 - UInt64(size.trailingZeroBitCount - 4)
        used = count
        for slot in old where slot.object != nil { slots[index(of: slot.key)] = slot }
    }

    /// Makes room for objects that are about to be registered.
    mutating func reserve(_ additional: Int) {
        // Rehashing makes a table three tenths full; objects known to come may fill it more.
        if (used + additional) * 5 >= slots.count * 3 { rehash(for: (count + additional) / 2) }
    }

    /// Forgets all objects.
    mutating func removeAll() { self = ObjectRegistry() }

    /// Calls a body with each registered object, without retaining it.
    func forEach(_ body: (NSManagedObject) -> Void) {
        for slot in slots { slot.object?._withUnsafeGuaranteedRef(body) }
    }

    /// All registered objects, in no order.
    var objects: [NSManagedObject] { slots.compactMap { $0.object?.takeUnretainedValue() } }
}
