// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import _TestSupport

/// Data of components: two entities, one of which inherits from the other.
class Health: NSManagedObject {
    var points: Int {
        get { (value(forKey: "points") as? NSNumber)?.intValue ?? -1 }
        set { setValue(newValue, forKey: "points") }
    }
}

final class Armour: Health {}

final class Position: NSManagedObject {}

extension NSPersistentContainer {
    /// Closes the stores, and opens a file with the same model in a new container.
    func reopened(
        at url: URL, verify: String? = nil, tracksHistory: Bool = false, isReadOnly: Bool = false
    ) throws -> NSPersistentContainer {
        let coordinator = persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let next = NSPersistentContainer(name: name, managedObjectModel: managedObjectModel)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        description.isReadOnly = isReadOnly
        if tracksHistory {
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        if let verify { description.setOption(verify as NSString, forKey: LodeVerifyOption) }
        next.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        next.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return next
    }
}

/// A store file with game objects and data.
final class World {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ECSTests-\(UUID().uuidString)")
    let model: NSManagedObjectModel
    private(set) var container: NSPersistentContainer

    /// - Parameters:
    ///   - ownEntities: Whether the model declares the two entities itself.
    ///   - adjust: Changes those entities before the model is used.
    init(
        ownEntities: Bool = false, adjusting adjust: ([NSEntityDescription]) -> Void = { _ in }
    ) throws {
        model = NSManagedObjectModel()
        let entities = ownEntities ? World.ownEntities() : GameObject.makeEntities()
        adjust(entities)
        model.entities = entities + World.dataEntities()
        container = NSPersistentContainer(name: "World", managedObjectModel: model)
        try reopen()
    }

    deinit { removeAtExit(directory.path) }

    var moc: NSManagedObjectContext { container.viewContext }

    func reopen() throws {
        container = try container.reopened(
            at: directory.appendingPathComponent("world.lode"), verify: "records")
    }

    func health(_ points: Int) -> Health {
        let health = Health(context: moc)
        health.points = points
        return health
    }

    func armour(_ points: Int) -> Armour {
        let armour = Armour(context: moc)
        armour.points = points
        return armour
    }

    /// The points of all data of a type that an object has, ascending.
    func points(_ name: String, _ type: Health.Type = Health.self) throws -> [Int] {
        try GameObject.fetch(name: name, moc: moc)?.getData(ofType: type).map(\.points).sorted()
            ?? []
    }

    func owners(_ type: NSManagedObject.Type) throws -> [String] {
        try GameObject.fetchAll(withComponentOfType: type, moc: moc).compactMap(\.name).sorted()
    }
}

extension World {
    private static func attribute(
        _ name: String, _ type: NSAttributeType
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    static func dataEntities() -> [NSEntityDescription] {
        let health = NSEntityDescription()
        health.name = "Health"
        health.managedObjectClassName = NSStringFromClass(Health.self)
        health.properties = [attribute("points", .integer32AttributeType)]
        let armour = NSEntityDescription()
        armour.name = "Armour"
        armour.managedObjectClassName = NSStringFromClass(Armour.self)
        health.subentities = [armour]
        let position = NSEntityDescription()
        position.name = "Position"
        position.managedObjectClassName = NSStringFromClass(Position.self)
        return [health, armour, position]
    }

    /// The entities as a program may have modelled them: text for the pointer, bare class names.
    private static func ownEntities() -> [NSEntityDescription] {
        let object = NSEntityDescription()
        object.name = "GameObject"
        object.managedObjectClassName = "GameObject"
        let component = NSEntityDescription()
        component.name = "Component"
        component.managedObjectClassName = "Component"
        let components = NSRelationshipDescription()
        components.name = "components"
        components.destinationEntity = component
        components.deleteRule = .cascadeDeleteRule
        let owner = NSRelationshipDescription()
        owner.name = "gameObject"
        owner.destinationEntity = object
        owner.maxCount = 1
        components.inverseRelationship = owner
        owner.inverseRelationship = components
        object.properties = [attribute("name", .stringAttributeType), components]
        component.properties = [attribute("representation", .stringAttributeType), owner]
        return [object, component]
    }
}
