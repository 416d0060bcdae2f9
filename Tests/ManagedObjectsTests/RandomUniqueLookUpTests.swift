// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Fetches of a unique value answer as a scan does, whatever happens to the objects.
@Suite struct RandomUniqueLookUpTests {
    private func model() -> NSManagedObjectModel {
        let thing = Build.entity(
            "Thing",
            [
                Build.attribute("code"), Build.attribute("number", .integer16AttributeType),
                Build.attribute("day", .dateAttributeType),
                Build.attribute("id", .UUIDAttributeType),
                Build.attribute("price", .decimalAttributeType),
                Build.attribute("flag", .booleanAttributeType),
                Build.attribute("link", .URIAttributeType),
                Build.attribute("ratio", .doubleAttributeType), Build.attribute("note"),
            ])
        let box = Build.entity(
            "Box", [Build.attribute("aSize", .integer64AttributeType)])
        let crate = Build.entity("Crate", [Build.attribute("label")])
        thing.subentities = [box, crate]
        thing.uniquenessConstraints = [
            ["code"], ["number"], ["day"], ["id"], ["price"], ["flag"], ["link"], ["ratio"],
        ]
        box.uniquenessConstraints = [["aSize"]]
        crate.uniquenessConstraints = [["label"]]
        return Build.model(thing, box, crate)
    }

    private static let long = String(repeating: "x", count: 520)
    private static func uuid(_ n: Int) -> UUID {
        UUID(uuidString: "00000000-0000-0000-0000-00000000000\(n)") ?? UUID()
    }

    /// Values to set, and values to ask for, which may be of another type.
    private static var values: [String: [Any?]] {
        [
            "code": [
                nil, "a", "A", "", "caf\u{E9}", "cafe\u{301}", "a\0", long, long + "a", long + "b",
                "ﬁ", "fi", "1",
            ],
            "number": [nil, 0, 1, -1, 32767, -32768],
            "day": [nil] + [0, -0.5, 1.25].map { Date(timeIntervalSinceReferenceDate: $0) },
            "id": [nil, uuid(1), uuid(2), uuid(3)],
            "price": [nil, Decimal(1), Decimal(string: "1.5"), Decimal(0)],
            "flag": [nil, true, false],
            "link": [nil, URL(string: "https://a"), URL(string: "https://b")],
            "ratio": [nil, 0.0, -0.0, 1.5, 1.0, Double.infinity],
            "aSize": [nil, 1, 2, Int64.max], "label": [nil, "l", "L"],
        ]
    }
    private static var asked: [String: [Any?]] {
        [
            "code": [1, "nothing"], "number": [1.0, 1.5, Decimal(1), "1", true, 70000, Int64.min],
            "day": [0, 1.25], "id": ["00000000-0000-0000-0000-000000000001"],
            "price": [1, 1.5, "1.50"], "flag": [1, 0, 1.0, 2], "link": ["https://a"],
            "ratio": [1, 0, Decimal(string: "1.5"), Float(1.5)], "aSize": [1.0, NSNull()],
            "label": [NSNull(), "none"],
        ]
    }

    private func outcome<T>(_ body: () throws -> T) -> String {
        do {
            return "\(try body())"
        } catch {
            return "error \((error as? CocoaError)?.errorCode ?? -1)"
        }
    }

