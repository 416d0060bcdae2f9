// SPDX-License-Identifier: Apache-2.0

import Query
import Schema
import Store
import Synchronization
import Traps

/// A store of a coordinator beside its main one: a second file, or a store of the program's own.
final class FurtherStore: Sendable {
    /// How the store's objects are reached.
    enum Content: Sendable {
        /// A file with a coordinator of its own, on which contexts of their own read and save.
        case file(NSPersistentStoreCoordinator, KeyTranslation)
        /// Questions to the store itself.
        case incremental(NSIncrementalStore)
    }

    let tag: Int
    let store: NSPersistentStore
    let content: Content
    /// Which context saved an object last, for stores that do not keep versions of their own.
    // Contexts of any thread save.
    let lastSavers = Mutex<[ObjectKey: ObjectIdentifier]>([:])

    init(tag: Int, _ store: NSPersistentStore, _ content: Content) {
        self.tag = tag
        self.store = store
        self.content = content
    }

    /// The way of a context to the store's objects.
    func makeRows(for context: NSManagedObjectContext) -> StoreRows {
        switch content {
        case .incremental(let store): return IncrementalRows(context, self, store)
        case .file(let coordinator, let keys):
            if let atomic = store as? NSAtomicStore {
                return AtomicRows(context, self, coordinator, keys, atomic)
            }
            return FileRows(context, self, coordinator, keys)
        }
    }
}

/// The part of a fetch for one of several stores.
struct StoreFetch {
    let prepared: FetchPreparation
    /// Whether order, offset and limit are up to the store; otherwise all matches are wanted.
    let isWhole: Bool

    /// The description with the constants that one store knows.
    func description(in store: NSPersistentStore) throws -> FetchDescription {
        var result = prepared.description
        result.predicate = try prepared.predicate(in: store)
        if !isWhole { (result.limit, result.offset, result.sortOrders) = (0, 0, []) }
        return result
    }
}

/// How one root context reads and saves the objects of one further store.
///
/// Objects of a further store keep copies of their values, as a child's objects do. All keys are
/// the context's.
class StoreRows {
    // Unretained: the context owns this object.
    unowned let context: NSManagedObjectContext
    let further: FurtherStore

    init(_ context: NSManagedObjectContext, _ further: FurtherStore) {
        self.context = context
        self.further = further
    }

    /// The newest values of an object; `nil` when the store has none.
    ///
    /// - Parameter object: The object that will keep the values; `nil` for a child's.
    func values(
        of key: ObjectKey, _ runtime: EntityRuntime, for object: NSManagedObject?
    ) throws -> InheritedValues? {
        trap("\(type(of: self)) has no values")
    }

    /// The stored destinations of a to-many relationship: in their order, or ascending.
    func members(
        of key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey> {
        trap("\(type(of: self)) has no members")
    }

    /// Whether the store has no objects of some entities, as far as that is known at once.
    func isEmpty(_ runtimes: [EntityRuntime]) throws -> Bool { false }

    /// The matches of a fetch.
    func matches(_ fetch: StoreFetch) throws -> [ObjectKey] {
        trap("\(type(of: self)) has no matches")
    }

    /// The number of the matches of a fetch.
    func count(_ fetch: StoreFetch) throws -> Int { try matches(fetch).count }

    /// Gives inserted objects their permanent keys before the save.
    func reserve(_ objects: [NSManagedObject]) throws {
        trap("\(type(of: self)) gives no keys")
    }

    /// Writes changed objects, all or none, and makes them clean.
    ///
    /// - Returns: The objects that were written; a merge policy may have left out some.
    func save(_ group: SavedObjects, locked: [NSManagedObject]) throws -> SavedObjects {
        trap("\(type(of: self)) cannot save")
    }

    /// Runs a batch request.
    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        throw CoreDataError.make(
            .persistentStoreUnsupportedRequestType,
            "the store \(further.store.identity) cannot run a \(type(of: request)); fetch and "
                + "save its objects instead, or set affectedStores to other stores")
    }

    /// The context forgets its objects.
    func reset() {}

    /// Objects got their place in the context or lost it.
    func didRegister(_ key: ObjectKey) {}
    func didUnregister(_ key: ObjectKey) {}
}
