// SPDX-License-Identifier: Apache-2.0

/// What a context knows of one of its objects.
struct ObjectFlags: OptionSet {
    let rawValue: UInt16

    /// Inserted and not saved yet.
    static let inserted = ObjectFlags(rawValue: 1 << 0)
    /// Changed since the last save.
    static let updated = ObjectFlags(rawValue: 1 << 1)
    /// Deleted and not saved yet.
    static let deleted = ObjectFlags(rawValue: 1 << 2)
    /// Values were not asked for yet.
    static let fault = ObjectFlags(rawValue: 1 << 3)
    /// Changed since changes were processed last.
    static let eventUpdated = ObjectFlags(rawValue: 1 << 4)
    /// Inserted since changes were processed last.
    static let eventInserted = ObjectFlags(rawValue: 1 << 5)
    /// Refreshed since changes were processed last.
    static let eventRefreshed = ObjectFlags(rawValue: 1 << 6)
    /// Deleted, and the delete rules were applied.
    static let propagated = ObjectFlags(rawValue: 1 << 7)
    /// Setters neither mark the object as changed nor maintain inverses.
    static let untracked = ObjectFlags(rawValue: 1 << 8)
    /// The record is gone from the store, or could not be read: values read as nil.
    static let inaccessible = ObjectFlags(rawValue: 1 << 9)
    /// In `prepareForDeletion`.
    static let preparing = ObjectFlags(rawValue: 1 << 10)
    /// The record is known to be gone, rather than unreadable.
    static let gone = ObjectFlags(rawValue: 1 << 11)
    /// An index of unsaved objects has the values, and needs to know of the next change.
    static let indexed = ObjectFlags(rawValue: 1 << 12)
    /// Was never in a context.
    static let fresh = ObjectFlags(rawValue: 1 << 13)
    /// `willSave()` was called in the save that is running, and nothing has changed since.
    static let saveAnnounced = ObjectFlags(rawValue: 1 << 14)
    /// Each use is checked for the right queue.
    static let checked = ObjectFlags(rawValue: 1 << 15)
}
