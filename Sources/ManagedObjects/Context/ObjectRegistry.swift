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
    private(set) var count = 0
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

    /// The object of a key.
    @inline(__always)
    subscript(key: ObjectKey) -> NSManagedObject? {
        let mask = slots.count - 1
        var index = home(key.rawValue)
        while true {
            let slot = slots[index]
            if slot.key == key.rawValue { return slot.object?.takeUnretainedValue() }
            if slot.key == 0 { return nil }
            index = (index + 1) & mask
        }
    }

    /// Adds an object, replacing another one of the same key.
    mutating func insert(_ object: NSManagedObject, for key: ObjectKey) {
        if count * 5 >= slots.count * 3 { grow() }
        let mask = slots.count - 1
        var index = home(key.rawValue)
        while slots[index].key != 0, slots[index].key != key.rawValue {
            index = (index + 1) & mask
        }
        if slots[index].key == 0 { count += 1 }
        slots[index] = Slot(key: key.rawValue, object: Unmanaged.passUnretained(object))
    }

    /// Removes an object, if it is the one registered under the key.
    mutating func remove(_ object: NSManagedObject, for key: ObjectKey) {
        let mask = slots.count - 1
        var index = home(key.rawValue)
        while slots[index].key != key.rawValue {
            if slots[index].key == 0 { return }
            index = (index + 1) & mask
        }
        guard slots[index].object?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else {
            return
        }
        count -= 1
        closeGap(at: index, mask)
    }

    /// Moves later members of the probe run into a gap, so that no tombstones are needed.
    private mutating func closeGap(at start: Int, _ mask: Int) {
        var gap = start
        var index = (start + 1) & mask
        while slots[index].key != 0 {
            let distance = (index - home(slots[index].key)) & mask
            if distance >= (index - gap) & mask {
                slots[gap] = slots[index]
                gap = index
            }
            index = (index + 1) & mask
        }
        slots[gap] = Slot(key: 0, object: nil)
    }

    private mutating func grow() {
        let old = slots
        slots = ContiguousArray(
            repeating: Slot(key: 0, object: nil), count: old.count * 2)
        shift -= 1
        let mask = slots.count - 1
        for slot in old where slot.key != 0 {
            var index = home(slot.key)
            while slots[index].key != 0 { index = (index + 1) & mask }
            slots[index] = slot
        }
    }

    /// Makes room for objects that are about to be registered.
    mutating func reserve(_ additional: Int) {
        while (count + additional) * 5 >= slots.count * 3 { grow() }
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
