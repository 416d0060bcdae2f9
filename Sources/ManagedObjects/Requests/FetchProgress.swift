// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query

/// The progress of an asynchronous fetch, as the running fetch sees it.
// SAFETY: a progress may be used from any thread, which not every Foundation declares.
struct FetchProgress: @unchecked Sendable {
    private let progress: Progress

    init(_ progress: Progress) { self.progress = progress }

    /// Ends the fetch once it is cancelled, and notes how far it is before.
    var watch: FetchWatch {
        FetchWatch { matches in
            try check()
            let count = Int64(matches)
            if progress.totalUnitCount >= 0, count > progress.totalUnitCount {
                progress.totalUnitCount = count
            }
            progress.completedUnitCount = count
        }
    }

    /// - Throws: `userCancelled` for a cancelled fetch.
    func check() throws {
        guard progress.isCancelled else { return }
        throw CoreDataError.make(.userCancelled, "the fetch was cancelled")
    }
}

extension NSManagedObjectContext {
    /// Hands the watch over to one fetch: those that it leads to are not watched.
    final func takeFetchWatch() -> FetchWatch? {
        guard let watch = followers.fetchWatch else { return nil }
        followers.fetchWatch = nil
        return watch
    }
}
