// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

// Initialisers as programs write them for themselves. Swift calls no property observers for what
// they assign, as they are part of the class.

extension NSManagedObjectModel {
    fileprivate convenience init(own entities: [NSEntityDescription]) {
        self.init()
        self.entities = entities
    }
}

extension NSEntityDescription {
    fileprivate convenience init(
        own name: String, _ properties: [NSPropertyDescription],
        under: [NSEntityDescription] = [], indexes: [NSFetchIndexDescription] = []
    ) {
        self.init()
        self.name = name
        self.properties = properties
        subentities = under
        self.indexes = indexes
        isAbstract = !under.isEmpty
        userInfo = ["own": name]
        if !properties.isEmpty { uniquenessConstraints = [["name"]] }
    }

    fileprivate convenience init(own name: String, class type: NSManagedObject.Type) {
        self.init(name: "Former", managedObjectClass: Named.self)
        self.name = name
        managedObjectClassName = NSStringFromClass(type)
    }
}

extension NSAttributeDescription {
    fileprivate convenience init(own name: String) {
        self.init()
        self.name = name
        attributeType = .stringAttributeType
        isOptional = false
        defaultValue = "none"
        validationRules = [.minimumLength(2)]
    }
}

extension NSRelationshipDescription {
    fileprivate convenience init(
        own name: String, to entity: NSEntityDescription, max: Int,
        back: NSRelationshipDescription? = nil
    ) {
        self.init()
        self.name = name
        destinationEntity = entity
        maxCount = max
        deleteRule = .cascadeDeleteRule
        inverseRelationship = back
        back?.inverseRelationship = self
    }
}

extension NSFetchIndexDescription {
    fileprivate convenience init(own name: String, _ properties: [NSPropertyDescription]) {
        self.init(name: "former", elements: nil)
        self.name = name
        elements = properties.map {
            NSFetchIndexElementDescription(property: $0, collationType: .binary)
        }
    }
}

extension NSFetchIndexElementDescription {
    fileprivate convenience init(falling property: NSPropertyDescription) {
        self.init(property: property, collationType: .rTree)
        collationType = .binary
        isAscending = false
    }
}

extension NSFetchRequest {
    fileprivate convenience init(own entity: NSEntityDescription) {
        self.init()
        self.entity = entity
    }
}

extension NSManagedObjectContext {
    fileprivate convenience init(own coordinator: NSPersistentStoreCoordinator) {
        self.init(concurrencyType: .privateQueueConcurrencyType)
        persistentStoreCoordinator = coordinator
        automaticallyMergesChangesFromParent = true
        retainsRegisteredObjects = true
        undoManager = UndoManager()
        mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
    }

    fileprivate convenience init(ownChildOf parent: NSManagedObjectContext) {
        self.init(concurrencyType: .privateQueueConcurrencyType)
        automaticallyMergesChangesFromParent = true
        self.parent = parent
    }

    fileprivate convenience init(ownPolicy: String) {
        self.init(concurrencyType: .privateQueueConcurrencyType)
        mergePolicy = ownPolicy
    }
}

extension UndoManager {
    fileprivate convenience init(own levels: Int, for target: NSObject) {
        self.init()
        groupsByEvent = false
        for _ in 0..<4 {
            beginUndoGrouping()
            registerUndo(withTarget: target) { _ in }
            endUndoGrouping()
        }
        levelsOfUndo = levels
    }
}

extension NSFetchedResultsController {
    fileprivate convenience init(
        own request: NSFetchRequest<ResultType>, _ context: NSManagedObjectContext,
        _ delegate: any NSFetchedResultsControllerDelegate
    ) {
        self.init(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        self.delegate = delegate
    }
}

extension NSPersistentContainer {
    fileprivate convenience init(own url: URL, _ model: NSManagedObjectModel) {
        self.init(name: "Own", managedObjectModel: model)
        persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        loadPersistentStores { _, error in #expect(error == nil) }
        viewContext.automaticallyMergesChangesFromParent = true
    }
}

private final class Named: NSManagedObject {}
final class ExtensionNamed: NSManagedObject {}

private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    var changes: [NSFetchedResultsChangeType] = []

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        changes.append(type)
    }
}

/// What a convenience initialiser in an extension assigns has all its effects.
@Suite struct ExtensionInitialiserTests {
    private func stack() throws -> Stack {
        let item = NSEntityDescription(own: "Item", [NSAttributeDescription(own: "name")])
        return try Stack(NSManagedObjectModel(own: [item]))
    }

    @Test func entities_know_their_model() {
        let entity = NSEntityDescription(own: "Item", [NSAttributeDescription(own: "name")])
        let model = NSManagedObjectModel(own: [entity])
        #expect(entity.managedObjectModel === model)
    }

    @Test func subentities_know_what_they_inherit_from() throws {
        let cat = NSEntityDescription(own: "Cat", [])
        let animal = NSEntityDescription(
            own: "Animal", [NSAttributeDescription(own: "name")], under: [cat])
        #expect(cat.superentity === animal)
        #expect(cat.propertiesByName.keys.sorted() == ["name"])
        let stack = try Stack(NSManagedObjectModel(own: [animal, cat]))
        stack.context.make("Cat", ["name": "Tom"])
        try stack.context.save()
        #expect(try stack.context.all("Animal").map { $0.text("name") } == ["Tom"])
    }

