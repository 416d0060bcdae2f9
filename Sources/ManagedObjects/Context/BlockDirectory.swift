// SPDX-License-Identifier: Apache-2.0

/// Where an ``ObjectRegistry`` has the block of a key's prefix: a hash table with linear probing.
///
/// A prefix stays until the table is made anew, so that giving up a block touches one slot only.
/// No key has the prefix 0, which marks an empty slot.
struct BlockDirectory {
    private struct Slot {
        var prefix: UInt64
        /// The block, -1 for none.
        var block: Int32
        /// The objects in the block.
        var count: Int32
    }

    private final class Slots: ManagedBuffer<Int, Slot> {
        static func make(_ count: Int) -> Slots {
            let slots = Slots.create(minimumCapacity: count) { _ in count }
            slots.withUnsafeMutablePointerToElements {
                $0.initialize(repeating: Slot(prefix: 0, block: -1, count: 0), count: count)
            }
            return unsafeDowncast(slots, to: Slots.self)
        }
    }

    private var slots = Slots.make(16)
    private var slotCount = 16
    private var shift: UInt64 = 64 - 4
    /// The slots that hold a prefix.
    private var usedCount = 0
    /// The slots that hold a block.
    private var blockCount = 0

    /// The slot of a prefix, or the empty one that it would take.
    func slot(of prefix: UInt64) -> Int {
        let mask = slotCount - 1
        var index = Int(truncatingIfNeeded: (prefix &* 0x9E37_79B9_7F4A_7C15) >> shift)
        return slots.withUnsafeMutablePointerToElements { slots in
            while slots[index].prefix != prefix, slots[index].prefix != 0 {
                index = (index + 1) & mask
            }
            return index
        }
    }

    /// The block of a slot.
    func block(at slot: Int) -> Int? {
        let block = slots.withUnsafeMutablePointerToElements { $0[slot].block }
        return block < 0 ? nil : Int(block)
    }

    /// Changes the number of objects in the block of a slot; returns the new one.
    @inline(__always)
    @discardableResult
    func changeCount(at slot: Int, by difference: Int32) -> Int32 {
        slots.withUnsafeMutablePointerToElements { slots in
            slots[slot].count &+= difference
            return slots[slot].count
        }
    }

    /// Gives an empty block to a prefix that has none; returns its slot.
    mutating func add(_ prefix: UInt64, block: Int) -> Int {
        if usedCount * 4 >= slotCount * 3 { rebuild(for: blockCount + 1) }
        let slot = slot(of: prefix)
        let isNew = slots.withUnsafeMutablePointerToElements { slots in
            let isNew = slots[slot].prefix == 0
            slots[slot] = Slot(prefix: prefix, block: Int32(block), count: 0)
            return isNew
        }
        if isNew { usedCount += 1 }
        blockCount += 1
        return slot
    }

    /// Takes the block from the prefix of a slot.
    mutating func clear(at slot: Int) {
        slots.withUnsafeMutablePointerToElements { $0[slot].block = -1 }
        blockCount -= 1
    }

    /// Makes room for the prefixes of more blocks.
    ///
    /// Slots change; ask for them again.
    mutating func reserve(_ blocks: Int) {
        if (usedCount + blocks) * 4 >= slotCount * 3 { rebuild(for: blockCount + blocks) }
    }

    /// Drops the prefixes without blocks, in a table at most half full.
    private mutating func rebuild(for blocks: Int) {
        let (old, oldCount) = (slots, slotCount)
        slotCount = 16
        while blocks * 2 > slotCount { slotCount *= 2 }
        shift = 64 - UInt64(slotCount.trailingZeroBitCount)
        slots = Slots.make(slotCount)
        usedCount = 0
        for index in 0..<oldCount {
            let known = old.withUnsafeMutablePointerToElements { $0[index] }
            guard known.block >= 0 else { continue }
            let slot = slot(of: known.prefix)
            slots.withUnsafeMutablePointerToElements { $0[slot] = known }
            usedCount += 1
        }
    }
}
