// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// Copies the nodes of an atomic store into the file that contexts fetch from.
struct NodeLoader {
    let atomic: NSAtomicStore
    let file: FileMapping

    func run() throws {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = file.coordinator
        context.followers.isSilent = true
        try context.enterQueue {
            var objects: [ObjectKey: NSManagedObject] = [:]
            for (key, node) in atomic.allNodes {
                objects[key] = try insert(node, key, into: context)
            }
            for (key, node) in atomic.allNodes {
                if let object = objects[key] { try connect(object, node, objects) }
            }
            context.processPendingChanges()
            // What is in the file is taken as it is, valid or not.
            guard context.hasChanges else { return }
            _ = try context.commit(to: SaveTarget(mainOf: context))
        }
    }

    private func insert(
        _ node: NSAtomicStoreCacheNode, _ key: ObjectKey, into context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        guard
            let runtime = file.coordinator.compiledModel.runtime(named: node.objectID.runtime.name)
        else {
            throw failure("the entity \(node.objectID.runtime.name) is not in the configuration")
        }
        let object = NSManagedObject(entity: runtime.description, insertInto: context)
        context.reserve(file.inner(key), for: object)
        for (position, field) in runtime.fields.enumerated()
        where field.isStored && !field.isRelationship {
            object.requireDraft()[position] = try NodeLoader.value(
                node.value(forKey: field.name), field, runtime)
        }
        return object
    }

    /// The stored form of a value that a store of the program's own handed out.
    ///
    /// - Throws: 134070 for a value of the wrong class.
    static func value(_ any: Any?, _ field: FieldRuntime, _ runtime: EntityRuntime) throws -> Value
    {
        if field.type == .transformable, let value = ValueConversion.unwrapped(any) {
            return .transformable(ValueTransformer.encode(value, field, runtime.name))
        }
        if let value = ValueConversion.value(any, as: field.type) { return value }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(runtime.name).\(field.name) takes \(field.type), not \(any ?? "nil"); correct what "
                + "the store hands out")
    }

    private func connect(
        _ object: NSManagedObject, _ node: NSAtomicStoreCacheNode,
        _ objects: [ObjectKey: NSManagedObject]
    ) throws {
        func found(_ value: Any) throws -> NSManagedObject {
            let key =
                (value as? NSAtomicStoreCacheNode)?.objectID.currentKey
                ?? (value as? NSManagedObjectID)?.currentKey
            guard let key, let object = objects[key] else {
                throw failure("\(value) is a destination, but no node of the store")
            }
            return object
        }
        for relationship in object.runtime.toOneRelationships where relationship.isStored {
            guard let value = node.value(forKey: relationship.relationship.name) else { continue }
            object.setDestination(relationship, try found(value))
        }
        for relationship in object.runtime.toManyRelationships where relationship.isStored {
            guard let value = node.value(forKey: relationship.relationship.name) else { continue }
            let members = try StoreAnswer.list(value).map { try found($0) }
            if relationship.isOrdered {
                object.replaceInOrder(members, of: relationship)
            } else {
                for member in members { object.insert(member, into: relationship) }
            }
        }
    }

    private func failure(_ message: String) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOpen, "\(atomic.url?.path ?? atomic.identity): \(message)")
    }
}

extension EntityRuntime {
    var name: String { entity.name }
}

extension RelationshipRuntime {
    /// Whether a store has it.
    var isStored: Bool { !relationship.isTransient }
}
