// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

/// The objects of an incremental store: each question goes to the store itself.
final class IncrementalRows: CopiedRows {
    // SAFETY: the context owns this object.
    unowned let context: NSManagedObjectContext
    let further: FurtherStore
    private let store: NSIncrementalStore

    init(
        _ context: NSManagedObjectContext, _ further: FurtherStore, _ store: NSIncrementalStore
    ) {
        self.context = context
        self.further = further
        self.store = store
    }

    /// Calls the store, one thread at a time.
    private func ask<Result>(_ body: (NSIncrementalStore) throws -> Result) rethrows -> Result {
        store.gate.lock()
        defer { store.gate.unlock() }
        return try body(store)
    }

    private func id(of key: ObjectKey, _ runtime: EntityRuntime) -> NSManagedObjectID {
        NSManagedObjectID(key: key, runtime: runtime, store: store)
    }

    func values(of key: ObjectKey, _ runtime: EntityRuntime) throws -> InheritedValues? {
        let id = id(of: key, runtime)
        guard let node = try node(of: id) else { return nil }
        let draft = RecordDraft.make(fieldCount: runtime.fields.count)
        for (position, field) in runtime.fields.enumerated() where field.isStored {
            draft[position] =
                field.isRelationship
                ? try destination(field.name, node, id, runtime)
                : try NodeLoader.value(node.value(named: field.name), field, runtime)
        }
        var encoder = RecordEncoder()
        let bytes = encoder.encode(
            layout: runtime.layout, version: UInt32(truncatingIfNeeded: node.version), base: nil,
            draft: draft, resolve: { $0 })
        var largeValues: [Int: [UInt8]] = [:]
        for value in encoder.externalValues { largeValues[value.field] = value.bytes }
        guard let view = RecordView(bytes) else { return nil }
        return InheritedValues(record: OwnedRecord(view), largeValues: largeValues)
    }

    /// The store's values of an object; `nil` when it is gone.
    private func node(of id: NSManagedObjectID) throws -> NSIncrementalStoreNode? {
        do {
            return try ask { try $0.newValuesForObject(with: id, with: context) }
        } catch {
            // On Linux an error of any domain casts to `CocoaError`.
            let cause = error as NSError
            guard cause.domain == NSCocoaErrorDomain,
                cause.code == CocoaError.Code.managedObjectReferentialIntegrity.rawValue
            else { throw error }
            return nil
        }
    }

    private func destination(
        _ name: String, _ node: NSIncrementalStoreNode, _ id: NSManagedObjectID,
        _ runtime: EntityRuntime
    ) throws -> Value {
        let value = try node.value(named: name) ?? answer(name, id, runtime)
        guard let value = ValueConversion.unwrapped(value) else { return .null }
        return .objectID(try key(of: value, name, runtime))
    }

    private func answer(
        _ name: String, _ id: NSManagedObjectID, _ runtime: EntityRuntime
    ) throws -> Any {
        guard let relationship = runtime.description.relationshipsByName[name] else {
            return NSNull()
        }
        return try ask {
            try $0.newValue(forRelationship: relationship, forObjectWith: id, with: context)
        }
    }

