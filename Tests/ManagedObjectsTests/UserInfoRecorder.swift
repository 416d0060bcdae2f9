// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Records what a context's notifications of one name tell.
// Sendable because the thread that changes the context is the only one that posts and reads.
final class UserInfoRecorder: @unchecked Sendable {
    private var entries: [[AnyHashable: Any]] = []
    private var token: (any NSObjectProtocol)?
    // Kept: a context of another test at the same address would be recorded as well.
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext, _ name: Notification.Name) {
        self.context = context
        token = NotificationCenter.default.addObserver(
            forName: name, object: context, queue: nil
        ) { [unowned self] note in entries.append(note.userInfo ?? [:]) }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }

    /// What was told since the last call.
    func take() -> [[AnyHashable: Any]] {
        defer { entries = [] }
        return entries
    }
}
