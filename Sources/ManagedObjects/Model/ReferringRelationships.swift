// SPDX-License-Identifier: Apache-2.0

/// The relationships that lead to a description, or back to one, without keeping it.
///
/// A description that goes before its model is used tells them: so a model that lacks it is refused
/// with the names of what refers to it. Once a model is used nothing is noted any more, as its
/// descriptions may go on any thread.
struct ReferringRelationships {
    // SAFETY: a relationship takes itself out when it goes or leads elsewhere, on the thread that
    // builds the model. The list is emptied when the model is first used.
    private var known: [ObjectIdentifier: Unmanaged<NSRelationshipDescription>] = [:]

    mutating func add(_ relationship: NSRelationshipDescription) {
        known[ObjectIdentifier(relationship)] = .passUnretained(relationship)
    }

    mutating func remove(_ relationship: NSRelationshipDescription) {
        known[ObjectIdentifier(relationship)] = nil
    }

    func forEach(_ body: (NSRelationshipDescription) -> Void) {
        // SAFETY: what is in the list has not gone, and no body lets go of a relationship.
        for relationship in known.values { relationship._withUnsafeGuaranteedRef(body) }
    }
}
