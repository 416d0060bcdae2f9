// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The entities that predicates over a history are about; no model has them.
enum HistoryEntities {
    static let transaction = make(
        "TRANSACTION",
        [
            ("author", .stringAttributeType), ("bundleID", .stringAttributeType),
            ("contextName", .stringAttributeType), ("processID", .stringAttributeType),
            ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
            ("transactionNumber", .integer64AttributeType),
        ])
    static let change = make(
        "CHANGE",
        [
            ("changeID", .integer64AttributeType), ("changeType", .integer64AttributeType),
            ("changedEntity", .stringAttributeType),
            ("changedObjectID", .objectIDAttributeType),
        ])

    static let componentChange = make(
        "COMPONENT_CHANGE",
        [
            ("changeType", .integer64AttributeType), ("componentName", .stringAttributeType),
            ("gameObjectID", .objectIDAttributeType), ("targetID", .objectIDAttributeType),
        ])

    /// The schema of the entities and their relationships, for checking predicates.
    static let schema: Schema? = {
        var first = entity(of: transaction)
        // For a single store a token is a transaction number.
        first.attributes.append(Attribute(name: "token", type: .integer64))
        first.relationships = [
            Relationship(
                name: "changes", destination: "CHANGE", inverse: "transaction", isToMany: true),
            Relationship(
                name: "componentChanges", destination: "COMPONENT_CHANGE", inverse: "transaction",
                isToMany: true),
        ]
        var second = entity(of: change)
        second.relationships = [
            Relationship(name: "transaction", destination: "TRANSACTION", inverse: "changes")
        ]
        var third = entity(of: componentChange)
        third.relationships = [
            Relationship(
                name: "transaction", destination: "TRANSACTION", inverse: "componentChanges")
        ]
        return try? Schema(entities: [first, second, third])
    }()

    private static func entity(of description: NSEntityDescription) -> Entity {
        var entity = Entity(name: description.name ?? "")
        entity.attributes = description.attributesByName.values.sorted { $0.name < $1.name }
            .compactMap { attribute in
                attribute.attributeType.schemaType.map { Attribute(name: attribute.name, type: $0) }
            }
        return entity
    }

    private static func make(
        _ name: String, _ attributes: [(String, NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        return entity
    }

    static func request(_ entity: NSEntityDescription) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        return request
    }
}

extension NSPersistentHistoryTransaction {
    /// The entity of transactions, for
    /// ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    public class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

    /// The entity of transactions; the same for all contexts.
    public class func entityDescription(
        with context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        HistoryEntities.transaction
    }

    /// A new request for transactions, to be given a predicate over `author`, `contextName`,
    /// `timestamp`, `transactionNumber`, `token`, `bundleID`, `processID`, `storeID`, `changes`
    /// and `componentChanges`.
    public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntities.request(HistoryEntities.transaction)
    }
}

extension NSPersistentHistoryChange {
    /// The entity of changes, for ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    public class var entityDescription: NSEntityDescription? { HistoryEntities.change }

    /// The entity of changes; the same for all contexts.
    public class func entityDescription(
        with context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        HistoryEntities.change
    }

    /// A new request for changes, to be given a predicate over `changedObjectID`, `changedEntity`
    /// (a name), `changeType`, `changeID`, `updatedProperties` (names) and `transaction`.
    public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntities.request(HistoryEntities.change)
    }
}

extension NSPersistentHistoryComponentChange {
    /// The entity of changes of components, for
    /// ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    public static var entityDescription: NSEntityDescription? { HistoryEntities.componentChange }

    /// A new request for changes of components, to be given a predicate over `componentName`,
    /// `changeType`, `gameObjectID`, `targetID` and `transaction`.
    public static var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntities.request(HistoryEntities.componentChange)
    }
}
