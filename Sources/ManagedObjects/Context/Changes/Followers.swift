// SPDX-License-Identifier: Apache-2.0

import Query

/// Those that follow what a context does.
struct Followers {
    /// Records the changes; set by way of ``NSManagedObjectContext/undoManager``.
    var undoManager: UndoManager?
    /// The sequences of changes that are being read.
    var changeObservers: ChangeReaders<NSManagedObjectContextChange>?
    /// The fetched results controllers that follow the context.
    var results: ResultsRegistry?
    /// The progress watch of the next fetch.
    var fetchWatch: FetchWatch?
    /// Whether the context is part of another one and posts no notifications.
    var isSilent = false
}
