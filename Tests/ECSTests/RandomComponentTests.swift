// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Random components against a dictionary.
@Suite(.serialized) struct RandomComponentTests {
    /// The owner of each data, by points; 0 for none.
    private struct Oracle: Equatable {
        var owners: [String: Set<Int>] = [:]
        var kinds: [Int: Bool] = [:]
        var loose: Set<Int> = []
    }

    private struct Driver {
        let world: World
        var random: SplitMix64
        var oracle = Oracle()
        var saved = Oracle()
        var next = 0

        mutating func object() throws -> (String, GameObject)? {
            guard let name = oracle.owners.keys.sorted().randomElement(using: &random),
                let object = try GameObject.fetch(name: name, moc: world.moc)
            else { return nil }
            return (name, object)
        }

        /// Random data that an object has.
        mutating func owned() throws -> (String, GameObject, Int, Health)? {
            guard let (name, object) = try object(),
                let points = oracle.owners[name]?.sorted().randomElement(using: &random),
                let data = try object.getData(ofType: Health.self).first(where: {
                    $0.points == points
                })
            else { return nil }
            return (name, object, points, data)
        }

        mutating func step() throws {
            next += 1
            switch random.below(20) {
            case 0..<3:
                GameObject.create(name: "o\(next)", moc: world.moc)
                oracle.owners["o\(next)"] = []
            case 3..<8: try add()
            case 8..<10: try remove()
            case 10..<12: try move()
            case 12: try deleteData()
            case 13: try deleteObject()
            case 14..<17:
                try world.moc.save()
                saved = oracle
            case 17..<19:
                world.moc.rollback()
                oracle = saved
            default:
                try world.reopen()
                oracle = saved
            }
        }

        private mutating func add() throws {
            guard let (name, object) = try object() else { return }
            let isArmour = random.below(2) == 0
            let data = isArmour ? world.armour(next) : world.health(next)
            try object.addComponent(with: data, moc: world.moc)
            oracle.owners[name]?.insert(next)
            oracle.kinds[next] = isArmour
        }

        private mutating func remove() throws {
            guard let (name, object, points, data) = try owned() else { return }
            let deletes = random.below(2) == 0
            try object.removeComponent(with: data, deletingData: deletes)
            oracle.owners[name]?.remove(points)
            if deletes { oracle.kinds[points] = nil } else { oracle.loose.insert(points) }
        }

        private mutating func move() throws {
            guard let (name, _, points, data) = try owned(),
                let (target, object) = try self.object()
            else { return }
            let component = try Component.fetch(managedObjectID: data.objectID, moc: world.moc)
            component?.gameObject = object
            oracle.owners[name]?.remove(points)
            oracle.owners[target]?.insert(points)
        }

        private mutating func deleteData() throws {
            guard let (name, _, points, data) = try owned() else { return }
            world.moc.delete(data)
            oracle.owners[name]?.remove(points)
            oracle.kinds[points] = nil
        }

        private mutating func deleteObject() throws {
            guard let (name, object) = try object() else { return }
            world.moc.delete(object)
            oracle.loose.formUnion(oracle.owners[name] ?? [])
            oracle.owners[name] = nil
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func agrees_with_a_dictionary(seed: UInt64)
        throws
    {
        var driver = Driver(world: try World(), random: SplitMix64(state: seed))
        for step in 0..<200 {
            try driver.step()
            let place = "seed \(seed), step \(step)"
            try check(driver, place)
        }
        try driver.world.moc.save()
        try driver.world.reopen()
    }

    private func check(_ driver: Driver, _ place: String) throws {
        let (world, oracle) = (driver.world, driver.oracle)
        for (name, points) in oracle.owners {
            let found = try world.points(name)
            #expect(found == points.sorted(), "\(place), \(name)")
            #expect(
                try world.points(name, Armour.self)
                    == points.filter { oracle.kinds[$0] == true }.sorted(), "\(place)")
        }
        #expect(
            try world.owners(Health.self)
                == oracle.owners.filter { !$0.value.isEmpty }.keys.sorted(), "\(place)")
        #expect(
            try world.owners(Armour.self)
                == oracle.owners.filter { $0.value.contains { oracle.kinds[$0] == true } }.keys
                .sorted(), "\(place)")
        for data in try world.moc.fetch(NSFetchRequest<Health>(entityName: "Health")) {
            let owner = try GameObject.fetch(data: data, moc: world.moc)?.name
            let expected = oracle.owners.first { $0.value.contains(data.points) }?.key
            #expect(owner == expected, "\(place), data \(data.points)")
        }
    }
}
