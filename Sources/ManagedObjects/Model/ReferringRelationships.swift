// SPDX-License-Identifier: Apache-2.0

/// The relationships that name a description as destination or inverse, not retained.
///
/// A description that is released before its model is used notifies them, so that a model that
/// lacks it is refused with the names of its referrers. Once a model is in use nothing more is
/// noted, as its descriptions may be released on any thread.
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
        // SAFETY: the relationships in the list are alive, and no body releases one.
        for relationship in known.values { relationship._withUnsafeGuaranteedRef(body) }
    }
}
