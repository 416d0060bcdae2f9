// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Keeps the snapshot that a controller told last.
final class SnapshotRecorder: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var last: NSDiffableDataSourceSnapshotReference?

    func controller(
        _ controller: AnyController,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        last = snapshot
    }
}
