// SPDX-License-Identifier: Apache-2.0

import Lode

extension WorkStore {
    /// Makes the changes of a step in the context, without saving them.
    func change(_ state: WorkState, _ seed: UInt64) throws {
        try context.performAndWait {
            let ledgers: [WorkLedger] = try all("Ledger")
            let ledger = ledgers.first ?? WorkLedger(context: context)
            if ledgers.isEmpty { makeOthers() }
            ledger.step = Int64(state.step + 1)
            for operation in state.operations(seed) { try change(operation) }
            let step = state.step + 1
            try change(state.game.operations(seed, step: step), step: step)
        }
    }

    /// Makes a step and saves it.
    func save(_ state: WorkState, _ seed: UInt64) throws {
        try change(state, seed)
        try context.performAndWait { try context.save() }
    }

    private func makeOthers() {
        for number in 0..<WorkState.owners { WorkOwner(context: context).name = "o\(number)" }
        for number in 0..<WorkState.tags { WorkTag(context: context).name = "t\(number)" }
    }

    private func change(_ operation: WorkOperation) throws {
        switch operation {
        case .insert(let item): WorkItem(context: context).name = "i\(item)"
        case .delete(let item): context.delete(try self.item(item))
        case .value(let item, let value): try self.item(item).value = value
        case .text(let item, let text): try self.item(item).text = text
        case .blob(let item, let blob): try self.item(item).blob = blob?.data
        case .owner(let item, let owner):
            try self.item(item).owner = try owner.map { try self.owner($0) }
        case .tag(let item, let tag):
            let (item, tag) = (try self.item(item), try self.tag(tag))
            // From both sides in turn.
            if item.tags.contains(tag) { tag.items.remove(item) } else { item.tags.insert(tag) }
        case .queue(let item, let owner, let place):
            let (item, owner) = (try self.item(item), try self.owner(owner))
            item.queuedBy = nil
            var queue = owner.queue
            queue.insert(item, at: min(place, queue.count))
            owner.queue = queue
        case .dequeue(let item): try self.item(item).queuedBy = nil
        }
    }

    private func item(_ number: Int) throws -> WorkItem { try one("Item", "i\(number)") }
    private func owner(_ number: Int) throws -> WorkOwner { try one("Owner", "o\(number)") }
    private func tag(_ number: Int) throws -> WorkTag { try one("Tag", "t\(number)") }

    private func one<Object: NSManagedObject>(_ entity: String, _ name: String) throws -> Object {
        let found: [Object] = try all(entity, NSPredicate(format: "name == %@", name))
        guard found.count == 1 else {
            throw Violation("\(found.count) objects of \(entity) are named \(name)")
        }
        return found[0]
    }
}
