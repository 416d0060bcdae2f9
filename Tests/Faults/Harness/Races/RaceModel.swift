// SPDX-License-Identifier: Apache-2.0

import Lode

/// What workers change at the same time.
enum RaceModel {
    static let accounts = 6
    static let counters = 5
    static let names = 8
    static let workers = 8
    static let membersPerWorker = 3
    static let balance: Int64 = 1_000

    static func make() -> NSManagedObjectModel {
        func entity(
            _ name: String, _ numbers: [String], _ texts: [String] = []
        ) -> NSEntityDescription {
            NSEntityDescription(
                name: name,
                properties: numbers.map {
                    NSAttributeDescription(name: $0, type: .integer64, defaultValue: 0)
                } + texts.map { NSAttributeDescription(name: $0, type: .string) })
        }
        let account = entity("Account", ["number", "balance"])
        let counter = entity(
            "Counter", ["number", "shared"] + (0..<workers).map { "own\($0)" })
        let entry = entity("Entry", ["counter", "value", "worker"])
        let name = entity("Name", ["number"])
        name.uniquenessConstraints = [["number"]]
        let member = entity("Member", ["worker", "number"])
        let bags = NSRelationshipDescription(name: "bags", destination: counter)
        member.properties.append(bags)
        counter.properties.append(
            NSRelationshipDescription(name: "members", destination: member, inverse: bags))
        return NSManagedObjectModel(
            entities: [account, counter, entry, name, member] + GameObject.makeEntities())
    }

    /// Makes the objects that workers share.
    static func fill(_ store: WorkStore) throws {
        try store.context.performAndWait {
            func make(_ entity: String, _ values: [String: Int]) {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: store.context)
                for (key, value) in values { object.setValue(value, forKey: key) }
            }
            for number in 0..<accounts {
                make("Account", ["number": number, "balance": Int(balance)])
            }
            for number in 0..<counters { make("Counter", ["number": number]) }
            for worker in 0..<workers {
                for number in 0..<membersPerWorker {
                    make("Member", ["worker": worker, "number": number])
                }
            }
            try store.context.save()
            try RaceGame.fill(store)
        }
    }
}

extension NSManagedObject {
    func number(_ key: String) -> Int { (value(forKey: key) as? NSNumber)?.intValue ?? -1 }
    func members(_ key: String) -> Set<NSManagedObject> {
        value(forKey: key) as? Set<NSManagedObject> ?? []
    }
}
