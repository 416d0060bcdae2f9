// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The objects of an atomic store, through the indexed copy of its nodes.
final class AtomicRows: FileRows {
    private let atomic: NSAtomicStore
    private var former: [(node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)] = []
    private var formerNodes: [ObjectKey: NSAtomicStoreCacheNode]?

    init(
        _ context: NSManagedObjectContext, _ further: FurtherStore,
        _ coordinator: NSPersistentStoreCoordinator, _ keys: KeyTranslation, _ atomic: NSAtomicStore
    ) {
        self.atomic = atomic
        super.init(context, further, coordinator, keys)
    }

    override func reserve(_ objects: [NSManagedObject]) throws {
        for object in objects {
            let reference = atomic.newReferenceObject(for: object)
            context.reserve(atomic.makeObjectID(object.entity, reference).key, for: object)
        }
    }

    override func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        throw CoreDataError.make(
            .persistentStoreUnsupportedRequestType,
            "an atomic store runs no batch requests; fetch and save the objects instead")
    }

    override func prepare(_ group: SavedObjects) throws {
        try reserve(group.inserted.filter { $0.extras?.reservedKey == nil })
    }

    override func commit(_ group: SavedObjects) throws {
        if formerNodes == nil { update(group) }
        try atomic.save()
    }

    private func update(_ group: SavedObjects) {
        formerNodes = atomic.allNodes
        let made = group.inserted.map { atomic.newCacheNode(for: $0) }
        atomic.addCacheNodes(Set(made))
        let changed = group.updated.compactMap { object in
            atomic.node(of: object.key).map { (object, $0) }
        }
        for (_, node) in changed {
            former.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
        }
        for (object, node) in zip(group.inserted, made) {
            atomic.updateCacheNode(node, from: object)
        }
        for (object, node) in changed { atomic.updateCacheNode(node, from: object) }
        let gone = Set(group.deleted.compactMap { atomic.node(of: $0.key) })
        if !gone.isEmpty { atomic.willRemoveCacheNodes(gone) }
        for object in group.deleted { atomic.allNodes[object.key] = nil }
    }

    override func cancel() {
        if let formerNodes { atomic.allNodes = formerNodes }
        for (node, values) in former { node.propertyCache = values }
        finish()
    }

    override func finish() {
        formerNodes = nil
        former = []
    }
}
