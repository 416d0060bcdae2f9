// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a file should hold after a number of steps: an oracle that the library has no part in.
struct WorkState: Equatable {
    /// Bytes that are all the same, told apart by their number and the first one.
    struct Blob: Equatable {
        var size: Int
        var first: UInt8

        var data: Data { Data(repeating: first, count: size) }

        init(size: Int, first: UInt8) {
            self.size = size
            self.first = size == 0 ? 0 : first
        }

        /// - Throws: Violation for bytes of no blob, as of a torn one.
        init(_ data: Data) throws {
            self.init(size: data.count, first: data.first ?? 0)
            guard data == self.data else { throw Violation("a blob of \(size) bytes is torn") }
        }
    }

    struct Item: Equatable {
        var value: Int64 = 0
        var text: String?
        var blob: Blob?
        var owner: Int?
        var tags: Set<Int> = []
    }

    static let owners = 4
    static let tags = 4
    static let names = 24

    var step = 0
    var items: [Int: Item] = [:]
    /// By owner.
    var queues: [[Int]] = Array(repeating: [], count: WorkState.owners)
    /// The game objects, which a world has.
    var game = GameState()

    /// Does what a step does.
    mutating func advance(_ seed: UInt64) {
        for operation in operations(seed) { apply(operation) }
        step += 1
        for operation in game.operations(seed, step: step) { game.apply(operation) }
    }

    /// What the next step does.
    func operations(_ seed: UInt64) -> [WorkOperation] {
        var random = FaultRandom(seed, "work", step + 1)
        var state = self
        return (0...random.below(6)).map { _ in
            let operation = WorkOperation.random(&random, state)
            state.apply(operation)
            return operation
        }
    }

    mutating func apply(_ operation: WorkOperation) {
        switch operation {
        case .insert(let item): items[item] = Item()
        case .delete(let item):
            items[item] = nil
            dequeue(item)
        case .value(let item, let value): items[item]?.value = value
        case .text(let item, let text): items[item]?.text = text
        case .blob(let item, let blob): items[item]?.blob = blob
        case .owner(let item, let owner): items[item]?.owner = owner
        case .tag(let item, let tag): items[item]?.tags.formSymmetricDifference([tag])
        case .queue(let item, let owner, let place):
            dequeue(item)
            queues[owner].insert(item, at: min(place, queues[owner].count))
        case .dequeue(let item): dequeue(item)
        }
    }

    private mutating func dequeue(_ item: Int) {
        for owner in queues.indices { queues[owner].removeAll { $0 == item } }
    }

    /// How another state differs from this one; nil where it does not.
    func difference(_ found: WorkState) -> String? {
        if found.step != step { return "step \(found.step), should be \(step)" }
        for item in Set(items.keys).union(found.items.keys).sorted()
        where items[item] != found.items[item] {
            func text(_ item: Item?) -> String { item.map { "\($0)" } ?? "nothing" }
            return "item \(item) is \(text(found.items[item])), should be \(text(items[item]))"
                .replacingOccurrences(of: String(repeating: "x", count: 60), with: "…")
        }
        if queues != found.queues { return "queues \(found.queues), should be \(queues)" }
        return game.difference(found.game)
    }
}

/// One change of an object.
enum WorkOperation {
    case insert(Int)
    case delete(Int)
    case value(Int, Int64)
    case text(Int, String?)
    case blob(Int, WorkState.Blob?)
    case owner(Int, Int?)
    case tag(Int, Int)
    case queue(Int, owner: Int, place: Int)
    case dequeue(Int)

    static func random(_ random: inout FaultRandom, _ state: WorkState) -> WorkOperation {
        let item = random.below(WorkState.names)
        guard state.items[item] != nil else { return .insert(item) }
        switch random.below(12) {
        case 0: return .delete(item)
        case 1, 2, 3: return .value(item, Int64(random.below(50)) - 10)
        case 4:
            let size = random.pick([0, 5, 100, 3_000])
            return .text(
                item, random.chance(4) ? nil : "\(item)" + String(repeating: "x", count: size))
        case 5, 6:
            let size = random.pick([0, 10, 1_500, 5_000, 70_000, 140_000])
            let first = UInt8(truncatingIfNeeded: random.next())
            return .blob(item, random.chance(4) ? nil : .init(size: size, first: first))
        case 7: return .owner(item, random.chance(4) ? nil : random.below(WorkState.owners))
        case 8, 9: return .tag(item, random.below(WorkState.tags))
        case 10:
            return .queue(item, owner: random.below(WorkState.owners), place: random.below(5))
        default: return .dequeue(item)
        }
    }
}

/// Something that must not be.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
