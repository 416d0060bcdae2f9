// SPDX-License-Identifier: Apache-2.0

import CSwiftRuntime

/// Maps the prefix of a key to its block in an ``ObjectRegistry``: a hash table with linear
/// probing, at most half full.
///
/// Eight consecutive prefixes hash to the same place and end up side by side, so a walk over rows
/// in order finds the next slot in memory that the processor has just read. A prefix is removed
/// together with its block: a long walk would otherwise leave many unused prefixes, which make
/// every search longer. The prefix 0 marks an empty slot; no key has it.
@frozen @usableFromInline
package struct BlockDirectory {
    @frozen @usableFromInline
    struct Slot {
        @usableFromInline var prefix: UInt64
        @usableFromInline var block: Int

        @inlinable
        init(prefix: UInt64, block: Int) {
            self.prefix = prefix
            self.block = block
        }
    }

    @usableFromInline
    final class Slots: ManagedBuffer<Int, Slot> {
        @inlinable
        static func make(_ count: Int) -> Slots {
            let slots = Slots.create(minimumCapacity: count) { _ in count }
            slots.withUnsafeMutablePointerToElements {
                $0.initialize(repeating: Slot(prefix: 0, block: 0), count: count)
            }
            // SAFETY: `create` makes an object of the class that it is called on.
            return unsafeDowncast(slots, to: Slots.self)
        }
    }

    @usableFromInline var slots = Slots.make(16)
    @usableFromInline var slotCount = 16
    @usableFromInline var shift: UInt64 = 64 - 1
    /// The slots that hold a prefix.
    @usableFromInline var blockCount = 0

    /// Makes an empty directory.
    @inlinable
    package init() {}

    @inlinable @inline(__always)
    func home(of prefix: UInt64) -> Int {
        let group = ((prefix >> 3) &* 0x9E37_79B9_7F4A_7C15) >> shift
        return Int(truncatingIfNeeded: group << 3 | prefix & 7)
    }

    /// The slot of a prefix, or the empty one that it would take.
    @inlinable @inline(__always)
    func slot(of prefix: UInt64) -> Int {
        let mask = slotCount - 1
        var index = home(of: prefix)
        return slots.withUnsafeMutablePointerToElements { slots in
            while slots[index].prefix != prefix, slots[index].prefix != 0 {
                index = (index &+ 1) & mask
            }
            return index
        }
    }

    /// The block of a prefix; -1 for none.
    @inlinable @inline(__always)
    package func block(of prefix: UInt64) -> Int {
        let slot = slot(of: prefix)
        let found = slots.withUnsafeMutablePointerToElements { $0[slot] }
        return found.prefix == 0 ? -1 : found.block
    }

    /// Has the slots loaded that a walk over rows in order, or against it, comes to after those of
    /// eight prefixes: they are anywhere.
    @inlinable @inline(__always)
    func prefetch(besides prefix: UInt64) {
        switch prefix & 7 {
        case 0: prefetchSlots(of: prefix &+ 8)
        case 7: prefetchSlots(of: prefix &- 8)
        default: break
        }
    }

    /// - Parameter prefix: One of the eight.
    @inlinable @inline(__always)
    func prefetchSlots(of prefix: UInt64) {
        let first = home(of: prefix & ~7)
        slots.withUnsafeMutablePointerToElements { slots in
            lode_prepare(slots + first)
            lode_prepare(slots + (first + 4))
        }
    }

    /// All prefixes with their blocks, in no order.
    var entries: [(prefix: UInt64, block: Int)] {
        slots.withUnsafeMutablePointerToElements { slots in
            (0..<slotCount).filter { slots[$0].prefix != 0 }
                .map { (slots[$0].prefix, slots[$0].block) }
        }
    }

    /// Gives a block to a prefix that has none.
    @inlinable
    package mutating func add(_ prefix: UInt64, block: Int) {
        reserve(1)
        let slot = slot(of: prefix)
        slots.withUnsafeMutablePointerToElements { $0[slot] = Slot(prefix: prefix, block: block) }
        blockCount += 1
    }

    /// Takes a prefix out.
    @inlinable
    package mutating func remove(_ prefix: UInt64) {
        let mask = slotCount - 1
        var hole = slot(of: prefix)
        blockCount -= 1
        slots.withUnsafeMutablePointerToElements { slots in
            var next = (hole &+ 1) & mask
            while slots[next].prefix != 0 {
                // Entries whose home slot is at or before the hole move into it.
                let distance = (next &- home(of: slots[next].prefix)) & mask
                if distance >= (next &- hole) & mask {
                    slots[hole] = slots[next]
                    hole = next
                }
                next = (next &+ 1) & mask
            }
            slots[hole].prefix = 0
        }
    }

    /// Makes room for the prefixes of more blocks.
    @inlinable
    package mutating func reserve(_ blocks: Int) {
        if (blockCount + blocks) * 2 > slotCount { rebuild(for: blockCount + blocks) }
    }

    @usableFromInline
    mutating func rebuild(for blocks: Int) {
        let (old, oldCount) = (slots, slotCount)
        while blocks * 2 > slotCount { slotCount *= 2 }
        shift = 64 - UInt64(slotCount.trailingZeroBitCount - 3)
        slots = Slots.make(slotCount)
        for index in 0..<oldCount {
            let known = old.withUnsafeMutablePointerToElements { $0[index] }
            guard known.prefix != 0 else { continue }
            let slot = slot(of: known.prefix)
            slots.withUnsafeMutablePointerToElements { $0[slot] = known }
        }
    }
}
