// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

extension LodeGame {
    /// Counts what components need: to be made, to be saved and to be asked for.
    func measure(_ counting: inout Counting) throws {
        try context.performAndWait {
            // What is made once is made by the first ones.
            try give(LodeGame.savedCount, prefix: "first")
            try context.save()
            let count = LodeGame.savedCount
            try counting.count("add a component", 3 * count) {
                try give(count, prefix: "made")
            }
            try counting.count("add a component in bulk", 3 * count) {
                try give(count, prefix: "bulk", inBulk: true)
            }
            try counting.count("save a component", 6 * count, writes: true) {
                try context.save()
            }
            let objects = try context.fetch(GameObject.fetchRequest())
            var found = 0
            try counting.count("getComponents(ofType:)", objects.count) {
                for object in objects {
                    found += try object.getComponents(ofType: Skill.self).count
                }
            }
            try counting.count("getData()", objects.count) {
                for object in objects { found += try object.getData().count }
            }
            try counting.count("fetchAll(withComponentOfType:)", objects.count) {
                found += try GameObject.fetchAll(
                    withComponentOfType: Skill.self, moc: context
                ).count
            }
            guard objects.count == 3 * count, found == 6 * objects.count else {
                throw BenchmarkError("\(found) found of \(objects.count) game objects")
            }
        }
    }
}
