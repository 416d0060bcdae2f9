// SPDX-License-Identifier: Apache-2.0

import Schema

/// What has to be done to take one event of a context back.
///
/// Holds objects, not IDs: an object that was deleted comes back as the same instance, even after
/// its deletion was saved.
final class UndoAction {
    /// What happened to one object.
    struct Entry {
        enum Kind {
            case insertion
            case deletion
            case update
        }

        let object: NSManagedObject
        let kind: Kind
        /// The values to restore: all of a deleted object, the changed ones of an updated one.
        var fields: [(position: Int, value: Value)] = []
        /// The destinations to take out and to put back.
        var members: [MemberChange] = []
        /// The version of a deleted object's record.
        var version: UInt32 = 0
        private let incarnation: Int

        init(
            object: NSManagedObject, kind: Kind, fields: [(position: Int, value: Value)] = [],
            members: [MemberChange] = []
        ) {
            self.object = object
            self.kind = kind
            self.fields = fields
            self.members = members
            incarnation = object.extras?.incarnation ?? 0
        }

        /// Whether the instance still is the object that was changed then.
        var isOfSameObject: Bool { incarnation == object.extras?.incarnation ?? 0 }
    }

    let entries: [Entry]
    /// The objects behind the temporary keys in values, which have other keys after a save.
    let temporaries: [ObjectKey: NSManagedObject]

    init(_ entries: [Entry], _ context: NSManagedObjectContext) {
        self.entries = entries
        var known: [ObjectKey: NSManagedObject] = [:]
        for entry in entries where entry.object.key.isTemporary {
            known[entry.object.key] = entry.object
        }
        var temporaries: [ObjectKey: NSManagedObject] = [:]
        func note(_ key: ObjectKey) {
            guard key.isTemporary, temporaries[key] == nil else { return }
            temporaries[key] = known[key] ?? context.object(for: key)
        }
        for entry in entries {
            for case (_, .objectID(let key)) in entry.fields { note(key) }
            for change in entry.members {
                for key in change.appeared { note(key) }
                for key in change.gone { note(key) }
                for key in change.formerOrder ?? [] { note(key) }
            }
        }
        self.temporaries = temporaries
    }
}
