// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// The sets of a notification, each time that it was posted.
final class SetRecorder {
    private(set) var sets: [[String: Set<NSManagedObject>]] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, _ context: NSManagedObjectContext) {
        // Posted and read on the test's thread; unowned, as the observer goes with the recorder.
        nonisolated(unsafe) unowned let recorder = self
        token = NotificationCenter.default.addObserver(
            forName: name, object: context, queue: nil
        ) { notification in
            var sets: [String: Set<NSManagedObject>] = [:]
            for (key, value) in notification.userInfo ?? [:] {
                if let set = value as? Set<NSManagedObject>, let key = key as? String {
                    sets[key] = set
                }
            }
            recorder.sets.append(sets)
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }
}
