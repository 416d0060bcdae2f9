// SPDX-License-Identifier: Apache-2.0

/// What a context keeps for its next save, and how that goes.
struct SaveState {
    /// Clean objects whose versions the next save checks too.
    var locked = LockedObjects()
    /// What a layer above keeps for this context, such as the ECS's unsaved components.
    // A list, as there are two or three of them.
    var attachments: ContiguousArray<(type: ObjectIdentifier, value: AnyObject)> = []
    /// What a layer above saves together with the objects.
    weak var companion: (any SaveCompanion)?
    /// What the companion belongs to, while it has something to save.
    var companionOwner: AnyObject?
    /// Called in the transaction of a save before it is committed; may be called again.
    var beforeCommit: (() throws -> Void)?
    /// What a merge policy has changed of other stores than the one that is being written.
    var others = ChangeSet()
    /// Whether there were such changes, which are still to be written.
    var hasMore = false
    /// Whether unsaved changes went with a store that was removed while the context was in use.
    var hasLostChanges = false
    /// Whether a save is under way.
    var isRunning = false
    /// Whether a save writes metadata that was set on stores which it has no objects for.
    var writesMetadata = true
}
