// SPDX-License-Identifier: Apache-2.0

import Lode

/// One of those who change the same objects at the same time.
final class RaceWorker {
    let number: Int
    let store: WorkStore
    var random: FaultRandom
    /// Counts what this worker has made or raised of game objects.
    var turn = 0
    /// Whether a conflict fails a save; otherwise it is merged property by property.
    private let hasErrorPolicy: Bool
    private let isSabotaged: Bool
    /// Whether its context has a world; saves of those that have none share commits.
    let hasWorld: Bool
    var context: NSManagedObjectContext { store.context }

    init(_ number: Int, _ store: WorkStore, _ seed: UInt64, isSabotaged: Bool) {
        self.number = number
        self.store = store
        self.isSabotaged = isSabotaged
        random = FaultRandom(seed, "worker", number)
        hasWorld = random.chance(2)
        hasErrorPolicy = number % 2 == 0
        let policies: [NSMergePolicy] = [.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump]
        let policy = hasErrorPolicy ? NSMergePolicy.error : policies[number / 2 % 2]
        store.context.mergePolicy = isSabotaged ? NSMergePolicy.overwrite : policy
    }

    func run(_ steps: Int) throws {
        for _ in 0..<steps {
            try context.performAndWait {
                // Others' changes are read anew, or come by merging.
                if hasErrorPolicy && !isSabotaged {
                    context.reset()
                    try look()
                }
                let isGame = hasWorld && !random.chance(3)
                var effects = isGame ? try changeGame() : [:]
                effects.merge(
                    try hasErrorPolicy ? changeShared(besidesGame: isGame) : changeOwn(),
                    uniquingKeysWith: +)
                try save(effects)
            }
        }
    }

    private func changeGame() throws -> RaceTally.Effects {
        if random.chance(2) { try disturbGame() }
        return try hasErrorPolicy ? changeSharedGame() : changeOwnGame()
    }

    private func save(_ effects: RaceTally.Effects) throws {
        say("begin \(number) \(RaceTally.text(effects))")
        do {
            try context.save()
            say("done \(number)")
        } catch let error as CocoaError where [133_020, 133_021, 134_050].contains(error.errorCode)
        {
            guard hasErrorPolicy || error.errorCode == 134_050 else { throw error }
            context.reset()
            say("drop \(number)")
        }
    }

    private func one(_ entity: String, _ format: String) throws -> NSManagedObject? {
        let found: [NSManagedObject] = try store.all(entity, NSPredicate(format: format))
        return found.first
    }

    private func counter(_ number: Int) throws -> NSManagedObject {
        guard let found = try one("Counter", "number == \(number)") else {
            throw Violation("counter \(number) is gone")
        }
        return found
    }

    private func add(_ delta: Int, to key: String, of object: NSManagedObject) {
        object.setValue(object.number(key) + delta, forKey: key)
    }

    /// Changes properties that only this worker changes, in objects that others change, too.
    private func changeOwn() throws -> RaceTally.Effects {
        var effects: RaceTally.Effects = [:]
        for _ in 0...random.below(2) {
            let place = random.below(RaceModel.counters)
            let counter = try self.counter(place)
            if random.chance(3) {
                let member = random.below(RaceModel.membersPerWorker)
                guard let object = try one("Member", "worker == \(number) AND number == \(member)")
                else { throw Violation("a member is gone") }
                let isIn = object.members("bags").contains(counter)
                let members = object.mutableSetValue(forKey: "bags")
                if isIn { members.remove(counter) } else { members.add(counter) }
                effects["bag \(number) \(member) \(place)", default: 0] += isIn ? -1 : 1
            } else {
                add(1, to: "own\(number)", of: counter)
                effects["own \(place) \(number)", default: 0] += 1
            }
        }
        return effects
    }

    /// Changes what all change, where a conflict has to fail.
    ///
    /// Beside game objects it deletes nothing: the delete rules of those look at the file, and who
    /// has looked behind a deletion agrees with another's of the same object.
    private func changeShared(besidesGame: Bool) throws -> RaceTally.Effects {
        switch random.below(besidesGame ? 4 : 6) {
        case 0, 1: return try transfer()
        case 2, 3:
            let place = random.below(RaceModel.counters)
            let counter = try self.counter(place)
            add(1, to: "shared", of: counter)
            let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
            entry.setValue(place, forKey: "counter")
            entry.setValue(counter.number("shared"), forKey: "value")
            entry.setValue(number, forKey: "worker")
            return ["shared \(place)": 1]
        case 4:
            let place = random.below(RaceModel.names)
            if let name = try one("Name", "number == \(place)") {
                context.delete(name)
                return ["name \(place)": -1]
            }
            NSEntityDescription.insertNewObject(forEntityName: "Name", into: context)
                .setValue(place, forKey: "number")
            return ["name \(place)": 1]
        default:
            try checkSum()
            return try changeOwn()
        }
    }

    private func transfer() throws -> RaceTally.Effects {
        let accounts: [NSManagedObject] = try store.all("Account", by: "number")
        let amount = 1 + random.below(20)
        add(-amount, to: "balance", of: random.pick(accounts))
        add(amount, to: "balance", of: random.pick(accounts))
        return [:]
    }

    /// A reader sees a whole number of transfers, also while they are being made.
    private func checkSum() throws {
        let sum = try RaceWorker.sum(store)
        guard sum == Int(RaceModel.balance) * RaceModel.accounts || isSabotaged else {
            throw Violation("the balances are \(sum) in sum")
        }
    }

    /// The sum of the balances as of one commit: one fetch reads one state.
    static func sum(_ store: WorkStore) throws -> Int {
        let request = NSFetchRequest<NSDictionary>(entityName: "Account")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["balance"]
        return try store.context.fetch(request).reduce(0) {
            $0 + (($1["balance"] as? NSNumber)?.intValue ?? 0)
        }
    }
}