    private func key(
        of value: Any, _ name: String, _ runtime: EntityRuntime
    ) throws -> ObjectKey {
        if let id = value as? NSManagedObjectID, id.store === store { return id.currentKey }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(runtime.name).\(name) of the store \(store.identity) leads to \(value); return an "
                + "ID that newObjectID(for:referenceObject:) made")
    }

    func members(
        of key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey> {
        let value = try answer(relationship.relationship.name, id(of: key, runtime), runtime)
        let keys = try StoreAnswer.list(value).map {
            try self.key(of: $0, relationship.relationship.name, runtime)
        }
        return ContiguousArray(relationship.isOrdered ? keys : keys.sorted())
    }

    /// Unknown without a question to the store.
    func isEmpty(_ runtimes: [EntityRuntime]) -> Bool { false }

    func matches(_ fetch: SourceFetch) throws -> FoundObjects {
        let request = fetch.prepared.makeRequest()
        let found = try ask { try StoreAnswer.list($0.execute(request, with: context)) }
        let keys = try found.map { element in
            switch element {
            case let object as NSManagedObject: return object.key
            case let id as NSManagedObjectID where id.store === store: return id.currentKey
            default: throw wrongAnswer(element, "objects or object IDs of its own")
            }
        }
        return context.objects(elsewhere: keys)
    }

    func count(_ fetch: SourceFetch) throws -> Int {
        let request = fetch.prepared.makeRequest()
        request.resultType = .countResultType
        let found = try ask { try StoreAnswer.list($0.execute(request, with: context)) }
        if let number = found.first as? NSNumber { return number.intValue }
        if let number = found.first as? Int { return number }
        throw wrongAnswer(found, "a number")
    }

    /// The dictionaries of a fetch.
    func dictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ fetch: SourceFetch
    ) throws -> [NSDictionary] {
        // Of the type of all requests for stores: one of other results could not be cast to it.
        let request = request.duplicate(of: (any NSFetchRequestResult).self)
        request.entity = fetch.prepared.runtime.description
        request.includesPendingChanges = false
        if fetch.prepared.origin?.isOfChild == true {
            request.predicate = fetch.prepared.makeRequest().predicate
        }
        let found = try ask { try StoreAnswer.list($0.execute(request, with: context)) }
        return try found.map { element in
            if let row = element as? NSDictionary { return row }
            guard let row = element as? [String: Any] else {
                throw wrongAnswer(element, "dictionaries")
            }
            let result = NSMutableDictionary()
            for (name, value) in row { result[name] = value }
            return result
        }
    }

    private func wrongAnswer(_ answer: Any, _ wanted: String) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "\(type(of: store)).execute(_:with:) returned \(answer); a request of this kind wants "
                + wanted)
    }

    func reserve(_ objects: [NSManagedObject]) throws {
        guard !objects.isEmpty else { return }
        let ids = try ask { try $0.obtainPermanentIDs(for: objects) }
        guard ids.count == objects.count, ids.allSatisfy({ $0.store === store }) else {
            throw wrongAnswer(ids, "one object ID of its own for each of \(objects.count) objects")
        }
        for (object, id) in zip(objects, ids) { context.reserve(id.currentKey, for: object) }
    }

    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        let answer = try ask { try $0.execute(request, with: context) }
        switch request {
        case let request as NSBatchInsertRequest:
            return NSBatchInsertResult(answer, request.resultType)
        case let request as NSBatchUpdateRequest:
            return NSBatchUpdateResult(answer, request.resultType)
        case let request as NSBatchDeleteRequest:
            return NSBatchDeleteResult(answer, request.resultType)
        default:
            if let result = answer as? NSPersistentStoreResult { return result }
            throw wrongAnswer(answer, "an NSPersistentStoreResult")
        }
    }

    func save(_ group: SavedObjects, locked: [NSManagedObject]) throws -> SavedObjects {
        try reserve(group.inserted.filter { $0.reservedKey == nil })
        let group = try IncrementalConflicts(context, further) { object in
            try self.node(of: self.id(of: object.key, object.runtime))?.version
        }.resolve(group)
        let request = NSSaveChangesRequest(
            inserted: Set(group.inserted), updated: Set(group.updated),
            deleted: Set(group.deleted), locked: locked.isEmpty ? nil : Set(locked))
        _ = try ask { try $0.execute(request, with: context) }
        store.metadataWasSaved()
        return settle(group)
    }

    func didRegister(_ key: ObjectKey) { tell(key, isRegistered: true) }
    func didUnregister(_ key: ObjectKey) { tell(key, isRegistered: false) }

    private func tell(_ key: ObjectKey, isRegistered: Bool) {
        guard let runtime = context.model.runtimes[safe: key.ordinalElsewhere] else { return }
        let ids = [id(of: key, runtime)]
        ask { store in
            if isRegistered {
                store.managedObjectContextDidRegisterObjects(with: ids)
            } else {
                store.managedObjectContextDidUnregisterObjects(with: ids)
            }
        }
    }
}
