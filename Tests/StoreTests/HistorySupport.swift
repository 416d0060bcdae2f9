// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing

@testable import Store

extension StoreOptions {
    /// Options of a store that keeps a history.
    static var tracking: StoreOptions {
        var options = StoreOptions.fast
        options.history = HistoryOptions(processID: "17", bundleID: "films")
        options.history?.preservedAttributes = ["Person": ["name"]]
        return options
    }
}

extension ObjectKey {
    static func film(_ row: UInt64) -> ObjectKey {
        ObjectKey(entity: EntityNumber(rawValue: 1), row: row)
    }

    static func person(_ row: UInt64) -> ObjectKey {
        ObjectKey(entity: EntityNumber(rawValue: 2), row: row)
    }
}

extension Store {
    /// The transactions after one: `number: change change`.
    func history(after number: UInt64 = 0) throws -> [String] {
        var lines: [String] = []
        try forEachHistoryEntry(after: number) { number, set in
            var words = ["\(number):"]
            try set.forEachChange { change in
                let kind = ["+", "*", "-"][change.kind.rawValue]
                let properties = change.properties.map { ".\($0.rawValue)" }.joined()
                words.append("\(kind)\(change.object)\(properties)")
            }
            #expect(set.changeCount == words.count - 1)
            lines.append(words.joined(separator: " "))
            return true
        }
        return lines
    }

    /// Commits transactions that each insert a person.
    func commit(_ count: Int) throws {
        for _ in 0..<count { try write { _ = try $0.insert("Person", [:]) } }
    }
}
