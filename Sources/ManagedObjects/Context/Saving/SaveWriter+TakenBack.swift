// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Members that were added to a relationship and removed again, or the other way round, before the
/// save: the context wrote nothing of it, so it would not notice that others have saved the first
/// half of it meanwhile.
extension SaveWriter {
    /// Compares them with the file, and changes what has to be there or not after this save.
    func settleTakenBack(
        of object: NSManagedObject, _ table: EntityTable, _ transaction: SaveTransaction
    ) throws {
        let key = inner(object.key)
        for relationship in object.runtime.toManyRelationships {
            guard let state = object.knownToManyState(relationship.toManyIndex),
                !state.takenBack.isEmpty
            else { continue }
            let links = table.relationships[relationship.position]
            let stored = Set(try transaction.destinations(of: key, links))
            var ends: [ObjectKey: Bool] = [:]
            for member in state.takenBack {
                ends[member] = try belongs(member, to: object, by: relationship, transaction)
            }
            state.settleTakenBack({ stored.contains(inner($0)) }, { ends[$0] })
        }
    }

    /// Whether a member points to an object after this save; `nil` where it has no to-one
    /// relationship that says so, and is not gone.
    private func belongs(
        _ member: ObjectKey, to object: NSManagedObject, by relationship: RelationshipRuntime,
        _ transaction: SaveTransaction
    ) throws -> Bool? {
        guard let runtime = context.runtime(of: member) else { return nil }
        let table = target.table(runtime.ordinal)
        let known = context.known(member)
        let record = try transaction.record(for: inner(member), in: table)
        if known?.isDeleted == true || record == nil && recreated[member] == nil { return false }
        guard let inverse = relationship.inverse(in: runtime), !inverse.isToMany,
            inverse.field >= 0
        else { return nil }
        if let known, let own = known.draftValue(inverse.field) {
            // What was set to what it was is not written, whatever others have made of it.
            let isWritten =
                record == nil || known.isInserted || known.storedValue(inverse.field) != own
            if isWritten { return own == .objectID(object.key) }
        }
        return record?.value(inverse.field, in: table.layout) == .objectID(inner(object.key))
    }
}
