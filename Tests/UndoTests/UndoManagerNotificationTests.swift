// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Undo

/// Records the notifications of an undo manager by short names.
// Sendable because the thread that uses the manager is the only one that posts and reads.
private final class UndoRecorder: @unchecked Sendable {
    private(set) var names: [String] = []
    private var tokens: [any NSObjectProtocol] = []
    // Kept: a manager of another test at the same address would be recorded as well.
    private let manager: UndoManager

    init(_ manager: UndoManager) {
        self.manager = manager
        let all: [Notification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup,
            .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
            .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange,
            .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
        ]
        tokens = all.map { name in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) {
                [unowned self] note in
                var text = name.rawValue.replacingOccurrences(of: "NSUndoManager", with: "")
                text = text.replacingOccurrences(of: "Notification", with: "")
                if note.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool == true {
                    text += "!"
                }
                names.append(text)
            }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    func take() -> [String] {
        defer { names = [] }
        return names
    }
}

@Suite struct UndoManagerNotificationTests {
    @Test func groups_undo_and_redo_are_announced() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        let recorder = UndoRecorder(manager)
        func register() { manager.registerUndo(withTarget: recorder) { _ in register() } }
        manager.beginUndoGrouping()
        #expect(recorder.take() == ["Checkpoint", "DidOpenUndoGroup"])
        register()
        manager.setActionIsDiscardable(true)
        manager.endUndoGrouping()
        #expect(
            recorder.take() == ["Checkpoint", "WillCloseUndoGroup!", "DidCloseUndoGroup!"])
        manager.undo()
        #expect(
            recorder.take().filter { $0.hasSuffix("Change") } == [
                "WillUndoChange", "DidUndoChange",
            ])
        manager.redo()
        #expect(
            recorder.take().filter { $0.hasSuffix("Change") } == [
                "WillRedoChange", "DidRedoChange",
            ])
        manager.redo()
        #expect(recorder.take().filter { $0.hasSuffix("Change") }.isEmpty)
    }
}

@Suite struct UndoManagerTrapTests {
    @Test func an_end_without_begin_traps() async {
        await #expect(processExitsWith: .failure) { UndoManager().endUndoGrouping() }
    }

    @Test func enabling_what_is_enabled_traps() async {
        await #expect(processExitsWith: .failure) { UndoManager().enableUndoRegistration() }
    }

    @Test func undo_inside_nested_groups_traps() async {
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            manager.beginUndoGrouping()
            manager.beginUndoGrouping()
            manager.undo()
        }
    }

    @Test func registering_outside_a_group_traps_without_events() async {
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            manager.groupsByEvent = false
            manager.registerUndo(withTarget: manager) { _ in }
        }
    }

    @Test func undo_inside_undo_traps() async {
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            manager.registerUndo(withTarget: manager) { $0.undo() }
            manager.undo()
        }
    }
}
