// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Names every member that the compatibility page promises, with Core Data's types.
@Suite struct ApiSurfaceTests {
    private let stack: Stack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(PeopleModel.make())
        context = stack.context
    }

    @Test func constants() {
        let types: [NSAttributeType] = [
            .undefinedAttributeType, .integer16AttributeType, .integer32AttributeType,
            .integer64AttributeType, .decimalAttributeType, .doubleAttributeType,
            .floatAttributeType, .stringAttributeType, .booleanAttributeType, .dateAttributeType,
            .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType,
            .transformableAttributeType, .objectIDAttributeType,
        ]
        #expect(
            types.map(\.rawValue) == [
                0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1800, 2000,
            ])
        let rules: [NSDeleteRule] = [
            .noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
        ]
        #expect(rules.map(\.rawValue) == [0, 1, 2, 3])
        let events: [NSSnapshotEventType] = [
            .undoInsertion, .undoDeletion, .undoUpdate, .rollback, .refresh, .mergePolicy,
        ]
        #expect(events.map(\.rawValue) == [2, 4, 8, 16, 32, 64])
        let kinds: [NSManagedObjectContextConcurrencyType] = [
            .privateQueueConcurrencyType, .mainQueueConcurrencyType,
        ]
        #expect(kinds.map(\.rawValue) == [1, 2])
        let results: [NSFetchRequestResultType] = [
            .managedObjectResultType, .managedObjectIDResultType, .countResultType,
        ]
        #expect(results.map(\.rawValue) == [0, 1, 4])
        let merges: [NSMergePolicyType] = [
            .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
            .rollbackMergePolicyType,
        ]
        #expect(merges.map(\.rawValue) == [0, 1, 2, 3, 4])
        let stores = [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType]
        #expect(stores == ["SQLite", "InMemory", "Binary"])
        #expect(Set([NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey]).count == 3)
        #expect(NSStoreModelVersionIdentifiersKey == "NSStoreModelVersionIdentifiers")
    }

    @Test func names_of_notifications() {
        let pairs: [(Notification.Name, Notification.Name, String)] = [
            (
                .NSManagedObjectContextDidSave, NSManagedObjectContext.didSaveObjectsNotification,
                "NSManagingContextDidSaveChangesNotification"
            ),
            (
                .NSManagedObjectContextObjectsDidChange,
                NSManagedObjectContext.didChangeObjectsNotification,
                "NSObjectsChangedInManagingContextNotification"
            ),
            (
                .NSManagedObjectContextWillSave, NSManagedObjectContext.willSaveObjectsNotification,
                "NSManagingContextWillSaveChangesNotification"
            ),
            (
                .NSManagedObjectContextDidSaveObjectIDs,
                NSManagedObjectContext.didSaveObjectIDsNotification,
                "NSManagedObjectContextDidSaveObjectIDsNotification"
            ),
            (
                .NSManagedObjectContextDidMergeChangesObjectIDs,
                NSManagedObjectContext.didMergeChangesObjectIDsNotification,
                "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
            ),
        ]
        for (one, other, text) in pairs { #expect(one == other && one.rawValue == text) }
    }

    @Test func keys_of_notifications() {
        let keys: [(NSManagedObjectContext.NotificationKey, String, String)] = [
            (.insertedObjects, NSInsertedObjectsKey, "inserted"),
            (.updatedObjects, NSUpdatedObjectsKey, "updated"),
            (.deletedObjects, NSDeletedObjectsKey, "deleted"),
            (.refreshedObjects, NSRefreshedObjectsKey, "refreshed"),
            (.invalidatedObjects, NSInvalidatedObjectsKey, "invalidated"),
            (.invalidatedAllObjects, NSInvalidatedAllObjectsKey, "invalidatedAll"),
            (.insertedObjectIDs, NSInsertedObjectIDsKey, "inserted_objectIDs"),
            (.updatedObjectIDs, NSUpdatedObjectIDsKey, "updated_objectIDs"),
            (.deletedObjectIDs, NSDeletedObjectIDsKey, "deleted_objectIDs"),
            (.refreshedObjectIDs, NSRefreshedObjectIDsKey, "refreshed_objectIDs"),
            (.invalidatedObjectIDs, NSInvalidatedObjectIDsKey, "invalidated_objectIDs"),
            (
                .queryGeneration, NSManagedObjectContextQueryGenerationKey,
                "managedObjectContextQueryGeneration"
            ),
        ]
        for (key, constant, text) in keys {
            #expect(key.rawValue == constant && constant == text)
        }
    }

    @Test func context_members() throws {
        let stored: [PartialKeyPath<NSManagedObjectContext>] = [
            \.concurrencyType, \.name, \.userInfo, \.persistentStoreCoordinator, \.parent,
            \.automaticallyMergesChangesFromParent, \.mergePolicy, \.undoManager,
            \.transactionAuthor, \.shouldDeleteInaccessibleFaults, \.retainsRegisteredObjects,
            \.stalenessInterval, \.hasChanges, \.insertedObjects, \.updatedObjects,
            \.deletedObjects, \.registeredObjects, \.queryGenerationToken,
        ]
        #expect(Set(stored).count == 18)
        #expect(context.stalenessInterval == -1 && context.undoManager == nil)
        #expect(context.shouldDeleteInaccessibleFaults && !context.retainsRegisteredObjects)
        #expect(!context.automaticallyMergesChangesFromParent && context.parent == nil)
        let ann = context.make("Person", ["name": "Ann"])
        try context.obtainPermanentIDs(for: [ann])
        try context.save()
        context.detectConflicts(for: ann)
        context.refresh(ann, mergeChanges: true)
        context.refreshAllObjects()
        context.processPendingChanges()
        try context.setQueryGenerationFrom(nil)
        #expect(context.registeredObject(for: ann.objectID) === ann)
        #expect(context.object(with: ann.objectID) === ann)
        #expect(try context.existingObject(with: ann.objectID) === ann)
        context.delete(ann)
        context.insert(ann)
        #expect(!ann.isDeleted)
        context.undo()
        context.redo()
        context.rollback()
        context.reset()
        let other = stack.container.newBackgroundContext()
        other.perform {}
        other.performAndWait {}
    }

    @Test func blocks_of_contexts() async throws {
        let context = stack.container.newBackgroundContext()
        #expect(context.performAndWait { 1 } == 1)
        #expect(await context.perform { 2 } == 2)
        #expect(await context.perform(schedule: .enqueued) { 3 } == 3)
        #expect(await stack.container.performBackgroundTask { _ in 4 } == 4)
        let plain = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        #expect(plain.concurrencyType == .privateQueueConcurrencyType)
        #expect(NSManagedObjectContext(.mainQueue).concurrencyType == .mainQueueConcurrencyType)
    }

    @Test func request_members() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        #expect(request.entityName == "Person" && request.predicate == nil)
        #expect(request.sortDescriptors == nil && request.fetchLimit == 0)
        #expect(request.fetchOffset == 0 && request.fetchBatchSize == 0)
        #expect(request.includesSubentities && request.includesPendingChanges)
        #expect(request.includesPropertyValues && request.returnsObjectsAsFaults)
        #expect(request.relationshipKeyPathsForPrefetching == nil)
        #expect(request.resultType == .managedObjectResultType)
        let other = NSFetchRequest<NSManagedObject>()
        other.entity = NSEntityDescription.entity(forEntityName: "Person", in: context)
        #expect(try context.performAndWait { try other.execute() }.isEmpty)
        #expect(try context.fetch(request).isEmpty && context.count(for: request) == 0)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        ids.resultType = .managedObjectIDResultType
        #expect(try context.fetch(ids) == [])
        let results: [any NSFetchRequestResult.Type] = [
            NSManagedObject.self, NSManagedObjectID.self, NSDictionary.self, NSNumber.self,
        ]
        #expect(results.count == 4)
    }
}
