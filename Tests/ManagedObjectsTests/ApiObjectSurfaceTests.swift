// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Names every member of objects, models and stores that the compatibility page promises.
@Suite struct ApiObjectSurfaceTests {
    private let stack: Stack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(PeopleModel.make())
        context = stack.context
    }

    @Test func object_members() throws {
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Person", in: context))
        let ann = NSManagedObject(entity: entity, insertInto: context)
        ann.setValuesForKeys(["name": "Ann", "age": 30])
        ann["age"] = 31
        #expect(ann["age"] as? Int == 31 && ann.entity === entity)
        #expect(ann.isInserted && !ann.isUpdated && !ann.isDeleted && ann.hasChanges)
        #expect(!ann.isFault && ann.faultingState == 0 && ann.hasPersistentChangedValues)
        #expect(ann.changedValues()["name"] as? String == "Ann")
        #expect(ann.changedValuesForCurrentEvent().isEmpty)
        try context.save()
        #expect(ann.committedValues(forKeys: ["name"])["name"] as? String == "Ann")
        #expect(ann.committedValues(forKeys: nil).isEmpty == false)
        #expect(ann.dictionaryWithValues(forKeys: ["name"])["name"] as? String == "Ann")
        ann.setValue("Bob", forKeyPath: "name")
        ann.setPrimitiveValue("Cid", forKey: "name")
        #expect(ann.primitiveValue(forKey: "name") as? String == "Cid")
        ann.willAccessValue(forKey: "name")
        ann.didAccessValue(forKey: "name")
        ann.willChangeValue(forKey: "name")
        ann.didChangeValue(forKey: "name")
        #expect(ann.mutableSetValue(forKey: "tags").count == 0)
        #expect(ann.objectIDs(forRelationshipNamed: "tags").isEmpty)
        #expect(!ann.hasFault(forRelationshipNamed: "spouse"))
        try ann.validateForInsert()
        try ann.validateForUpdate()
        try ann.validateForDelete()
        var value: Any? = "Dan"
        try ann.validateValue(&value, forKey: "name")
        #expect(NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges)
    }

    @Test func id_members() throws {
        let ann = context.make("Person")
        #expect(ann.objectID.isTemporaryID && ann.objectID.entity === ann.entity)
        try context.save()
        let id = ann.objectID
        #expect(!id.isTemporaryID && id.copy() as? NSManagedObjectID == id)
        let coordinator = stack.container.persistentStoreCoordinator
        #expect(id.persistentStore === coordinator.persistentStores[0])
        let uri = id.uriRepresentation()
        #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
    }

    @Test func model_members() throws {
        let model = PeopleModel.make()
        let person = try #require(model.entitiesByName["Person"])
        #expect(person.managedObjectModel === model && model.entities.count == 4)
        #expect(model.versionIdentifiers.isEmpty && model.entityVersionHashesByName.count == 4)
        #expect(person.superentity == nil && person.subentities.isEmpty && !person.isAbstract)
        #expect(person.subentitiesByName.isEmpty && person.isKindOf(entity: person))
        #expect(person.attributesByName.count == 2 && person.relationshipsByName.count == 9)
        #expect(person.propertiesByName.count == 11 && person.properties.count == 11)
        #expect(person.relationships(forDestination: person).count == 4)
        #expect(person.userInfo?.isEmpty == true && person.renamingIdentifier == "Person")
        #expect(person.uniquenessConstraints.isEmpty && person.indexes.isEmpty)
        #expect(person.versionHash.count == 8 && person.managedObjectClassName == "NSManagedObject")
        let age = try #require(person.attributesByName["age"])
        #expect(age.entity === person && age.isOptional && !age.isTransient)
        #expect(age.type == .integer32 && age.defaultValue as? Int == 18)
        #expect(age.attributeValueClassName == "NSNumber" && age.renamingIdentifier == "age")
        #expect(age.validationPredicates.isEmpty && age.validationWarnings.isEmpty)
        #expect(!age.allowsExternalBinaryDataStorage && age.valueTransformerName == nil)
        let tags = try #require(person.relationshipsByName["tags"])
        #expect(tags.isToMany && tags.maxCount == 0 && tags.minCount == 0 && !tags.isOrdered)
        #expect(tags.deleteRule == .nullifyDeleteRule && tags.inverseRelationship?.name == "people")
        #expect(tags.destinationEntity?.name == "Tag")
        let element = NSFetchIndexElementDescription(property: age, collationType: .binary)
        let index = NSFetchIndexDescription(name: "age", elements: [element])
        #expect(index.elements[0].propertyName == "age" && element.isAscending)
        #expect(element.indexDescription === index && element.property === age)
        #expect(model.copy() is NSManagedObjectModel && person.copy() is NSEntityDescription)
    }

    @Test func container_and_store_members() throws {
        let container = stack.container
        #expect(container.name == "Test" && container.managedObjectModel === stack.model)
        #expect(container.persistentStoreDescriptions.count == 1)
        #expect(NSPersistentContainer.defaultDirectoryURL().isFileURL)
        let description = NSPersistentStoreDescription()
        #expect(description.url?.path == "/dev/null" && description.type == NSSQLiteStoreType)
        #expect(!description.isReadOnly && !description.shouldAddStoreAsynchronously)
        #expect(description.shouldMigrateStoreAutomatically)
        #expect(description.shouldInferMappingModelAutomatically)
        #expect(description.configuration == nil && description.timeout == 240)
        description.setOption(true as NSNumber, forKey: NSReadOnlyPersistentStoreOption)
        #expect(description.options.count == 1 && description.sqlitePragmas.isEmpty)
        let coordinator = container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        #expect(coordinator.managedObjectModel === stack.model && coordinator.name == nil)
        #expect(coordinator.persistentStore(for: stack.url) === store)
        #expect(coordinator.url(for: store) == stack.url && store.url == stack.url)
        #expect(store.type == NSSQLiteStoreType && !store.isReadOnly)
        #expect(coordinator.metadata(for: store)[NSStoreUUIDKey] as? String == store.identifier)
        #expect(coordinator.performAndWait { 1 } == 1)
        let second = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
        let memory = try second.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        try second.remove(memory)
        _ = try second.addPersistentStore(
            type: .inMemory, configuration: nil, at: URL(fileURLWithPath: "/dev/null"),
            options: nil)
    }

    @Test func policy_members() {
        let policies: [(Any, NSMergePolicy)] = [
            (NSErrorMergePolicy, .error), (NSRollbackMergePolicy, .rollback),
            (NSOverwriteMergePolicy, .overwrite),
            (NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrump),
            (NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrump),
        ]
        for (global, policy) in policies { #expect(global as? NSMergePolicy === policy) }
        let policy = NSMergePolicy(merge: .rollbackMergePolicyType)
        #expect(policy.mergeType == .rollbackMergePolicyType)
        let ann = context.make("Person")
        let conflict = NSMergeConflict(
            source: ann, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
        #expect(conflict.sourceObject === ann && conflict.newVersionNumber == 2)
        #expect(conflict.oldVersionNumber == 1 && conflict.cachedSnapshot == nil)
        #expect(conflict.persistedSnapshot == nil)
        let collision = NSConstraintConflict(
            constraint: ["name"], database: nil, databaseSnapshot: nil, conflicting: [ann],
            conflictingSnapshots: [])
        #expect(collision.constraint == ["name"] && collision.conflictingObjects == [ann])
        #expect(collision.databaseObject == nil && collision.databaseSnapshot == nil)
    }
}
