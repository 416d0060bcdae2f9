// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Notification.Name {
    /// An undo manager is about to begin or end a group, or to undo: register what is pending.
    public static let NSUndoManagerCheckpoint = Notification.Name(
        "NSUndoManagerCheckpointNotification")
    /// An undo manager has opened a group.
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name(
        "NSUndoManagerDidOpenUndoGroupNotification")
    /// An undo manager is about to close a group.
    public static let NSUndoManagerWillCloseUndoGroup = Notification.Name(
        "NSUndoManagerWillCloseUndoGroupNotification")
    /// An undo manager has closed a group.
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name(
        "NSUndoManagerDidCloseUndoGroupNotification")
    /// An undo manager is about to undo.
    public static let NSUndoManagerWillUndoChange = Notification.Name(
        "NSUndoManagerWillUndoChangeNotification")
    /// An undo manager has undone a group.
    public static let NSUndoManagerDidUndoChange = Notification.Name(
        "NSUndoManagerDidUndoChangeNotification")
    /// An undo manager is about to redo.
    public static let NSUndoManagerWillRedoChange = Notification.Name(
        "NSUndoManagerWillRedoChangeNotification")
    /// An undo manager has redone a group.
    public static let NSUndoManagerDidRedoChange = Notification.Name(
        "NSUndoManagerDidRedoChangeNotification")
}

/// User info of closing groups: true when the group may be lost without harm, else absent.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"
