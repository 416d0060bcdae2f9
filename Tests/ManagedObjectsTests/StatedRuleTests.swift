// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What the article Compatibility states of errors, models and stores, in files and in memory.
@Suite struct StatedRuleTests {
    /// A coordinator with one store, and a context.
    final class Place {
        let coordinator: NSPersistentStoreCoordinator
        let context = NSManagedObjectContext(.privateQueue)
        let store: NSPersistentStore
        let folder: URL

        init(
            _ type: NSPersistentStore.StoreType, _ model: NSManagedObjectModel,
            options: [AnyHashable: Any] = [:]
        ) throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("StatedRuleTests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            store = try coordinator.addPersistentStore(
                type: type, at: folder.appendingPathComponent("a.lode"), options: options)
            context.persistentStoreCoordinator = coordinator
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    static let kinds: [NSPersistentStore.StoreType] = [.sqlite, .inMemory]

    private func failure(_ body: () throws -> Void) throws -> CocoaError {
        do { try body() } catch { return try #require(error as? CocoaError) }
        Issue.record("nothing was thrown")
        return CocoaError(.featureUnsupported)
    }

    @Test(arguments: kinds)
    func metadata_has_type_identity_and_hashes(_ kind: NSPersistentStore.StoreType) throws {
        let place = try Place(kind, PeopleModel.make())
        let metadata = place.coordinator.metadata(for: place.store)
        #expect(metadata[NSStoreTypeKey] as? String == kind.rawValue)
        #expect(metadata[NSStoreUUIDKey] as? String == place.store.identifier)
        #expect((metadata[NSStoreModelVersionIdentifiersKey] as? [String]) == [])
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        #expect(hashes == place.coordinator.managedObjectModel.entityVersionHashesByName)
        #expect(hashes.keys.sorted() == ["Department", "Passport", "Person", "Tag"])
        #expect(hashes.values.allSatisfy { $0.count == 8 })
        let model = place.coordinator.managedObjectModel
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(
            !ItemModel.make().isConfiguration(
                withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(place.store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
    }

    @Test(arguments: kinds)
    func a_store_is_found_by_its_place(_ kind: NSPersistentStore.StoreType) throws {
        let place = try Place(kind, ItemModel.make())
        let url = place.folder.appendingPathComponent("a.lode")
        #expect(place.coordinator.persistentStore(for: url) === place.store)
        #expect(place.coordinator.url(for: place.store) == url)
        #expect(!place.coordinator.setURL(URL(fileURLWithPath: "/b"), for: place.store))
        #expect(FileManager.default.fileExists(atPath: url.path) == (kind == .sqlite))
    }

    @Test(arguments: kinds)
    func uris_lead_back_and_unknown_ones_nowhere(_ kind: NSPersistentStore.StoreType) throws {
        let place = try Place(kind, ItemModel.make())
        let item = place.context.make("Item")
        #expect(item.objectID.isTemporaryID)
        try place.context.save()
        let uri = item.objectID.uriRepresentation()
        #expect(place.coordinator.managedObjectID(forURIRepresentation: uri) == item.objectID)
        for text in [
            uri.absoluteString.replacingOccurrences(of: "Item", with: "None"),
            uri.absoluteString.replacingOccurrences(of: place.store.identifier, with: "other"),
            "https://example.org", "x-coredata:", uri.absoluteString + "x",
        ] {
            let url = try #require(URL(string: text))
            #expect(place.coordinator.managedObjectID(forURIRepresentation: url) == nil)
        }
    }

    @Test(arguments: kinds)
    func a_failed_save_writes_nothing_and_keeps_changes(
        _ kind: NSPersistentStore.StoreType
    ) throws {
        let model = Build.model(
            Build.entity("Thing", [Build.attribute("name", isOptional: false)]))
        let place = try Place(kind, model)
        place.context.make("Thing", ["name": "good"])
        let bad = place.context.make("Thing")
        let error = try failure { try place.context.save() }
        #expect(error.errorCode == 1570 && error.detailedErrors.count == 1)
        #expect(error.validationObject as? NSManagedObject === bad)
        #expect(error.validationValue == nil && error.validationPredicate == nil)
        #expect(place.context.insertedObjects.count == 2 && place.context.hasChanges)
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = place.coordinator
        #expect(try reader.performAndWait { try reader.count("Thing") } == 0)
        // The empty string is a value.
        bad.setValue("", forKey: "name")
        try place.context.save()
        #expect(try reader.performAndWait { try reader.count("Thing") } == 2)
    }

    @Test(arguments: kinds)
    func several_errors_are_listed_flat(_ kind: NSPersistentStore.StoreType) throws {
        let name = Build.attribute("name", isOptional: false)
        let code = Build.attribute("code")
        code.setValidationPredicates(
            [NSPredicate(format: "SELF MATCHES '[A-Z]+'"), NSPredicate(format: "length < 3")],
            withValidationWarnings: ["capitals only", 1660 as NSNumber])
        let place = try Place(kind, Build.model(Build.entity("Thing", [name, code])))
        place.context.make("Thing", ["code": "abcd"])
        place.context.make("Thing", ["name": "n"])
        let error = try failure { try place.context.save() }
        #expect(error.errorCode == 1560)
        let details = error.detailedErrors.compactMap { $0 as? CocoaError }
        #expect(details.map(\.errorCode).sorted() == [1550, 1570, 1660])
        let message = details.first { $0.errorCode == 1550 }
        #expect(message?.message.contains("capitals only") == true)
        #expect(message?.validationPredicate != nil)
        #expect(message?.validationValue as? String == "abcd")
    }

    @Test(arguments: kinds)
    func nil_satisfies_all_rules_and_collides_with_nobody(
        _ kind: NSPersistentStore.StoreType
    ) throws {
        let number = Build.attribute("number", .integer64AttributeType)
        number.validationRules = [.minimum(3), .maximum(5)]
        let name = Build.attribute("name")
        name.validationRules = [.minimumLength(2), .pattern("a.*")]
        let parent = Build.entity("Parent", [number, name])
        let child = Build.entity("Child", [])
        parent.subentities = [child]
        parent.uniquenessConstraints = [["name"]]
        let place = try Place(kind, Build.model(parent, child))
        place.context.make("Parent")
        place.context.make("Child")
        try place.context.save()
        place.context.make("Parent", ["name": "ab"])
        place.context.make("Child", ["name": "ab"])
        let error = try failure { try place.context.save() }
        #expect(error.errorCode == 133021)
        let conflict = error.persistentStoreSaveConflicts?.first as? NSConstraintConflict
        #expect(conflict?.constraint == ["name"] && conflict?.databaseObject == nil)
        #expect(conflict?.conflictingObjects.count == 2)
    }

    @Test(arguments: kinds)
    func deleted_elsewhere_is_a_conflict_with_version_0(
        _ kind: NSPersistentStore.StoreType
    ) throws {
        let place = try Place(kind, ItemModel.make())
        let item = place.context.make("Item", ["name": "a"])
        try place.context.save()
        let other = NSManagedObjectContext(.privateQueue)
        other.persistentStoreCoordinator = place.coordinator
        try other.performAndWait {
            other.delete(try other.existingObject(with: item.objectID))
            try other.save()
        }
        item.setValue("b", forKey: "name")
        let error = try failure { try place.context.save() }
        #expect(error.errorCode == 133020)
        let conflict = error.persistentStoreSaveConflicts?.first as? NSMergeConflict
        #expect(conflict?.newVersionNumber == 0 && conflict?.sourceObject === item)
        #expect(item.hasChanges)
    }

    @Test(arguments: kinds)
    func a_saved_deletion_leaves_an_object_without_values(
        _ kind: NSPersistentStore.StoreType
    ) throws {
        let place = try Place(kind, ItemModel.make())
        let item = place.context.make("Item", ["name": "a", "number": 7])
        try place.context.save()
        place.context.delete(item)
        #expect(item.isDeleted)
        try place.context.save()
        #expect(!item.isDeleted && item.managedObjectContext == nil)
        #expect(item.value(forKey: "name") == nil && item.value(forKey: "number") == nil)
    }

    @Test(arguments: kinds)
    func a_removed_store_leaves_objects_that_read_nil(
        _ kind: NSPersistentStore.StoreType
    ) throws {
        let place = try Place(kind, ItemModel.make())
        let item = place.context.make("Item", ["name": "a"])
        try place.context.save()
        place.context.refresh(item, mergeChanges: false)
        try place.coordinator.remove(place.store)
        #expect(item.value(forKey: "name") == nil)
        #expect(place.store.persistentStoreCoordinator == nil)
        #expect(try failure { _ = try place.context.count("Item") }.errorCode == 134070)
        #expect(try failure { try place.coordinator.remove(place.store) }.errorCode == 134070)
    }

    @Test(arguments: kinds)
    func fetches_that_a_store_cannot_do(_ kind: NSPersistentStore.StoreType) throws {
        let cache = Build.attribute("cache")
        cache.isTransient = true
        let place = try Place(
            kind, Build.model(Build.entity("Thing", [Build.attribute("name"), cache])))
        func fetch(_ predicate: NSPredicate?, _ key: String = "name") throws {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = predicate
            request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
            _ = try place.context.fetch(request)
        }
        try fetch(NSPredicate(format: "name MATCHES 'a.*'"))
        for format in ["cache == 'a'", "missing == 'a'"] {
            #expect(try failure { try fetch(NSPredicate(format: format)) }.errorCode == 134070)
        }
        let block = NSPredicate(block: { _, _ in true })
        if kind == .inMemory {
            try fetch(block)
        } else {
            #expect(try failure { try fetch(block) }.errorCode == 134070)
        }
        #expect(try failure { try fetch(nil, "cache") }.errorCode == 134070)
        place.context.make("Thing")
        #expect(try failure { try fetch(nil, "cache") }.errorCode == 134070)
    }

    @Test(arguments: kinds)
    func a_deny_rule_is_all_that_a_deletion_asks(_ kind: NSPersistentStore.StoreType) throws {
        let owner = Build.entity("Owner", [Build.attribute("name", isOptional: false)])
        let thing = Build.entity("Thing", [])
        Build.inverse(
            Build.relationship("things", of: owner, to: thing, max: 0, rule: .denyDeleteRule),
            Build.relationship("owner", of: thing, to: owner, max: 1))
        let place = try Place(kind, Build.model(owner, thing))
        let ann = place.context.make("Owner", ["name": "Ann"])
        let one = place.context.make("Thing", ["owner": ann])
        try place.context.save()
        ann.setValue(nil, forKey: "name")
        place.context.delete(ann)
        #expect(try failure { try place.context.save() }.errorCode == 1600)
        #expect(try failure { try ann.validateForDelete() }.errorCode == 1600)
        place.context.delete(one)
        try place.context.save()
        #expect(try place.context.count("Owner") == 0)
    }

    @Test func read_only_places_are_not_written_to() throws {
        let stack = try Stack(ItemModel.make())
        try stack.reopen {
            $0.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        stack.context.make("Item")
        try stack.context.save()
        try stack.reopen()
        let store = stack.container.persistentStoreCoordinator.persistentStores.first
        #expect(store?.isReadOnly == true)
        stack.context.make("Item")
        #expect(try failure { try stack.context.save() }.errorCode == 134030)
    }

    @Test func another_model_is_explained() throws {
        let stack = try Stack(ItemModel.make())
        let other = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
        let error = try failure {
            try other.addPersistentStore(
                type: .sqlite, at: stack.url, options: [LodeDurabilityOption: "none"])
        }
        #expect(error.errorCode == 134100)
        #expect((error.userInfo["reason"] as? String)?.isEmpty == false)
        let metadata = error.userInfo["metadata"] as? [String: Any]
        #expect(metadata?[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        #expect(
            (metadata?[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Item"])
    }

    @Test func descriptions_of_containers_fail_with_their_codes() throws {
        let container = NSPersistentContainer(name: "T", managedObjectModel: ItemModel.make())
        let description = NSPersistentStoreDescription()
        #expect(description.url?.path == "/dev/null" && description.timeout == 240)
        description.configuration = "None"
        container.persistentStoreDescriptions = [description]
        #expect((load(container) as? CocoaError)?.errorCode == 134020)
        description.configuration = nil
        description.type = NSBinaryStoreType
        #expect((load(container) as? CocoaError)?.errorCode == 134000)
        description.type = NSSQLiteStoreType
        description.url = URL(fileURLWithPath: "/dev/null")
        #expect(load(container) == nil)
        container.viewContext.make("Item")
        try container.viewContext.save()
        #expect(try container.viewContext.count("Item") == 1)
    }

    @Test func a_copied_store_description_is_equal_until_it_changes() throws {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/x.lode"))
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        #expect(copy == description && copy.hash == description.hash && copy !== description)
        copy.setOption(nil, forKey: NSPersistentHistoryTrackingKey)
        #expect(copy != description)
        #expect(NSPersistentStoreDescription() != description)
    }

    @Test func new_descriptions_are_as_stated() throws {
        let relationship = NSRelationshipDescription()
        #expect(relationship.maxCount == 0 && relationship.minCount == 0 && relationship.isToMany)
        #expect(relationship.deleteRule == .nullifyDeleteRule && !relationship.isOrdered)
        let attribute = NSAttributeDescription()
        #expect(attribute.isOptional && !attribute.isTransient && attribute.defaultValue == nil)
        attribute.name = "a"
        #expect(attribute.renamingIdentifier == "a")
        let entity = NSEntityDescription()
        entity.name = "E"
        #expect(
            entity.renamingIdentifier == "E" && entity.managedObjectClassName == "NSManagedObject")
        entity.renamingIdentifier = "F"
        #expect(entity.renamingIdentifier == "F")
        #expect(entity.versionHash.count == 8)
    }

    private func expect(
        _ result: ExitTest.Result?, _ words: String...,
        at location: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for word in words { #expect(text.contains(word), "\(text)", sourceLocation: location) }
    }

    @Test(arguments: ["undefined", "expression", "rTree", "counts", "default", "inverse", "twice"])
    func a_model_that_cannot_be_used(_ fault: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [fault = fault as String] in
            let size = Build.attribute("size", .integer16AttributeType)
            let thing = Build.entity("Thing", [size])
            switch fault {
            case "undefined": size.attributeType = .undefinedAttributeType
            case "expression":
                let expression = NSExpressionDescription()
                expression.name = "sum"
                thing.properties.append(expression)
            case "rTree":
                thing.indexes = [
                    NSFetchIndexDescription(
                        name: "i",
                        elements: [
                            NSFetchIndexElementDescription(property: size, collationType: .rTree)
                        ])
                ]
            case "counts": Build.relationship("size2", of: thing, to: thing, max: 2, min: 3)
            case "default": size.defaultValue = "big"
            case "inverse":
                Build.relationship("one", of: thing, to: thing, max: 1).inverseRelationship =
                    Build.relationship("two", of: thing, to: thing, max: 1)
            default: thing.properties.append(Build.attribute("size"))
            }
            _ = NSPersistentStoreCoordinator(managedObjectModel: Build.model(thing))
        }
        expect(result, "the model cannot be used", "Thing")
    }

    @Test(arguments: ["entity", "property", "model", "index", "template"])
    func a_model_in_use_is_frozen(_ part: String) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [part = part as String] in
            let model = ItemModel.make()
            _ = NSPersistentStoreCoordinator(managedObjectModel: model)
            let entity = model.entitiesByName["Item"]
            switch part {
            case "entity": entity?.name = "Other"
            case "property": entity?.propertiesByName["name"]?.isOptional = false
            case "index": entity?.indexes = []
            case "template": model.setFetchRequestTemplate(nil, forName: "t")
            default: model.entities = []
            }
        }
        expect(result, "in use")
    }

    @Test func metadata_is_a_property_list() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(ItemModel.make())
            let coordinator = stack.container.persistentStoreCoordinator
            coordinator.persistentStores.first.map {
                coordinator.setMetadata(["x": stack.context], for: $0)
            }
        }
        expect(result, "store metadata must be a property list", "x")
    }
}
