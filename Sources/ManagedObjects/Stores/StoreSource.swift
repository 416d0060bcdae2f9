// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

/// One store of a coordinator as a source of a root context's objects.
protocol StoreSource: ObjectSource {
    /// Whether the store has no objects of some entities, as far as that is known at once.
    func isEmpty(_ runtimes: [EntityRuntime]) throws -> Bool
    /// The dictionaries of a fetch.
    func dictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ fetch: SourceFetch
    ) throws -> [NSDictionary]
    /// Runs a batch request.
    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult
}

/// A store beside the main one.
protocol FurtherRows: StoreSource, AnyObject {
    var further: FurtherStore { get }
    /// The context forgets its objects.
    func reset()
    /// Objects got their place in the context or lost it.
    func didRegister(_ key: ObjectKey)
    func didUnregister(_ key: ObjectKey)
    /// Finds the record of an object of a root; false when there is none.
    func bind(_ object: NSManagedObject) throws -> Bool
    /// Finds the records of those of some objects, ascending by key, that are faults.
    func bindFaults(_ keys: ContiguousArray<ObjectKey>.SubSequence) throws
    /// The record of a root's object in the newest state; `nil` when it was deleted.
    func newestRecord(of object: NSManagedObject) throws -> RecordView?
    /// The context's key for one in the record of a root's object.
    func keyHere(_ stored: ObjectKey) -> ObjectKey
    /// The key in the record of a root's object for one of the context's.
    func keyThere(_ key: ObjectKey) -> ObjectKey
    /// A copy of the record of a root's object with the context's keys.
    func copyHere(_ record: RecordView, _ runtime: EntityRuntime) -> OwnedRecord
    /// The bytes of a large value that the record of a root's object only points to.
    func externalValue(
        of key: ObjectKey, position: Int, _ runtime: EntityRuntime, byteCount: Int
    ) throws -> [UInt8]
}

/// Rows whose objects keep copies of their values, as a child's objects do.
protocol CopiedRows: FurtherRows {
    var context: NSManagedObjectContext { get }
}

extension FurtherRows {
    func didRegister(_ key: ObjectKey) {}
    func didUnregister(_ key: ObjectKey) {}
}

extension CopiedRows {
    func reset() {}

    func bind(_ object: NSManagedObject) throws -> Bool { try context.bind(object, to: self) }

    func bindFaults(_ keys: ContiguousArray<ObjectKey>.SubSequence) throws {}

    /// Its copy: a newer one takes a question to the store.
    func newestRecord(of object: NSManagedObject) throws -> RecordView? { object.currentRecord() }

    func keyHere(_ stored: ObjectKey) -> ObjectKey { stored }

    func keyThere(_ key: ObjectKey) -> ObjectKey { key }

    func copyHere(_ record: RecordView, _ runtime: EntityRuntime) -> OwnedRecord {
        OwnedRecord(record)
    }

    /// Objects keep copies of large values as well.
    func externalValue(
        of key: ObjectKey, position: Int, _ runtime: EntityRuntime, byteCount: Int
    ) throws -> [UInt8] { [] }
}
