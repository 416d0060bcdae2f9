// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// An incremental store over dictionaries, which counts what it is asked.
// Sendable because one thread at a time calls it.
final class TableStore: NSIncrementalStore, @unchecked Sendable {
    struct Row {
        var values: [String: Any]
        /// Keys of destinations: entity and number.
        var links: [String: [Int]]
        var version: UInt64
    }

    var rows: [String: [Int: Row]] = [:]
    var lastNumber = 0
    var log: [String] = []
    /// The predicates that it was given, or nil for none.
    var predicates: [NSPredicate?] = []
    /// The last fetch, as it arrived.
    var lastFetch: NSFetchRequest<any NSFetchRequestResult>?
    /// How many locked objects each save named, or nil for none.
    var lockedCounts: [Int?] = []
    var registered = 0
    /// What the next request throws.
    var failure: (any Error)?

    override var type: String { "Table" }

    override func loadMetadata() throws {
        metadata = [
            NSStoreTypeKey: "Table",
            NSStoreUUIDKey: Self.identifierForNewStore(at: url ?? URL(fileURLWithPath: "/")),
        ]
    }

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        if let failure {
            self.failure = nil
            throw failure
        }
        switch request {
        case let request as NSSaveChangesRequest: return try save(request)
        case let request as NSFetchRequest<any NSFetchRequestResult>:
            return try fetch(request, context)
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?
    ) throws -> Any {
        guard let entity = request.entity, let context else { return [Any]() }
        lastFetch = request
        log.append("fetch \(entity.name ?? "")")
        let numbers = (rows[entity.name ?? ""] ?? [:]).keys.sorted()
        var objects = numbers.map {
            context.object(with: newObjectID(for: entity, referenceObject: $0))
        }
        predicates.append(request.predicate)
        if let predicate = request.predicate {
            objects = objects.filter { predicate.evaluate(with: $0) }
        }
        for order in (request.sortDescriptors ?? []).reversed() {
            // The tests order by one text only.
            let key = entity.attributesByName["title"] == nil ? "text" : "title"
            objects.sort { left, right in
                let isBefore = left.text(key) < right.text(key)
                return order.ascending ? isBefore : !isBefore
            }
        }
        objects = Array(objects.dropFirst(request.fetchOffset))
        if request.fetchLimit > 0 { objects = Array(objects.prefix(request.fetchLimit)) }
        if request.resultType == .countResultType { return [NSNumber(value: objects.count)] }
        guard request.resultType == .dictionaryResultType else { return objects }
        let names = (request.propertiesToFetch ?? []).compactMap { $0 as? String }
        return objects.map { $0.dictionaryWithValues(forKeys: names) }
    }

    private func save(_ request: NSSaveChangesRequest) throws -> Any {
        lockedCounts.append(request.lockedObjects?.count)
        log.append(
            "save \(request.insertedObjects?.count ?? 0) \(request.updatedObjects?.count ?? 0) "
                + "\(request.deletedObjects?.count ?? 0)")
        for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
            let name = object.entity.name ?? ""
            let number = self.number(of: object.objectID)
            var row = Row(values: [:], links: [:], version: 1)
            row.version = (rows[name]?[number]?.version ?? 0) + 1
            for key in object.entity.attributesByName.keys {
                row.values[key] = object.value(forKey: key)
            }
            for (key, relationship) in object.entity.relationshipsByName {
                let members =
                    relationship.isOrdered
                    ? (object.value(forKey: key) as? NSOrderedSet)?.array
                        .compactMap { $0 as? NSManagedObject } ?? []
                    : relationship.maxCount == 1
                        ? [object.one(key)].compactMap { $0 } : Array(object.many(key))
                row.links[key] = members.map { self.number(of: $0.objectID) }
            }
            rows[name, default: [:]][number] = row
        }
        for object in request.deletedObjects ?? [] {
            rows[object.entity.name ?? ""]?[number(of: object.objectID)] = nil
        }
        return [Any]()
    }

    private func number(of id: NSManagedObjectID) -> Int {
        (referenceObject(for: id) as? NSNumber)?.intValue ?? 0
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let number = number(of: objectID)
        log.append("values \(number)")
        if let failure {
            self.failure = nil
            throw failure
        }
        guard let row = rows[objectID.entity.name ?? ""]?[number] else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        return NSIncrementalStoreNode(
            objectID: objectID, withValues: row.values, version: row.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        log.append("\(relationship.name) \(number(of: objectID))")
        let row = rows[objectID.entity.name ?? ""]?[number(of: objectID)]
        guard let destination = relationship.destinationEntity else { return NSNull() }
        let ids = (row?.links[relationship.name] ?? []).map {
            newObjectID(for: destination, referenceObject: $0)
        }
        return relationship.maxCount == 1 ? ids.first ?? NSNull() : ids
    }

    override func obtainPermanentIDs(
        for array: [NSManagedObject]
    ) throws -> [NSManagedObjectID] {
        array.map { object in
            lastNumber += 1
            return newObjectID(for: object.entity, referenceObject: lastNumber)
        }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        registered += objectIDs.count
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        registered -= objectIDs.count
    }

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(TableStore.self, forStoreType: "Table")
    }
}
