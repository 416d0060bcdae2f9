// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Synchronization
import Traps

/// A store of the program's own whose objects are all in memory, and whose file is written as a
/// whole: the base class of stores for formats such as JSON or property lists.
///
/// A subclass overrides ``load()`` to read the file at ``NSPersistentStore/url`` and add a node for
/// each object, ``save()`` to write all nodes, and ``newReferenceObject(for:)`` if objects are to
/// have names of their own. ``NSPersistentStore/loadMetadata()`` or
/// ``NSPersistentStore/metadataForPersistentStore(with:)`` provides the file's identity.
///
/// Contexts fetch from an indexed copy of the nodes, so predicates and sort descriptors work as for
/// a file. A save updates the nodes, calls ``save()``, and goes back to the former nodes if that
/// throws. One thread at a time calls the store.
// SAFETY: mutexes guard the references and the table of nodes. Saves change nodes one at a time, in
// the transaction of the copy in memory; a subclass answers for what it does with them elsewhere.
open class NSAtomicStore: NSPersistentStore, ReferencingStore, @unchecked Sendable {
    let references = ReferenceTable()
    // Loaded by the thread that adds the store; later changes come one save at a time.
    private let nodes = Mutex(UncheckedTransfer<[ObjectKey: NSAtomicStoreCacheNode]>([:]))

    /// Reads the file and adds a node for each object; a file that is not there has none.
    open func load() throws {
        trap("\(Swift.type(of: self)) must override load()")
    }

    /// Writes all nodes, and the metadata.
    open func save() throws {
        trap("\(Swift.type(of: self)) must override save()")
    }

    /// Makes the node of an object that is saved for the first time.
    ///
    /// By default an empty one, which ``updateCacheNode(_:from:)`` fills afterwards.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    }

    /// Brings the node of an inserted or updated object up to date: all stored properties.
    ///
    /// When it is called, all new objects of the save have nodes.
    open func updateCacheNode(
        _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
    ) {
        for attribute in managedObject.runtime.entity.attributes where !attribute.isTransient {
            node.setValue(managedObject.value(forKey: attribute.name), forKey: attribute.name)
        }
        func found(_ object: NSManagedObject) -> NSAtomicStoreCacheNode? {
            cacheNode(for: object.objectID)
        }
        for relationship in managedObject.runtime.toOneRelationships
        where !relationship.relationship.isTransient {
            node.setValue(
                managedObject.destination(relationship.field).flatMap(found),
                forKey: relationship.relationship.name)
        }
        for relationship in managedObject.runtime.toManyRelationships
        where !relationship.relationship.isTransient {
            let members = managedObject.destinations(relationship).compactMap(found)
            node.setValue(
                relationship.isOrdered ? members as Any : Set(members) as Any,
                forKey: relationship.relationship.name)
        }
    }

    /// The nodes of all objects.
    public final func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
        // SAFETY: a copy of the table; the class answers for the nodes.
        nodes.withLock { UncheckedTransfer(Set($0.value.values)) }.value
    }

    /// Adds nodes; those of the same objects are replaced.
    public final func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        // SAFETY: the set is only read, under the mutex; the class answers for the nodes.
        let added = UncheckedTransfer(cacheNodes)
        nodes.withLock { nodes in
            for node in added.value { nodes.value[node.objectID.currentKey] = node }
        }
    }

    /// Called before the nodes of deleted objects are removed.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// The node of an object; nil for none.
    public final func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        node(of: objectID.currentKey)
    }

    /// The ID of the object that the store calls by a name; the same each time.
    public final func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(entity, data)
    }

    /// The store's name for a new object: a string, a number or a UUID; by default a new UUID's
    /// text.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

    /// The store's name for an object; traps for an ID of another store.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        findReference(of: objectID)
    }

    final func node(of key: ObjectKey) -> NSAtomicStoreCacheNode? {
        // SAFETY: the mutex guards the table; the class answers for the node.
        nodes.withLock { UncheckedTransfer($0.value[key]) }.value
    }

    final var allNodes: [ObjectKey: NSAtomicStoreCacheNode] {
        get { nodes.withLock { $0 }.value }
        set {
            // SAFETY: the mutex guards the table; the class answers for the nodes.
            let new = UncheckedTransfer(newValue)
            nodes.withLock { $0 = new }
        }
    }
}
