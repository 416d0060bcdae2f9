// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Sorts of many rows, by texts that have long beginnings in common.
@Suite struct ManySortedTests {
    private struct Row: Equatable {
        let name: String?
        let number: Int
        /// Neither index nor record has it: which of two equal rows comes first is up to its key.
        let place: Int
    }

    private static let prefixes = [
        "", "a", "The Silent ", "The Silent House, volume ",
        String(repeating: "long", count: 700), "zero\0\0", "caf\u{E9} ", "\u{10FFFF}",
    ]

    private func fill(_ context: NSManagedObjectContext, _ seed: UInt64) throws -> [Row] {
        var random = SplitMix64(state: seed)
        var rows: [Row] = []
        for place in 0..<3_000 {
            let prefix = Self.prefixes[random.below(Self.prefixes.count)]
            let number = random.below(40)
            let name = random.below(20) == 0 ? nil : prefix + "\(random.below(500))"
            let item = context.make("Item", ["number": number])
            item.setValue(name, forKey: "name")
            rows.append(Row(name: name, number: number, place: place))
        }
        try context.save()
        return rows
    }

    /// Whether one row comes before another, in the order of bytes; nil comes first.
    private func precedes(_ left: Row, _ right: Row, _ keys: [(key: String, ascends: Bool)]) -> Bool
    {
        for (key, ascends) in keys {
            if key == "number", left.number != right.number {
                return (left.number < right.number) == ascends
            }
            guard key == "name", left.name != right.name else { continue }
            guard let one = left.name else { return ascends }
            guard let other = right.name else { return !ascends }
            return one.utf8.lexicographicallyPrecedes(other.utf8) == ascends
        }
        return (left.place < right.place) == (keys.last?.ascends ?? true)
    }

    @Test(arguments: [
        [("name", true)], [("name", false)], [("number", true), ("name", false)],
        [("number", false), ("name", true)], [("name", false), ("number", true)],
    ])
    func rows_come_in_order(keys: [(key: String, ascends: Bool)]) throws {
        let stack = try Stack(ItemModel.make())
        let rows = try fill(stack.context, 7)
        let expected = rows.sorted { precedes($0, $1, keys) }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0.key, ascending: $0.ascends) }
        for (limit, offset) in [(0, 0), (1, 0), (10, 0), (100, 50), (1_000, 7), (4_000, 0)] {
            request.fetchLimit = limit
            request.fetchOffset = offset
            let found = try stack.context.fetch(request)
            let wanted = expected.dropFirst(offset).prefix(limit == 0 ? .max : limit)
            #expect(found.map { $0.value(forKey: "name") as? String } == wanted.map(\.name))
            #expect(found.map { $0.value(forKey: "number") as? Int } == wanted.map(\.number))
        }
    }
}