    @Test func indexes_and_their_elements_know_whose_they_are() throws {
        let name = NSAttributeDescription(own: "name")
        let index = NSFetchIndexDescription(own: "byName", [name])
        let element = try #require(index.elements.first)
        #expect(element.indexDescription === index)
        let entity = NSEntityDescription(own: "Item", [name], indexes: [index])
        #expect(index.entity === entity)
        let falling = NSFetchIndexElementDescription(falling: name)
        #expect(falling.collationType == .binary && !falling.isAscending)
    }

    @Test func properties_count() throws {
        let stack = try stack()
        let made = stack.context.make("Item")
        #expect(made.text("name") == "none")
        made.setValue("a", forKey: "name")
        #expect(code { try stack.context.save() } == 1670)
    }

    @Test func a_class_name_replaces_the_class() throws {
        let entity = NSEntityDescription(own: "Item", class: ExtensionNamed.self)
        let stack = try Stack(NSManagedObjectModel(own: [entity]))
        #expect(type(of: stack.context.make("Item")) == ExtensionNamed.self)
    }

    @Test func relationships_are_connected() throws {
        let (owner, part) = (NSEntityDescription(own: "Owner", []), NSEntityDescription())
        part.name = "Part"
        let parts = NSRelationshipDescription(own: "parts", to: part, max: 0)
        let back = NSRelationshipDescription(own: "owner", to: owner, max: 1, back: parts)
        owner.properties = [parts]
        part.properties = [back]
        let stack = try Stack(NSManagedObjectModel(own: [owner, part]))
        let made = stack.context.make("Owner", ["parts": Set([stack.context.make("Part")])])
        try stack.context.save()
        stack.context.delete(made)
        try stack.context.save()
        #expect(try stack.context.count("Part") == 0)
    }

    @Test func a_request_has_the_name_of_its_entity() throws {
        let stack = try stack()
        let entity = try #require(stack.model.entitiesByName["Item"])
        let request = NSFetchRequest<NSManagedObject>(own: entity)
        #expect(request.entityName == "Item")
        stack.context.make("Item")
        #expect(try stack.context.fetch(request).count == 1)
    }

    @Test func a_context_keeps_its_objects() throws {
        let stack = try stack()
        let context = NSManagedObjectContext(own: stack.container.persistentStoreCoordinator)
        stack.context.make("Item", ["name": "first"])
        try stack.context.save()
        try context.performAndWait {
            _ = try context.all("Item")
            #expect(context.registeredObjects.count == 1)
        }
    }

    @Test func a_context_records_what_can_be_undone() throws {
        let stack = try stack()
        let context = NSManagedObjectContext(own: stack.container.persistentStoreCoordinator)
        context.performAndWait {
            context.make("Item", ["name": "first"])
            context.processPendingChanges()
            context.undo()
            #expect(context.insertedObjects.isEmpty)
        }
    }

    @Test func a_context_merges() throws {
        let stack = try stack()
        let context = NSManagedObjectContext(own: stack.container.persistentStoreCoordinator)
        let own = context.performAndWait { context.make("Item", ["name": "first"]) }
        try context.performAndWait { try context.save() }
        let id = context.performAndWait { own.objectID }
        stack.context.object(with: id).setValue("second", forKey: "name")
        try stack.context.save()
        context.performAndWait {
            context.processPendingChanges()
            #expect(own.text("name") == "second")
        }
    }

    @Test func a_child_merges() throws {
        let stack = try stack()
        let child = NSManagedObjectContext(ownChildOf: stack.context)
        let item = stack.context.make("Item", ["name": "first"])
        try stack.context.save()
        let own = child.performAndWait { child.object(with: item.objectID) }
        #expect(child.performAndWait { own.text("name") } == "first")
        item.setValue("second", forKey: "name")
        try stack.context.save()
        #expect(child.performAndWait { own.text("name") } == "second")
    }

    @Test func a_context_takes_no_policy_of_another_kind() async {
        await #expect(processExitsWith: .failure) {
            _ = NSManagedObjectContext(ownPolicy: "mine")
        }
    }

    @Test func a_container_merges() throws {
        let stack = try stack()
        let url = stack.directory.appendingPathComponent("own.lode")
        let container = NSPersistentContainer(own: url, stack.model)
        let seen = container.viewContext.make("Item", ["name": "first"])
        try container.viewContext.save()
        let other = container.newBackgroundContext()
        try other.performAndWait {
            other.object(with: seen.objectID).setValue("second", forKey: "name")
            try other.save()
        }
        container.viewContext.performAndWait { #expect(seen.text("name") == "second") }
    }

    @Test func an_undo_manager_drops_what_is_above_its_limit() {
        #expect(UndoManager(own: 2, for: NSObject()).undoCount == 2)
    }

    @Test func a_results_controller_tells_its_delegate() throws {
        let stack = try stack()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let follower = Follower()
        let controller = NSFetchedResultsController(own: request, stack.context, follower)
        try controller.performFetch()
        stack.context.make("Item", ["name": "first"])
        stack.context.processPendingChanges()
        #expect(follower.changes == [.insert])
        #expect(controller.fetchedObjects?.count == 1)
    }

    @Test func a_model_in_use_cannot_be_changed() async {
        await #expect(processExitsWith: .failure) {
            let stack = try ExtensionInitialiserTests().stack()
            stack.model.entitiesByName["Item"]?.name = "Thing"
        }
    }
}
