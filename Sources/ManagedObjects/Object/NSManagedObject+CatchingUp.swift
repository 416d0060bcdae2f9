// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Relationships whose two sides were read from different states of the file.
extension NSManagedObject {
    /// Brings an object up to date before it is changed from the other side of a relationship.
    ///
    /// The other side may have been read later, when others had changed both. Did this object keep
    /// what it knew, it could seem to be connected with the other one already, or not to be, and
    /// the save would write one side only. An object with a net change stays as it is: its save
    /// meets a conflict.
    @inline(__always)
    final func catchUp() {
        guard hasExtras, extras?.ownedRecord != nil else { return }
        catchUpWithOthers()
    }

    @inline(never)
    private final func catchUpWithOthers() {
        guard let context, context.source == nil, let base = extras?.ownedRecord,
            flags.isDisjoint(with: [.inserted, .deleted]),
            let current = context.recordAtSnapshot(of: self),
            current.version != base.view.version, !differs(from: base.view, runtime.layout)
        else { return }
        context.beginEvent()
        takeNewestState()
    }

    /// Whether a newer record leads to an object that is deleted here, or has let go of this one:
    /// what was done there has changed only what this object knew.
    final func isLetGo(in record: RecordView) -> Bool {
        runtime.toOneRelationships.contains { relationship in
            guard relationship.field >= 0, relationship.field < runtime.layout.fields.count,
                case .objectID(let key) = value(relationship.field, in: record),
                let partner = context?.known(key), partner.hasChanges,
                let inverse = relationship.inverse(in: partner.runtime)
            else { return false }
            if partner.flags.contains(.deleted) {
                return inverse.relationship.deleteRule != .noAction
            }
            return inverse.isToMany
                ? partner.knownToManyState(inverse.toManyIndex)?.removed.contains(self.key) == true
                : partner.draftValue(inverse.field).map { $0 != .objectID(self.key) } == true
        }
    }

    /// Whether an unsaved change of another object connects it with this one, which has no net
    /// change itself.
    final var isConnectedAnew: Bool {
        runtime.toOneRelationships.contains { relationship in
            guard relationship.field >= 0, relationship.hasInverse,
                case .objectID(let key) = fieldValue(relationship.field),
                let partner = context?.known(key),
                let inverse = relationship.inverse(in: partner.runtime)
            else { return false }
            if inverse.isToMany {
                return partner.knownToManyState(inverse.toManyIndex)?.added.contains(self.key)
                    ?? false
            }
            guard case .objectID(self.key)? = partner.draftValue(inverse.field) else {
                return false
            }
            return partner.isInserted || partner.storedValue(inverse.field) != .objectID(self.key)
        }
    }
}
