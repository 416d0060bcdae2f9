// SPDX-License-Identifier: Apache-2.0

/// The property names that each entity has so far.
struct NameRegistry {
    private var used: [Set<String>]

    init(entityCount: Int) {
        used = Array(repeating: [], count: entityCount)
    }

    /// Takes a name that a mapping demands; false if the entity has it already.
    mutating func claim(_ name: String, in entity: Int) -> Bool {
        used[entity].insert(name).inserted
    }

    /// Whether no property of an entity has a name yet.
    func isFree(_ name: String, in entity: Int) -> Bool { !used[entity].contains(name) }

    /// Takes the first free name of a list, or else the last with the first free number from 2.
    mutating func take(_ candidates: [String], in entity: Int) -> String {
        for name in candidates where used[entity].insert(name).inserted { return name }
        var number = 2
        let base = candidates.last ?? "value"
        while !used[entity].insert("\(base)\(number)").inserted { number += 1 }
        return "\(base)\(number)"
    }
}
