// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The files beside stores that imports of this process are building at the moment.
enum UnfinishedFiles {
    // Imports run on any thread, and another thread may end the process.
    private static let paths = Mutex<Set<String>>([])

    static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

    static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

    static func removeAll() {
        paths.withLock { paths in
            for path in paths { StoreFile.removeFiles(path, withOwner: true) }
        }
    }
}

extension LibraryImporter {
    /// Removes the files that running imports have written beside their stores.
    ///
    /// For a program that is about to end by a signal, while other threads still import. Stores
    /// that exist are left as they are. Without this, the next import into the same store
    /// removes the files.
    public static func removeUnfinishedFiles() { UnfinishedFiles.removeAll() }
}
