// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// A batch insertion cannot change a component that is stored: contexts keep its entries.
@Suite struct ComponentUpsertTests {
    private let world: World

    init() throws {
        world = try World(adjusting: { entities in
            let label = NSAttributeDescription()
            label.name = "label"
            label.attributeType = .stringAttributeType
            let component = entities.first { $0.name == "Component" }
            component?.properties.append(label)
            component?.uniquenessConstraints = [["label"]]
        })
        for (name, points, label) in [("Hero", 10, "a"), ("Ghost", 1, "b")] {
            let object = GameObject.create(name: name, moc: world.moc)
            try object.addComponent(with: world.health(points), moc: world.moc)
            let made = world.moc.insertedObjects.first {
                $0.entity.name == "Component" && $0.value(forKey: "label") == nil
            }
            made?.setValue(label, forKey: "label")
        }
        try world.moc.save()
    }

    private func insert(_ labels: [String], _ policy: NSMergePolicy) throws -> Int? {
        world.moc.mergePolicy = policy
        let request = NSBatchInsertRequest(
            entityName: "Component", objects: labels.map { ["label": $0] })
        request.resultType = .count
        return (try world.moc.execute(request) as? NSBatchInsertResult)?.result as? Int
    }

    private func count() throws -> Int {
        try world.moc.count(for: NSFetchRequest<NSManagedObject>(entityName: "Component"))
    }

    @Test(arguments: [
        NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType,
    ])
    func trumping_what_is_stored_fails(type: NSMergePolicyType) throws {
        let error = #expect(throws: CocoaError.self) {
            try insert(["new", "a"], NSMergePolicy(merge: type))
        }
        #expect(error?.errorCode == 134070)
        for _ in 0..<2 {
            #expect(try count() == 2)
            #expect(try world.points("Hero") == [10])
            #expect(try world.owners(Health.self) == ["Ghost", "Hero"])
            try world.reopen()
        }
    }

    @Test func rows_that_meet_nothing_stored_go_in() throws {
        #expect(try insert(["new", "new"], .mergeByPropertyObjectTrump) == 1)
        #expect(try insert(["a", "other"], .mergeByPropertyStoreTrump) == 1)
        #expect(try count() == 4)
        // They belong to no game object.
        #expect(try world.owners(Health.self) == ["Ghost", "Hero"])
        #expect(try world.points("Ghost") == [1])
    }
}
