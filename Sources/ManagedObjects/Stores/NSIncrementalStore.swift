// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// A store of the program's own that is asked for what is needed: the base class of stores over a
/// web service or a database of another kind.
///
/// A subclass overrides ``NSPersistentStore/loadMetadata()``, ``execute(_:with:)``,
/// ``newValuesForObject(with:with:)``, ``newValue(forRelationship:forObjectWith:with:)`` and
/// ``obtainPermanentIDs(for:)``. Its own names for objects become object IDs with
/// ``newObjectID(for:referenceObject:)``.
///
/// One thread at a time calls the store, on the queue of the context that it is called for.
// SAFETY: a mutex guards the references, and `gate` lets one thread at a time ask the store. A
// subclass answers for what it does on other threads.
open class NSIncrementalStore: NSPersistentStore, ReferencingStore, @unchecked Sendable {
    let references = ReferenceTable()
    // Recursive, as a store may use its context while it is asked.
    let gate = NSRecursiveLock()

    /// An identity for a new store, for ``NSStoreUUIDKey``: a new UUID's text.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Runs a request.
    ///
    /// - Parameters:
    ///   - request: A fetch, whose result is an array of objects, IDs, dictionaries or, for a
    ///     count, of one number; an ``NSSaveChangesRequest``, whose result is an empty array; or a
    ///     batch request, whose result is what the request's result type says.
    ///   - context: The context that asks; `nil` when there is none.
    /// - Throws: 134091 for a kind of request that the store does not know. A save that throws has
    ///   written nothing.
    open func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        trap("\(Swift.type(of: self)) must override execute(_:with:)")
    }

    /// The values of an object.
    ///
    /// - Throws: 133000 for an object that is gone; any other error is one of the store.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        trap("\(Swift.type(of: self)) must override newValuesForObject(with:with:)")
    }

    /// The destinations of a relationship: an ID or `NSNull`, or an array or set of IDs.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        trap(
            "\(Swift.type(of: self)) must override newValue(forRelationship:forObjectWith:with:)")
    }

    /// The permanent IDs of objects that are about to be saved, in the same order.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        trap("\(Swift.type(of: self)) must override obtainPermanentIDs(for:)")
    }

    /// Called when objects of the store have come into a context.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called when objects of the store have left a context.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// The ID of the object that the store calls by a name, a string or a number; the same each
    /// time.
    public final func newObjectID(
        for entity: NSEntityDescription, referenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(entity, data)
    }

    /// The store's name for an object: a `String` or an `NSNumber`; traps for an ID of another
    /// store.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        findReference(of: objectID)
    }
}
