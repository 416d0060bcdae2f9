// SPDX-License-Identifier: Apache-2.0

import Query
import RecordFormat
import Schema
import Store

extension NSManagedObjectContext {
    /// Reads one attribute of the stored objects that a predicate finds, without making objects.
    ///
    /// - Parameters:
    ///   - request: A fetch of an entity.
    ///   - place: The attribute.
    ///   - body: Takes an object's key and its value.
    /// - Throws: As a fetch.
    package final func forEachStored(
        _ request: NSFetchRequest<NSManagedObject>, _ place: AttributePlace,
        _ body: (ObjectKey, Value) -> Void
    ) throws {
        let prepared = try FetchPreparation(request, self)
        let position = place.place.position
        var description = prepared.description
        description.readProperties = [prepared.runtime.fields[position].name]
        description.includesSubentities = false
        let snapshot = try newestSnapshot()
        let layout = snapshot.store.tables[prepared.runtime.ordinal].layout
        try mappingQueryErrors {
            let plan = try Planner.plan(
                description, in: snapshot.store, remembering: readPoint.plans)
            try plan.forEachReading(in: snapshot) { key, record in
                body(key, record.value(position, in: layout) ?? .null)
                return true
            }
        }
    }
}
