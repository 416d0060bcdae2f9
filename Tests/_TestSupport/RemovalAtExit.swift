// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Deletes a directory when the process exits.
///
/// For directories of files that something may still write to when their owner goes: a write to a
/// file that was deleted throws.
public func removeAtExit(_ path: String) {
    RemovalAtExit.add(path)
}

private enum RemovalAtExit {
    // Tests of any thread add to it.
    private static let paths = Mutex<[String]>([])

    private static let isInstalled: Bool = {
        atexit { RemovalAtExit.removeAll() }
        return true
    }()

    static func add(_ path: String) {
        _ = isInstalled
        paths.withLock { $0.append(path) }
    }

    static func removeAll() {
        for path in paths.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
}
