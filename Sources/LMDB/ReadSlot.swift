// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Synchronization
import Traps

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pooled read transaction and the thread that uses it now.
///
/// One cache line, so that threads do not slow each other down.
@usableFromInline
struct ReadSlot: ~Copyable {
    /// The thread that reads through this slot, or 0 when it is idle.
    let owner = Atomic<UInt>(0)
    /// The transaction, reset while the slot is idle; nil before the first use.
    var transaction: OpaquePointer?
    /// The cursors that are open on the transaction.
    var openCursors = 0
    private var padding: (Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0)

    /// The counter of a slot, by its offset: going through the slot would access all of it,
    /// including `owner`, which other threads read.
    static func openCursors(
        of slot: UnsafeMutablePointer<ReadSlot>
    ) -> UnsafeMutablePointer<Int> {
        // SAFETY: the counter is the third word, behind the owner and the pointer, as Swift lays
        // out the fields of a structure in their order.
        UnsafeMutableRawPointer(slot).advanced(by: 16).assumingMemoryBound(to: Int.self)
    }
}

/// The read slots of one environment.
struct ReadPool: ~Copyable {
    let slots: UnsafeMutablePointer<ReadSlot>
    let count: Int
    /// Slots that threads prefer, to keep the number of LMDB's readers low.
    private let preferred: Int

    init(maxReaders: Int) {
        count = max(1, min(1024, maxReaders))
        preferred = min(64, 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
        // Zeroed by the system, page by page as slots are used: an idle slot is all zeroes, and
        // needs no deinitialisation.
        guard let zeroes = calloc(count, MemoryLayout<ReadSlot>.stride) else {
            trap("no memory for \(count) read slots")
        }
        slots = zeroes.bindMemory(to: ReadSlot.self, capacity: count)
    }

    deinit {
        free(slots)
    }

    /// Takes an idle slot for a thread, the one it had last if possible.
    func claim(for thread: UInt) -> UnsafeMutablePointer<ReadSlot>? {
        let start = Int(truncatingIfNeeded: (thread &* 0x9E37_79B9_7F4A_7C15) >> 40)
        for step in 0..<preferred {
            let slot = slots + ((start &+ step) & (preferred - 1))
            if take(slot, for: thread) { return slot }
        }
        for index in preferred..<count where take(slots + index, for: thread) {
            return slots + index
        }
        return nil
    }

    /// Whether a thread uses a slot other than the given one.
    func isReading(_ thread: UInt, except own: UnsafeMutablePointer<ReadSlot>?) -> Bool {
        for index in 0..<count where slots + index != own {
            if slots[index].owner.load(ordering: .sequentiallyConsistent) == thread {
                return true
            }
        }
        return false
    }

    /// Whether every slot is idle.
    func isIdle() -> Bool {
        for index in 0..<count
        where slots[index].owner.load(ordering: .sequentiallyConsistent) != 0 {
            return false
        }
        return true
    }

    /// Ends the idle transactions, so that their reader slots can serve others.
    func drain(by thread: UInt) {
        for index in 0..<count where take(slots + index, for: thread) {
            end(slots + index)
            slots[index].owner.store(0, ordering: .sequentiallyConsistent)
        }
    }

    /// Ends the transaction of a slot that the caller owns.
    func end(_ slot: UnsafeMutablePointer<ReadSlot>) {
        guard let transaction = slot.pointee.transaction else { return }
        mdb_txn_abort(transaction)
        slot.pointee.transaction = nil
    }

    private func take(_ slot: UnsafeMutablePointer<ReadSlot>, for thread: UInt) -> Bool {
        let owner = slot.pointee.owner.load(ordering: .relaxed)
        return owner == 0
            && slot.pointee.owner.compareExchange(
                expected: 0, desired: thread, ordering: .sequentiallyConsistent
            ).exchanged
    }
}
