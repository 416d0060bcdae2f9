// SPDX-License-Identifier: Apache-2.0

import Lode

/// Batches: each is there in full or not at all.
struct BatchScenario: KillScenario {
    let name = "batches"

    private static let size = 60

    /// The rows after a number of steps: their generations, and the value of all of them.
    private struct Rows: Equatable {
        var generations: [Int64: Int] = [:]
        var values: Set<Int64> = []

        init() {}

        init(after steps: Int) {
            for step in stride(from: 1, through: steps, by: 1) { apply(step) }
        }

        mutating func apply(_ step: Int) {
            switch step % 3 {
            case 0:
                generations = generations.filter { $0.key >= Int64(step) - 6 }
            case 1:
                generations[Int64(step)] = BatchScenario.size
                values.insert(0)
            default: values = generations.isEmpty ? [] : [Int64(step)]
            }
        }
    }

    func work(
        _ place: WorkPlace, from step: Int, _ acknowledge: (Int) throws -> Void
    ) throws {
        try WorkStore.with(place.path, [LodeDurabilityOption: place.durability]) { store in
            var step = step
            while true {
                step += 1
                try store.context.performAndWait { try run(step, store.context) }
                try acknowledge(step)
            }
        }
    }

    private func run(_ step: Int, _ context: NSManagedObjectContext) throws {
        switch step % 3 {
        case 0:
            let old = NSFetchRequest<any NSFetchRequestResult>(entityName: "Row")
            old.predicate = NSPredicate(format: "generation < %d", step - 6)
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: old))
        case 1:
            let rows = (0..<Self.size).map { _ in
                ["generation": NSNumber(value: step)] as [String: Any]
            }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Row", objects: rows))
        default:
            let update = NSBatchUpdateRequest(entityName: "Row")
            update.propertiesToUpdate = ["value": NSNumber(value: step)]
            _ = try context.execute(update)
        }
    }

    func check(_ place: WorkPlace, from: Int, acknowledged: Int) throws -> Int {
        guard FileManager.default.fileExists(atPath: place.path) else {
            guard acknowledged == 0 else { throw Violation("the file is gone") }
            return 0
        }
        if acknowledged == 0, WorkCheck.removeUnfinished(place.path) { return 0 }
        if acknowledged > 0 { try NSPersistentStore.verify(at: URL(fileURLWithPath: place.path)) }
        let found = try WorkStore.with(place.path) { store in
            try store.context.performAndWait {
                var rows = Rows()
                for row in try store.all("Row") as [WorkRow] {
                    rows.generations[row.generation, default: 0] += 1
                    rows.values.insert(row.value)
                }
                return rows
            }
        }
        for step in [acknowledged, acknowledged + 1] where Rows(after: step) == found {
            return step
        }
        throw Violation("\(acknowledged) batches were acknowledged, the rows are \(found)")
    }
}
