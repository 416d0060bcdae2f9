// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The objects of an atomic store, through the indexed copy of its nodes.
final class AtomicRows: FileRows {
    private let atomic: NSAtomicStore
    private var former: [(node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)] = []
    private var formerNodes: [ObjectKey: NSAtomicStoreCacheNode]?

    init(
        _ context: NSManagedObjectContext, _ further: FurtherStore, _ file: FileMapping,
        _ atomic: NSAtomicStore
    ) {
        self.atomic = atomic
        super.init(context, further, file)
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

    /// Writes the indexed copy, and in its transaction the nodes and the file.
    override func save(
        _ group: SavedObjects, locked: [NSManagedObject]
    ) throws -> SavedObjects {
        try reserve(group.inserted.filter { $0.reservedKey == nil })
        context.saving.beforeCommit = { [unowned self] in try saveNodes() }
        defer { context.saving.beforeCommit = nil }
        do {
            let saved = try super.save(group, locked: locked)
            forgetFormer()
            return saved
        } catch {
            restoreFormer()
            throw error
        }
    }

    /// Brings the nodes up to date with the changes, as the merge policy may have left them, and
    /// has the store write its file; called again if the transaction starts over.
    private func saveNodes() throws {
        restoreFormer()
        formerNodes = atomic.allNodes
        let changes = context.changes
        let inserted = Array(changes.liveInserted)
        let updated = changes.liveUpdated.filter { !$0.isDeleted }
        // An object that a merge policy keeps, although it was deleted, has no node any more.
        let made = (inserted + updated.filter { atomic.node(of: $0.key) == nil }).map { object in
            (object, atomic.newCacheNode(for: object))
        }
        let changed = updated.compactMap { object in
            atomic.node(of: object.key).map { (object, $0) }
        }
        for (_, node) in changed { keepValues(of: node) }
        atomic.addCacheNodes(Set(made.map(\.1)))
        for (object, node) in made + changed { atomic.updateCacheNode(node, from: object) }
        removeNodes(changes.liveDeleted.map(\.key))
        try atomic.save()
        atomic.metadataWasSaved()
    }

    private func keepValues(of node: NSAtomicStoreCacheNode) {
        former.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
    }

    private func removeNodes(_ keys: [ObjectKey]) {
        let gone = Set(keys.compactMap { atomic.node(of: $0) })
        if !gone.isEmpty { atomic.willRemoveCacheNodes(gone) }
        for key in keys { atomic.allNodes[key] = nil }
    }

    /// Goes back to the nodes that were there before the save.
    private func restoreFormer() {
        if let formerNodes { atomic.allNodes = formerNodes }
        for (node, values) in former { node.propertyCache = values }
        forgetFormer()
    }

    private func forgetFormer() {
        formerNodes = nil
        former = []
    }
}
