// SPDX-License-Identifier: Apache-2.0

import Lode

extension WorkStore {
    /// What the store holds, with inverses and indexes looked at from both sides.
    ///
    /// - Throws: Violation where two sides differ, and what reading throws.
    func state() throws -> WorkState {
        try context.performAndWait {
            var state = WorkState()
            let ledgers: [WorkLedger] = try all("Ledger")
            guard ledgers.count <= 1 else { throw Violation("\(ledgers.count) ledgers") }
            guard let ledger = ledgers.first else {
                let others = try ["Item", "Owner", "Tag"].map {
                    (try all($0) as [NSManagedObject]).count
                }
                guard others == [0, 0, 0] else { throw Violation("objects without a ledger") }
                state.game = try game(step: 0)
                guard state.game == GameState() else {
                    throw Violation("game objects without a ledger")
                }
                return state
            }
            state.step = Int(ledger.step)
            let items: [WorkItem] = try all("Item", by: "name")
            for item in items {
                guard
                    state.items.updateValue(try Self.image(item), forKey: number(item.name)) == nil
                else { throw Violation("two items are named \(item.name)") }
            }
            try checkOwners(items, &state)
            try checkTags(items)
            try checkIndexes(items)
            state.game = try game(step: state.step)
            if let error = context.lastReadError { throw error }
            return state
        }
    }

    private static func image(_ item: WorkItem) throws -> WorkState.Item {
        WorkState.Item(
            value: item.value, text: item.text, blob: try item.blob.map { try .init($0) },
            owner: item.owner.map { number($0.name) }, tags: Set(item.tags.map { number($0.name) }))
    }

    private static func number(_ name: String) -> Int { Int(name.dropFirst()) ?? -1 }
    private func number(_ name: String) -> Int { Self.number(name) }

    private func checkOwners(_ items: [WorkItem], _ state: inout WorkState) throws {
        let owners: [WorkOwner] = try all("Owner")
        guard owners.count == WorkState.owners else {
            throw Violation("\(owners.count) owners, should be \(WorkState.owners)")
        }
        for owner in owners {
            guard owner.items == Set(items.filter { $0.owner == owner }) else {
                throw Violation("the items of \(owner.name) are not those that name it")
            }
            let queue = owner.queue
            guard Set(queue) == Set(items.filter { $0.queuedBy == owner }),
                Set(queue).count == queue.count
            else { throw Violation("the queue of \(owner.name) is not of the items that name it") }
            state.queues[number(owner.name)] = queue.map { number($0.name) }
        }
    }

    private func checkTags(_ items: [WorkItem]) throws {
        let tags: [WorkTag] = try all("Tag")
        guard tags.count == WorkState.tags else {
            throw Violation("\(tags.count) tags, should be \(WorkState.tags)")
        }
        for tag in tags where tag.items != Set(items.filter { $0.tags.contains(tag) }) {
            throw Violation("the items of \(tag.name) are not those that name it")
        }
    }

    /// Compares what indexes find with what the objects say.
    private func checkIndexes(_ items: [WorkItem]) throws {
        for bound in [-5, 0, 12, 30] as [Int64] {
            let found: [WorkItem] = try all(
                "Item", NSPredicate(format: "value >= %lld", bound), by: "value")
            guard Set(found) == Set(items.filter { $0.value >= bound }),
                found.map(\.value) == found.map(\.value).sorted()
            else { throw Violation("value >= \(bound) finds other items than have it") }
        }
        for item in items {
            let named: [WorkItem] = try all("Item", NSPredicate(format: "name == %@", item.name))
            guard named == [item] else { throw Violation("\(item.name) is not found by its name") }
            guard let text = item.text else { continue }
            let same: [WorkItem] = try all("Item", NSPredicate(format: "text == %@", text))
            guard Set(same) == Set(items.filter { $0.text == text }) else {
                throw Violation("the text of \(item.name) finds other items than have it")
            }
        }
    }
}
