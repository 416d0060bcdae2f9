// SPDX-License-Identifier: Apache-2.0

import Schema

/// What an object makes of its relationships that were set while its values could not be read.
///
/// Nobody knew then where they led, so that the other sides of what was replaced were not told.
extension NSManagedObject {
    /// Whether a relationship or an attribute was set before the stored values were known.
    final var hasEarlyChanges: Bool { hasDraft || extras?.hasChangedMembers == true }

    /// All destinations of a to-many relationship are about to be set: if it is not known what is
    /// stored, all of that leaves.
    final func noteReplacement(_ relationship: RelationshipRuntime) {
        guard isUnread, !relationship.relationship.isTransient else { return }
        toManyState(relationship.toManyIndex).replaceUnread()
    }

    /// Tells the former destinations, now that the stored values are known.
    @inline(never)
    final func settleEarlyChanges() {
        guard runtime.hasRelationships, context != nil else { return }
        for relationship in runtime.toOneRelationships
        where relationship.field >= 0 && relationship.hasInverse {
            guard let set = draftValue(relationship.field),
                case .objectID(let former) = storedValue(relationship.field),
                set != .objectID(former)
            else { continue }
            related(former)?.forget(self, inverseOf: relationship)
        }
        for relationship in runtime.toManyRelationships
        where !relationship.relationship.isTransient {
            guard let state = knownToManyState(relationship.toManyIndex), state.hasChanges
            else { continue }
            let lost = loadedState(relationship).settleEarlyChanges()
            guard relationship.hasInverse else { continue }
            for key in lost { related(key)?.forget(self, inverseOf: relationship) }
        }
    }
}
