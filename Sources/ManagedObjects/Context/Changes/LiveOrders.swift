// SPDX-License-Identifier: Apache-2.0

/// The live ordered sets of a context's objects, for changes that the sets cannot report
/// themselves.
final class LiveOrders {
    private struct Entry {
        weak var members: MutableOrderedMembers?
    }

    private var entries: [Entry] = []
    /// How many entries there may be before those of released sets are removed.
    private var limit = 16

    func add(_ members: MutableOrderedMembers) {
        if entries.count >= limit {
            entries.removeAll { $0.members == nil }
            limit = max(16, entries.count * 2)
        }
        entries.append(Entry(members: members))
    }

    /// Has each set pass on its order, and forgets released sets.
    func adopt() {
        // The owner's hooks may add others meanwhile.
        for entry in entries { entry.members?.adoptOrder() }
        entries.removeAll { $0.members == nil }
    }
}

extension NSManagedObjectContext {
    /// From now on asks a live ordered set for its order before changes are processed.
    final func watch(_ members: MutableOrderedMembers) {
        let others = followers.liveOrders ?? LiveOrders()
        others.add(members)
        followers.liveOrders = others
    }
}
