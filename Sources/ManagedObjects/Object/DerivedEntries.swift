// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// A class whose objects have entries in further databases, kept in the transaction that saves
/// them.
///
/// The ECS's component class keeps `components` and `owners` this way.
package protocol DerivedEntries: NSManagedObject {
    /// Writes the entries of an inserted or updated object and removes what is out of date.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - key: Its permanent key.
    ///   - old: Its record so far, `nil` for an inserted object.
    ///   - transaction: The save.
    ///   - resolve: Turns the temporary key of an object of the same save into the permanent one.
    /// - Throws: ``DisplacedEntry`` if the entry belongs to another object by now.
    static func write(
        _ object: NSManagedObject, _ key: ObjectKey, _ old: RecordView?,
        _ transaction: SaveTransaction, _ resolve: (ObjectKey) -> ObjectKey) throws

    /// Removes the entries of a deleted object.
    ///
    /// - Parameters:
    ///   - entity: The name of its entity.
    ///   - key: Its key.
    ///   - old: Its record.
    ///   - transaction: The save, or the batch deletion.
    static func delete(
        _ entity: String, _ key: ObjectKey, _ old: RecordView,
        _ transaction: SaveTransaction) throws

    /// Writes the entries of stored objects that lead to others whose records are there again.
    ///
    /// - Parameters:
    ///   - keys: The objects that came back.
    ///   - table: The table of an entity of the class.
    ///   - transaction: The save.
    /// - Complexity: O(objects of the entity)
    static func restore(
        for keys: Set<ObjectKey>, in table: EntityTable, _ transaction: SaveTransaction) throws
}

/// Ends a save of an object whose entry belongs to another object, which another commit has saved
/// meanwhile.
package struct DisplacedEntry: Error {
    /// The key by which the context knows the object that is being saved.
    package let key: ObjectKey
    /// The stored object that has the entry.
    package let holder: ObjectKey

    package init(_ object: NSManagedObject, holder: ObjectKey) {
        key = object.key
        self.holder = holder
    }
}
