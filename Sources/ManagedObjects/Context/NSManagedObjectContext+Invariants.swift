// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// What is true of a context whenever no call of it runs.
///
/// Tests ask for it after each step. In a build with `-Xswiftc -DLODE_INVARIANTS` each context
/// checks itself when it has processed changes, saved, or dropped its objects.
extension NSManagedObjectContext {
    /// What is wrong with the context, in words; empty if all is well.
    ///
    /// - Complexity: O(registered objects).
    final func invariantViolations() -> [String] {
        var found = registry.violations()
        noticeDepartures()
        if source != nil, snapshot != nil { found.append("a child has a snapshot") }
        let lists = ChangeLists(changes)
        for object in registry.objects {
            func expect(_ isRight: Bool, _ rule: String) {
                if !isRight { found.append("\(object.objectID): \(rule)") }
            }
            expect(object.context === self, "is registered with a context that is not its own")
            expect(registry[object.key] === object, "is registered under another key")
            checkLists(object, lists, expect)
            checkBytes(object, expect)
            if let key = object.reservedKey, object.isInserted {
                expect(reserved[key] === object, "its reserved key is not known")
            }
        }
        for (key, object) in reserved.entries {
            if key.isTemporary { found.append("\(key) is temporary and reserved") }
            if object.reservedKey != key || object.context !== self {
                found.append("\(key) is reserved for no object")
            }
        }
        if saving.locked.contains(where: { $0.context !== self }) {
            found.append("a lock is foreign")
        }
        return found
    }

    /// An object's flags and the lists of changes agree.
    private final func checkLists(
        _ object: NSManagedObject, _ lists: ChangeLists, _ expect: (Bool, String) -> Void
    ) {
        let flags = object.flags
        let identity = ObjectIdentifier(object)
        expect(
            !flags.contains(.inserted) || lists.inserted.contains(identity),
            "is inserted, and not in the list")
        expect(
            !flags.contains(.eventInserted) || lists.eventInserted.contains(identity),
            "was inserted in this event, and is not in its list")
        expect(
            !object.isUpdated || lists.updated.contains(identity), "is updated, and not in the list"
        )
        expect(
            !flags.contains(.eventUpdated) || lists.eventUpdated.contains(identity),
            "was updated in this event, and is not in its list")
        expect(
            !flags.contains(.deleted) || lists.deleted.contains(identity),
            "is deleted, and not in the list")
        expect(flags.contains(.deleted) || !flags.contains(.propagated), "is not deleted any more")
        expect(!flags.contains(.inserted) || !flags.contains(.updated), "is inserted and updated")
        expect(
            !flags.contains(.inserted) || object.key.isTemporary, "is inserted under a saved key")
    }

    /// An object reads bytes of the context's state only, see the unsafe contract.
    private final func checkBytes(_ object: NSManagedObject, _ expect: (Bool, String) -> Void) {
        expect(object.boundStamp <= stamp, "is bound at a stamp to come")
        expect(object.readStamp <= stamp, "is read at a stamp to come")
        guard object.readStamp == stamp else { return }
        expect(object.boundStamp == stamp, "is read at the stamp, and not bound at it")
        expect(object.record != nil, "is read at the stamp, and has no record")
        expect(!object.hasDraft, "is read at the stamp, and has a draft")
        expect(!object.flags.contains(.fault), "is read at the stamp, and a fault")
    }

    #if LODE_INVARIANTS
        /// Traps if anything is wrong.
        final func checkInvariants() {
            let found = invariantViolations()
            require(found.isEmpty, "broken invariants: \(found.joined(separator: "; "))")
        }
    #else
        @inline(__always)
        final func checkInvariants() {}
    #endif
}

/// The lists of changes as sets.
private struct ChangeLists {
    let inserted: Set<ObjectIdentifier>
    let updated: Set<ObjectIdentifier>
    let deleted: Set<ObjectIdentifier>
    let eventInserted: Set<ObjectIdentifier>
    let eventUpdated: Set<ObjectIdentifier>

    init(_ changes: ChangeSet) {
        inserted = Set(changes.inserted.map { ObjectIdentifier($0) })
        updated = Set(changes.updated.map { ObjectIdentifier($0) })
        deleted = Set(changes.deleted.map { ObjectIdentifier($0) })
        eventInserted = Set(
            changes.inserted.dropFirst(changes.eventStart).map { ObjectIdentifier($0) })
        eventUpdated = Set(changes.eventUpdated.map { ObjectIdentifier($0) })
    }
}
