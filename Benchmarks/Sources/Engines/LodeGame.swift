// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// What a component can be of, in the benchmarks.
final class Skill: NSManagedObject {
    @Managed var level: Int32
}

/// Data of another entity, so that types have something to tell apart.
final class Belonging: NSManagedObject {
    @Managed var weight: Double
}

/// A question to game objects, or a change of one.
public enum GameStep: String, CaseIterable, Sendable {
    /// The components with data of a type.
    case components = "getComponents(ofType:)"
    /// The data of all components.
    case data = "getData()"
    /// The game object that has data.
    case owner = "fetch(data:), of a component"
    /// The game object of data that no component has.
    case nobody = "fetch(data:), of nobody"
    /// The component of an ID.
    case component = "Component.fetch(managedObjectID:)"
    /// The game object of a name.
    case name = "fetch(name:)"
    /// All game objects with data of a type; the time is for each of them.
    case all = "fetchAll(withComponentOfType:)"
    /// An added component and its removal.
    case change = "addComponent, removeComponent"
}

/// Game objects with three components each, in a file of their own.
public final class LodeGame {
    private let container: NSPersistentContainer
    let context: NSManagedObjectContext
    static let savedCount = 1_000

    /// Opens a file, which is made.
    public init(path: String) throws {
        let entities = [
            NSEntityDescription(
                name: "Skill", managedObjectClass: Skill.self,
                properties: [NSAttributeDescription(name: "level", type: .integer32)]),
            NSEntityDescription(
                name: "Belonging", managedObjectClass: Belonging.self,
                properties: [NSAttributeDescription(name: "weight", type: .double)]),
        ]
        container = try NSPersistentContainer(
            NSManagedObjectModel(entities: GameObject.makeEntities() + entities), at: path)
        context = container.newBackgroundContext()
    }

    /// Makes game objects, gives each three components whose data are new, and saves them all;
    /// returns the seconds before the save and those of the save.
    public func make(
        _ count: Int, inBulk: Bool = false
    ) throws -> (giving: Double, saving: Double) {
        try context.performAndWait {
            let giving = try Stopwatch.time {
                try give(count, prefix: inBulk ? "bulk" : "made", inBulk: inBulk)
            }.seconds
            return (giving, try Stopwatch.time { try context.save() }.seconds)
        }
    }

    func give(_ count: Int, prefix: String, inBulk: Bool = false) throws {
        for number in 0..<count {
            let object = GameObject.create(name: "\(prefix) \(number)", moc: context)
            var data: [NSManagedObject] = []
            for level in 0..<2 as Range<Int32> {
                let skill = Skill(context: context)
                skill.level = level
                if inBulk {
                    data.append(skill)
                } else {
                    try object.addComponent(with: skill, moc: context)
                }
            }
            let belonging = Belonging(context: context)
            belonging.weight = 1
            if inBulk {
                data.append(belonging)
                try object.addComponents(with: data, moc: context)
            } else {
                try object.addComponent(with: belonging, moc: context)
            }
        }
    }

    /// Takes all components that were saved from their game objects, and saves that; returns the
    /// seconds of both for each component.
    public func removeAll() throws -> Double {
        try context.performAndWait {
            var found: [(object: GameObject, data: [NSManagedObject])] = []
            for object in try context.fetch(GameObject.fetchRequest()) {
                found.append((object, try object.getData()))
            }
            let count = found.reduce(0) { $0 + $1.data.count }
            let seconds = try Stopwatch.time {
                for (object, data) in found {
                    for one in data { try object.removeComponent(with: one) }
                }
                try context.save()
            }.seconds
            let left = try context.count(for: Component.fetchRequest())
            guard left == 0 else { throw BenchmarkError("\(left) components are left") }
            return seconds / Double(count)
        }
    }

    /// Asks 1000 saved game objects while as many others as said are unsaved; seconds a question.
    public func ask(unsaved count: Int) throws -> [GameStep: Double] {
        try context.performAndWait {
            try give(LodeGame.savedCount, prefix: "saved")
            let lone = (0..<LodeGame.savedCount).map { _ in Skill(context: context) }
            try context.save()
            try give(count / 7, prefix: "unsaved")
            defer { context.reset() }
            var objects: [GameObject] = []
            for number in 0..<LodeGame.savedCount {
                guard let object = try GameObject.fetch(name: "saved \(number)", moc: context)
                else { throw BenchmarkError("a game object is lost; the figures are void") }
                objects.append(object)
            }
            var result: [GameStep: Double] = [:]
            for step in GameStep.allCases {
                result[step] = try measure(step, objects, lone)
            }
            return result
        }
    }

    private func measure(
        _ step: GameStep, _ objects: [GameObject], _ lone: [Skill]
    ) throws -> Double {
        let skills = try objects.compactMap { try $0.getData(ofType: Skill.self).first }
        var found = 0
        var expected = objects.count
        // Few in a build whose questions look at everything: they would take minutes.
        var count = objects.count
        let seconds = try Stopwatch.time {
            switch step {
            case .components:
                for object in objects {
                    found += try object.getComponents(ofType: Skill.self).count
                }
                expected *= 2
            case .data:
                for object in objects { found += try object.getData().count }
                expected *= 3
            case .owner:
                for skill in skills where try GameObject.fetch(data: skill, moc: context) != nil {
                    found += 1
                }
            case .nobody:
                for skill in lone.prefix(100)
                where try GameObject.fetch(data: skill, moc: context) == nil { found += 1 }
                (count, expected) = (100, 100)
            case .component:
                for skill in skills
                where try Component.fetch(managedObjectID: skill.objectID, moc: context) != nil {
                    found += 1
                }
            case .name:
                for number in 0..<100
                where try GameObject.fetch(name: "saved \(number)", moc: context) != nil {
                    found += 1
                }
                (count, expected) = (100, 100)
            case .all:
                found = try GameObject.fetchAll(withComponentOfType: Skill.self, moc: context).count
                (count, expected) = (found, found)
            case .change:
                for object in objects.prefix(100) {
                    let skill = Skill(context: context)
                    try object.addComponent(with: skill, moc: context)
                    try object.removeComponent(with: skill)
                    found += 1
                }
                (count, expected) = (100, 100)
            }
        }.seconds
        guard found == expected else {
            throw BenchmarkError("\(step) found \(found) and not \(expected)")
        }
        return seconds / Double(count)
    }

    /// Closes the file.
    public func close() throws { try container.close() }
}