    private func check(
        _ context: NSManagedObjectContext, _ random: inout SplitMix64, _ log: [String]
    ) throws {
        for _ in 0..<6 {
            let keys = Self.values.keys.sorted()
            let key = keys[random.below(keys.count)]
            let choices = (Self.values[key] ?? []) + (Self.asked[key] ?? [])
            let value = choices[random.below(choices.count)]
            let entity =
                key == "aSize"
                ? "Box"
                : key == "label"
                    ? "Crate"
                    : ["Thing", "Box", "Crate"][random.below(3)]
            func request<T: NSFetchRequestResult>(_ type: T.Type, _ format: String)
                -> NSFetchRequest<T>
            {
                let request = NSFetchRequest<T>(entityName: entity)
                request.predicate = NSPredicate(format: format, value)
                return request
            }
            let quick = request(NSManagedObject.self, "\(key) == %@")
            let slow = request(NSManagedObject.self, "\(key) == %@ OR note == 'no such note'")
            quick.includesSubentities = random.below(3) > 0
            quick.includesPendingChanges = random.below(4) > 0
            quick.returnsObjectsAsFaults = random.below(3) > 0
            quick.fetchLimit = random.below(4) == 0 ? 1_000 : 0
            slow.includesSubentities = quick.includesSubentities
            slow.includesPendingChanges = quick.includesPendingChanges
            let ids = request(NSManagedObjectID.self, "\(key) == %@")
            ids.resultType = .managedObjectIDResultType
            ids.includesSubentities = quick.includesSubentities
            ids.includesPendingChanges = quick.includesPendingChanges
            func names(_ objects: [NSManagedObject]) -> [String] {
                objects.map { "\($0.objectID.uriRepresentation())" }.sorted()
            }
            let wanted = outcome { names(try context.fetch(slow)) }
            let label =
                "\(entity).\(key) == \(String(describing: value).prefix(40)) "
                + "\(quick.includesSubentities) \(quick.includesPendingChanges) after "
                + log.suffix(12).joined(separator: "; ")
            #expect(outcome { names(try context.fetch(quick)) } == wanted, "\(label)")
            #expect(
                outcome {
                    try context.fetch(ids).map { "\($0.uriRepresentation())" }.sorted()
                } == wanted, "IDs, \(label)")
            #expect(
                outcome { [String(try context.count(for: quick))] }
                    == outcome { [String(try context.count(for: slow))] }, "count, \(label)")
        }
    }

    @Test(arguments: 0..<40) func as_a_scan(seed: UInt64) throws {
        let stack = try Stack(model())
        let main = stack.context
        main.undoManager = UndoManager()
        main.automaticallyMergesChangesFromParent = seed % 2 == 0
        let other = stack.container.newBackgroundContext()
        let child = Stack.child(of: main)
        let grandchild = Stack.child(of: child)
        let names = [main: "main:", other: "other:", child: "child:", grandchild: "grandchild:"]
        var random = SplitMix64(state: seed)
        var log: [String] = []
        func change(_ context: NSManagedObjectContext) throws {
            let all = try context.all("Thing")
            switch random.below(9) {
            case 0, 1, 2:
                let name = ["Thing", "Box", "Crate"][random.below(3)]
                let object = context.make(name, ["note": "n"])
                for key in ["code", "number", "day", "id", "price", "link", "ratio"]
                where random.below(2) == 0 {
                    let values = Self.values[key] ?? []
                    object.setValue(values[random.below(values.count)], forKey: key)
                }
                if name == "Box" { object.setValue([nil, 1, 2][random.below(3)], forKey: "aSize") }
                if name == "Crate" {
                    object.setValue([nil, "l"][random.below(2)], forKey: "label")
                }
                log.append("insert \(name)")
            case 3 where !all.isEmpty:
                context.delete(all[random.below(all.count)])
                log.append("delete")
            case 4 where all.count > 1:
                let key = ["code", "number", "id", "day"][random.below(4)]
                let (a, b) = (all[random.below(all.count)], all[random.below(all.count)])
                let (one, two) = (a.value(forKey: key), b.value(forKey: key))
                a.setValue(two, forKey: key)
                b.setValue(one, forKey: key)
                log.append("swap \(key)")
            case 5 where !all.isEmpty:
                all[random.below(all.count)].setValue("m", forKey: "note")
                log.append("note")
            case 6 where !all.isEmpty:
                let object = all[random.below(all.count)]
                let key = ["code", "number", "id"][random.below(3)]
                let values = Self.values[key] ?? []
                object.setValue(values[random.below(values.count)], forKey: key)
                log.append("set \(key)")
            case 7 where !all.isEmpty:
                let merge = random.below(2) == 0
                context.refresh(all[random.below(all.count)], mergeChanges: merge)
                log.append("refresh \(merge)")
            default: break
            }
        }
        func save(_ context: NSManagedObjectContext) {
            do {
                try context.save()
                log.append("saved")
            } catch {
                log.append("save failed")
                context.rollback()
            }
        }
        for _ in 0..<60 {
            let place = [main, main, other, child, child, grandchild][random.below(6)]
            log.append(names[place] ?? "")
            try place.performAndWait {
                switch random.below(12) {
                case 0, 1: save(place)
                case 2:
                    place.rollback()
                    log.append("rollback")
                case 3:
                    place.undoManager?.undo()
                    log.append("undo")
                case 4:
                    place.undoManager?.redo()
                    log.append("redo")
                case 5:
                    if random.below(3) == 0 {
                        place.reset()
                        log.append("reset")
                    } else {
                        place.refreshAllObjects()
                        log.append("refreshAll")
                    }
                case 6:
                    if place.parent != nil {
                        try place.obtainPermanentIDs(for: Array(place.insertedObjects))
                        log.append("obtain")
                    } else {
                        let token: NSQueryGenerationToken? = random.below(2) == 0 ? .current : nil
                        try place.setQueryGenerationFrom(token)
                        log.append("pin \(token != nil)")
                    }
                default: try change(place)
                }
                try check(place, &random, log)
            }
        }
    }
}
