// SPDX-License-Identifier: Apache-2.0

import Lode

/// What saves add to which sum: all that workers do is counted in sums, so that the order in which
/// they did it does not matter.
///
/// | key | sum |
/// |---|---|
/// | `own c w` | what worker w has added to its own property of counter c |
/// | `shared c` | what all have added to the shared property of counter c |
/// | `name n` | how many objects have the unique number n |
/// | `bag w m c` | whether member m of worker w is in counter c's set |
/// | `count w n` | what worker w has added to a component of its game object n |
/// | `knows w n s` | whether game object n of worker w is linked to the shared one s |
/// | `all s` | what all have added to the component of the shared game object s |
/// | `leader w n` | whether there is the leader n that worker w has made; all delete it |
struct RaceTally {
    typealias Effects = [String: Int]

    /// The sums of all saves that were acknowledged.
    private(set) var sums: Effects = [:]
    /// What began and was neither acknowledged nor dropped, by worker.
    private var pending: [Int: Effects] = [:]
    private(set) var acknowledged = 0
    private(set) var dropped = 0

    /// Reads `begin WORKER key=delta,…`, `done WORKER` or `drop WORKER`; false for other lines.
    mutating func read(_ line: String) -> Bool {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count >= 2, let worker = Int(words[1]) else { return false }
        switch words[0] {
        case "begin" where words.count == 3: pending[worker] = Self.effects(words[2])
        case "done":
            add(pending.removeValue(forKey: worker) ?? [:])
            acknowledged += 1
        case "drop":
            pending[worker] = nil
            dropped += 1
        default: return false
        }
        return true
    }

    static func text(_ effects: Effects) -> String {
        effects.isEmpty
            ? "-" : effects.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
    }

    private static func effects(_ text: String) -> Effects {
        var result: Effects = [:]
        for part in text.split(separator: ",") {
            let words = part.split(separator: "=")
            if words.count == 2, let delta = Int(words[1]) { result[String(words[0])] = delta }
        }
        return result
    }

    private mutating func add(_ effects: Effects) { sums.merge(effects, uniquingKeysWith: +) }

    private func expected(_ key: String) -> Int {
        let sum = sums[key, default: 0]
        // Who has seen that another has deleted it agrees, and deletes it, too.
        return key.hasPrefix("leader ") ? max(0, sum) : sum
    }

    /// Compares with what a file holds; a save that was cut short is in it or not, but not in part.
    ///
    /// - Throws: Violation with the keys that differ.
    func check(_ found: Effects) throws {
        let open = pending.values.filter { !$0.isEmpty }
        var differences: [String] = []
        for choice in 0..<1 << open.count {
            var tally = self
            for (place, effects) in open.enumerated() where choice >> place & 1 == 1 {
                tally.add(effects)
            }
            let wrong = Set(found.keys).union(tally.sums.keys).filter {
                found[$0, default: 0] != tally.expected($0)
            }
            if wrong.isEmpty { return }
            if choice == 0 {
                differences = wrong.sorted().map {
                    "\($0) is \(found[$0, default: 0]), should be \(tally.expected($0))"
                }
            }
        }
        throw Violation(differences.joined(separator: "; "))
    }

    /// The sums in a file.
    ///
    /// - Throws: Violation where entries of a shared counter are not one for each value.
    static func sums(in store: WorkStore) throws -> Effects {
        try store.context.performAndWait {
            var sums: Effects = [:]
            for counter in try store.all("Counter") as [NSManagedObject] {
                let number = counter.number("number")
                for worker in 0..<RaceModel.workers {
                    sums["own \(number) \(worker)"] = counter.number("own\(worker)")
                }
                sums["shared \(number)"] = counter.number("shared")
                for member in counter.members("members") {
                    guard member.members("bags").contains(counter) else {
                        throw Violation("a member does not know the set that it is in")
                    }
                    let key = "bag \(member.number("worker")) \(member.number("number")) \(number)"
                    sums[key] = 1
                }
                let entries: [NSManagedObject] = try store.all(
                    "Entry", NSPredicate(format: "counter == %d", number), by: "value")
                guard
                    entries.map({ $0.number("value") })
                        == (0..<counter.number("shared")).map({ $0 + 1 })
                else {
                    throw Violation(
                        "updates of counter \(number) were lost: it is "
                            + "\(counter.number("shared")) after \(entries.count) of them")
                }
            }
            for name in try store.all("Name") as [NSManagedObject] {
                sums["name \(name.number("number"))", default: 0] += 1
            }
            try RaceGame.checkManaged(try RaceGame.open(store), store)
            return sums.merging(try RaceGame.sums(in: store), uniquingKeysWith: +)
        }
    }
}
