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
        if formerNodes == nil {
            formerNodes = atomic.allNodes
            if inner.saving.hasMergedConflicts { updateMerged() } else { update(group) }
        }
        try atomic.save()
        atomic.metadataWasSaved()
    }

    private func update(_ group: SavedObjects) {
        let made = group.inserted.map { atomic.newCacheNode(for: $0) }
        atomic.addCacheNodes(Set(made))
        let changed = group.updated.compactMap { object in
            atomic.node(of: object.key).map { (object, $0) }
        }
        for (_, node) in changed { keepValues(of: node) }
        for (object, node) in zip(group.inserted, made) {
            atomic.updateCacheNode(node, from: object)
        }
        for (object, node) in changed { atomic.updateCacheNode(node, from: object) }
        removeNodes(group.deleted.map(\.key))
    }

    /// Brings the nodes up to date with what a merge policy made of the changes.
    ///
    /// The changes are those that the file's own context writes: the policy may have dropped some
    /// of the program's and changed further objects.
    private func updateMerged() {
        let images = NodeImages(context, inner, keys)
        let deleted = inner.changes.liveDeleted.compactMap { keys.outer($0.storedKey) }
        images.enter {
            var pairs: [(image: NSManagedObject, node: NSAtomicStoreCacheNode)] = []
            for image in images.make() {
                if let node = atomic.node(of: image.key) {
                    keepValues(of: node)
                    pairs.append((image, node))
                } else {
                    pairs.append((image, atomic.newCacheNode(for: image)))
                }
            }
            atomic.addCacheNodes(Set(pairs.map(\.node)))
            for (image, node) in pairs { atomic.updateCacheNode(node, from: image) }
        }
        removeNodes(deleted)
    }

    private func keepValues(of node: NSAtomicStoreCacheNode) {
        former.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
    }

    private func removeNodes(_ keys: [ObjectKey]) {
        let gone = Set(keys.compactMap { atomic.node(of: $0) })
        if !gone.isEmpty { atomic.willRemoveCacheNodes(gone) }
        for key in keys { atomic.allNodes[key] = nil }
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
