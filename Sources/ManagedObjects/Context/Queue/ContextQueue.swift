// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Which thread may use a context, and where its blocks wait.
///
/// Any thread may look at it.
struct ContextQueue: ~Copyable {
    // Serialises the blocks of `perform` and `performAndWait`.
    let lock = ContextLock()
    /// Where the blocks of `perform` wait and run.
    let blocks: DispatchQueue
    /// How many blocks of `perform` wait or run.
    let waiting = Atomic<Int>(0)
    /// The thread that used the context outside its blocks last; 0 for none.
    let directUser = Atomic<UInt>(0)
    /// Whether the thread that uses the context waits while another one writes its save, see
    /// `Store.writeJoining`: that one does not become its user.
    let isLent = Atomic<Bool>(false)
    /// Whether uses from a wrong queue are looked for.
    let isChecked: Bool

    private static let count = Atomic<Int>(0)

    init(_ type: NSManagedObjectContextConcurrencyType) {
        let number = ContextQueue.count.add(1, ordering: .relaxed).newValue
        blocks =
            type == .mainQueueConcurrencyType
            ? DispatchQueue.main : DispatchQueue(label: "lode.context.\(number)")
        // A confined context belongs to the thread that made it, which calls it without a block.
        isChecked = type.rawValue != 0 && NSManagedObjectContext.isConcurrencyDebugOn
    }
}
