// SPDX-License-Identifier: Apache-2.0

/// What a controller's fetch has found, and how objects are told that change later.
struct FollowedFetch {
    let objects: [NSManagedObject]
    let prepared: FetchPreparation
    /// What is asked of an object beside the prepared predicate; nil if that says all.
    let predicate: NSPredicate?
}
