// SPDX-License-Identifier: Apache-2.0

/// The live ordered sets of a context's objects that somebody holds, for the changes that they
/// cannot tell of by themselves.
final class LiveOrders {
    private struct Entry {
        weak var members: MutableOrderedMembers?
    }

    private var entries: [Entry] = []
    /// How many may come before those that have gone are looked for.
    private var limit = 16

    func add(_ members: MutableOrderedMembers) {
        if entries.count >= limit {
            entries.removeAll { $0.members == nil }
            limit = max(16, entries.count * 2)
        }
        entries.append(Entry(members: members))
    }

    /// Has each take over its order, and forgets those that have gone.
    func adopt() {
        // Which may make others: what the owner's hooks ask for.
        for entry in entries { entry.members?.adoptOrder() }
        entries.removeAll { $0.members == nil }
    }
}

extension NSManagedObjectContext {
    /// Asks a live ordered set of one of the objects for its order from now on.
    final func watch(_ members: MutableOrderedMembers) {
        let others = liveOrders ?? LiveOrders()
        others.add(members)
        liveOrders = others
    }
}
