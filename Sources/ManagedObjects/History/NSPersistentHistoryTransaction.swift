// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// What one save or batch request changed in a store, when, and who did it.
///
/// Any thread may use one, also after the store was removed.
public final class NSPersistentHistoryTransaction: NSObject, Sendable {
    let record: HistoryRecord
    private let includesChanges: Bool
    // Decoded when first asked for, by whatever thread.
    private let decoded: Mutex<[NSPersistentHistoryChange]?>
    // The same for components.
    private let decodedComponents: Mutex<[NSPersistentHistoryComponentChange]?>

    /// - Parameters:
    ///   - changes: The changes that matter, where they are not all.
    ///   - componentChanges: Those of components.
    init(
        _ record: HistoryRecord, includesChanges: Bool,
        changes: [NSPersistentHistoryChange]? = nil,
        componentChanges: [NSPersistentHistoryComponentChange]? = nil
    ) {
        self.record = record
        self.includesChanges = includesChanges
        decoded = Mutex(changes)
        decodedComponents = Mutex(componentChanges)
        super.init()
    }

    /// When it was committed; never before the transaction that precedes it.
    public var timestamp: Date { Date(timeIntervalSinceReferenceDate: record.set.timestamp) }

    /// What it did to objects, one change for each; `nil` where the request asked for none.
    ///
    /// - Complexity: O(changes) when first asked for.
    public var changes: [NSPersistentHistoryChange]? {
        guard includesChanges else { return nil }
        return decoded.withLock { decoded in
            if let decoded { return decoded }
            let made = (try? record.changes()) ?? []
            decoded = made
            return made
        }
    }

    /// What it did to components of game objects, links and resources of a world; `nil` where the
    /// request asked for no changes.
    ///
    /// They have no part in ``changes``, in counts and IDs of changes, or in
    /// ``objectIDNotification()``. A transaction may have these alone. Each component of a game
    /// object comes once at most, by column: first those that were added, then those that got other
    /// values, then those that were removed.
    ///
    /// - Complexity: O(changes) when first asked for.
    public var componentChanges: [NSPersistentHistoryComponentChange]? {
        guard includesChanges else { return nil }
        return decodedComponents.withLock { decoded in
            if let decoded { return decoded }
            let made = (try? record.componentChanges()) ?? []
            decoded = made
            return made
        }
    }

    /// Its number among the transactions of its store, from 1.
    public var transactionNumber: Int64 { Int64(clamping: record.number) }

    /// The identity of the store.
    public var storeID: String { record.source.owner.identity }

    /// The bundle identifier, or else the name, of the program that committed.
    public var bundleID: String { record.set.bundleID }

    /// The number of the process that committed.
    public var processID: String { record.set.processID }

    /// The name of the context that saved or ran the request.
    public var contextName: String? { record.set.contextName }

    /// The ``NSManagedObjectContext/transactionAuthor`` of that context.
    public var author: String? { record.set.author }

    /// The position of the history after it, with those of the stores that the same request read
    /// before this one's.
    public var token: NSPersistentHistoryToken { record.token }

    /// The changes as a did-save notification with object IDs, for
    /// ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``.
    public func objectIDNotification() -> Notification {
        var ids: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
        for change in changes ?? (try? record.changes()) ?? [] {
            ids[change.changeType, default: []].insert(change.changedObjectID)
        }
        var info: [AnyHashable: Any] = [:]
        info[NSInsertedObjectIDsKey] = ids[.insert]
        info[NSUpdatedObjectIDsKey] = ids[.update]
        info[NSDeletedObjectIDsKey] = ids[.delete]
        return Notification(name: NotificationNames.didSaveObjectIDs, object: nil, userInfo: info)
    }

    /// Whether both are the same transaction of the same store.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return other.record.isSame(as: record)
    }

    /// The hash of its number.
    public override var hash: Int { record.number.hashValue }

    /// The number, the author and the number of changes.
    public override var description: String {
        "<NSPersistentHistoryTransaction \(record.number) of \(storeID), author "
            + "\(author ?? "nil"), \(record.set.changeCount) changes>"
    }
}
