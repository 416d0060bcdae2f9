// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

extension NSPersistentStore {
    /// Follows commits: at those of others idle contexts drop their states, and all are posted if
    /// the options ask for that.
    ///
    /// - Parameters:
    ///   - coordinator: Whose observers are told.
    ///   - reader: The coordinator whose contexts read the file; nil for the same one.
    /// - Throws: 134080 where notifications were asked for and the system watches no further file.
    final func watch(
        for coordinator: NSPersistentStoreCoordinator,
        readBy reader: NSPersistentStoreCoordinator? = nil
    ) throws {
        guard let store, let url, !isInMemory else { return }
        let posts = options?.isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey) ?? false
        let poster = posts ? RemoteChangePoster(coordinator, identifier, url) : nil
        let log = (reader ?? coordinator).changeLog
        let owners = (reader ?? coordinator).snapshotOwners
        do {
            let made = try store.watchCommits(isUrgent: posts, tellsOwn: posts) { news in
                if news.isForeign {
                    log.append(foreign: news.transactionID, count: news.commitCount)
                }
                poster?.post(news)
                return news.isForeign && owners.letGo()
            }
            commitWatch.withLock { $0 = made }
        } catch {
            // Without it, idle contexts move with their own next fetch.
            guard posts else { return }
            throw CoreDataError.make(
                .persistentStoreOpen,
                "\(url.filePath) cannot be watched for commits of others: \(error.message); close "
                    + "other stores, or raise fs.inotify.max_user_watches and "
                    + "fs.inotify.max_user_instances",
                [NSFilePathErrorKey: url.filePath, NSUnderlyingErrorKey: error])
        }
    }
}

/// Posts remote changes of one store.
// SAFETY: the initialiser sets all of it. The weak reference is not assigned again, and any thread
// may read it.
final class RemoteChangePoster: @unchecked Sendable {
    private weak var coordinator: NSPersistentStoreCoordinator?
    private let identifier: String
    private let url: URL

    init(_ coordinator: NSPersistentStoreCoordinator, _ identifier: String, _ url: URL) {
        self.coordinator = coordinator
        self.identifier = identifier
        self.url = url
    }

    func post(_ news: CommitWatch.News) {
        guard let coordinator else { return }
        var info: [AnyHashable: Any] = [
            NSStoreUUIDKey: identifier, NSPersistentStoreURLKey: url,
        ]
        if let number = news.historyNumber {
            info[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([identifier: number])
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
    }
}
