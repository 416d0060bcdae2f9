// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Records the did-change notifications of a context.
// Sendable because the thread that changes the context is the only one that posts and reads.
final class ChangeRecorder: @unchecked Sendable {
    private(set) var entries: [[String: Set<NSManagedObject>]] = []
    private var token: (any NSObjectProtocol)?
    // Kept: a context of another test at the same address would be recorded as well.
    private let context: NSManagedObjectContext

    init(
        _ context: NSManagedObjectContext,
        _ name: Notification.Name = .NSManagedObjectContextObjectsDidChange
    ) {
        self.context = context
        token = NotificationCenter.default.addObserver(
            forName: name, object: context, queue: nil
        ) { [unowned self] note in record(note) }
    }

    private func record(_ note: Notification) {
        var entry: [String: Set<NSManagedObject>] = [:]
        for (key, value) in note.userInfo ?? [:] {
            entry["\(key)"] = value as? Set<NSManagedObject> ?? []
        }
        entries.append(entry)
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }

    /// What the last notification told.
    var last: [String: Set<NSManagedObject>] { entries.last ?? [:] }

    /// What was told since the last call.
    func take() -> [[String: Set<NSManagedObject>]] {
        defer { entries = [] }
        return entries
    }
}
