// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Option: whether the store remembers who changed what, as an `NSNumber`; false.
///
/// A file that has been opened with it is read-only without it from then on.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Option: whether ``Foundation/Notification/Name/NSPersistentStoreRemoteChange`` is posted, as an
/// `NSNumber`; false.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// User info of a remote change: the file, as a `URL`.
public let NSPersistentStoreURLKey = "storeURL"
/// User info of a remote change: the ``NSPersistentHistoryToken`` of the newest transaction; only
/// for a store that has a history.
public let NSPersistentHistoryTokenKey = "historyToken"

extension Notification.Name {
    /// A store of a coordinator has a new commit, by a context of this coordinator, by another
    /// coordinator or by another process.
    ///
    /// Posted by the coordinator, on a queue of its own, within milliseconds of the commit, for
    /// stores with ``NSPersistentStoreRemoteChangeNotificationPostOptionKey``. One notification may
    /// stand for several commits. The user info holds the identity of the store under
    /// `NSStoreUUIDKey`, the file under ``NSPersistentStoreURLKey``, and the newest position of the
    /// history under ``NSPersistentHistoryTokenKey``.
    public static let NSPersistentStoreRemoteChange = Notification.Name(
        "NSPersistentStoreRemoteChangeNotification")
}
