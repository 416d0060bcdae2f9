// SPDX-License-Identifier: Apache-2.0

import Lode

/// Saves of all kinds of changes.
struct SaveScenario: KillScenario {
    let name = "saves"

    func work(
        _ place: WorkPlace, from step: Int, _ acknowledge: (Int) throws -> Void
    ) throws {
        var state = WorkCheck.state(place.seed, after: step)
        try WorkStore.with(place.path, [LodeDurabilityOption: place.durability]) { store in
            while true {
                try store.save(state, place.seed)
                state.advance(place.seed)
                try acknowledge(state.step)
            }
        }
    }

    func check(_ place: WorkPlace, from: Int, acknowledged: Int) throws -> Int {
        try WorkCheck.file(
            place.path, seed: place.seed, acknowledged: acknowledged, begun: acknowledged + 1
        ).step
    }
}

/// Saves between which the file's indexes come and go.
struct CatalogScenario: KillScenario {
    let name = "indexes"

    func work(
        _ place: WorkPlace, from step: Int, _ acknowledge: (Int) throws -> Void
    ) throws {
        var state = WorkCheck.state(place.seed, after: step)
        var variant = Int(place.seed >> 8 & 3) + step
        while true {
            variant += 1
            let model = WorkModel.make(variant: variant % WorkModel.variants)
            try WorkStore.with(
                place.path, model: model, [LodeDurabilityOption: place.durability]
            ) { store in
                for _ in 0..<2 {
                    try store.save(state, place.seed)
                    state.advance(place.seed)
                    try acknowledge(state.step)
                }
            }
        }
    }

    func check(_ place: WorkPlace, from: Int, acknowledged: Int) throws -> Int {
        var steps: Set<Int> = []
        // The indexes that are there, and then others.
        for variant in 0..<WorkModel.variants {
            steps.insert(
                try WorkCheck.file(
                    place.path, seed: place.seed, acknowledged: acknowledged,
                    begun: acknowledged + 1, variant: variant
                ).step)
        }
        guard let step = steps.first, steps.count == 1 else {
            throw Violation("opening with other indexes shows steps \(steps)")
        }
        return step
    }
}

/// Saves with a history that is purged now and then.
struct HistoryScenario: KillScenario {
    let name = "history"

    private static var options: [AnyHashable: Any] {
        [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
    }

    func work(
        _ place: WorkPlace, from step: Int, _ acknowledge: (Int) throws -> Void
    ) throws {
        var state = WorkCheck.state(place.seed, after: step)
        var options = Self.options
        options[LodeDurabilityOption] = place.durability
        try WorkStore.with(place.path, options) { store in
            while true {
                store.context.performAndWait {
                    store.context.transactionAuthor = "step \(state.step + 1)"
                }
                try store.save(state, place.seed)
                state.advance(place.seed)
                try acknowledge(state.step)
                if state.step.isMultiple(of: 5) { try purge(store) }
            }
        }
    }

    private func purge(_ store: WorkStore) throws {
        let transactions = try Self.transactions(store)
        guard transactions.count > 3 else { return }
        let middle = transactions[transactions.count / 2]
        _ = try store.context.performAndWait {
            try store.context.execute(
                NSPersistentHistoryChangeRequest.deleteHistory(before: middle))
        }
    }

    private static func transactions(
        _ store: WorkStore
    ) throws -> [NSPersistentHistoryTransaction] {
        try store.context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            let result = try store.context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }
    }

    func check(_ place: WorkPlace, from: Int, acknowledged: Int) throws -> Int {
        try WorkCheck.file(
            place.path, seed: place.seed, acknowledged: acknowledged, begun: acknowledged + 1,
            options: Self.options
        ) { store, state in
            let transactions = try Self.transactions(store)
            guard transactions.last?.author == (state.step == 0 ? nil : "step \(state.step)") else {
                throw Violation(
                    "the history ends with \(transactions.last?.author ?? "nothing") at step "
                        + "\(state.step)")
            }
            for (one, next) in zip(transactions, transactions.dropFirst()) {
                guard next.transactionNumber == one.transactionNumber + 1,
                    next.changes?.isEmpty == false
                else { throw Violation("the history has a gap at \(next.transactionNumber)") }
            }
            try Self.checkComponents(transactions, place.seed)
        }.step
    }

    /// Compares what the history says of components with what the steps have done.
    private static func checkComponents(
        _ transactions: [NSPersistentHistoryTransaction], _ seed: UInt64
    ) throws {
        var state = WorkState()
        for transaction in transactions {
            guard let step = transaction.author.flatMap({ Int($0.dropFirst("step ".count)) }) else {
                continue
            }
            while state.step < step - 1 { state.advance(seed) }
            let before = state.game
            state.advance(seed)
            var expected = state.game.changes(since: before)
            expected["\(step == 1 ? "insert" : "update") of \(Resource<WorkClock>.componentName)"] =
                1
            var found: [String: Int] = [:]
            for change in transaction.componentChanges ?? [] {
                found["\(change.changeType) of \(change.componentName)", default: 0] += 1
            }
            guard found == expected else {
                throw Violation("the history of step \(step) has \(found), should be \(expected)")
            }
        }
    }
}
