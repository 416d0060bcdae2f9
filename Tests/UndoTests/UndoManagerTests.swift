// SPDX-License-Identifier: Apache-2.0

import Testing
import Undo

/// A number whose setter registers its undo.
private final class Counter {
    let manager: UndoManager
    private(set) var value = 0

    init(_ manager: UndoManager) { self.manager = manager }

    func set(_ new: Int) {
        let old = value
        manager.registerUndo(withTarget: self) { $0.set(old) }
        value = new
    }
}

/// Foundation's undo manager: groups, levels, names.
@Suite struct UndoManagerTests {
    private func explicit() -> (UndoManager, Counter) {
        let manager = UndoManager()
        manager.groupsByEvent = false
        return (manager, Counter(manager))
    }

    private func group(_ manager: UndoManager, _ body: () -> Void) {
        manager.beginUndoGrouping()
        body()
        manager.endUndoGrouping()
    }

    @Test func a_new_manager_has_nothing_to_do() {
        let manager = UndoManager()
        #expect(manager.groupsByEvent && manager.levelsOfUndo == 0 && manager.groupingLevel == 0)
        #expect(!manager.canUndo && !manager.canRedo)
        #expect(!manager.isUndoing && !manager.isRedoing && manager.isUndoRegistrationEnabled)
        #expect(manager.undoActionName == "" && manager.redoActionName == "")
        manager.undo()
        manager.redo()
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test func undo_and_redo_step_by_group() {
        let (manager, counter) = explicit()
        for value in 1...3 { group(manager) { counter.set(value) } }
        #expect(manager.undoCount == 3 && manager.redoCount == 0)
        manager.undo()
        #expect(counter.value == 2)
        manager.undo()
        #expect(counter.value == 1 && manager.canUndo && manager.canRedo)
        manager.redo()
        manager.redo()
        #expect(counter.value == 3 && !manager.canRedo)
        manager.undo()
        manager.undo()
        manager.undo()
        #expect(counter.value == 0 && !manager.canUndo && manager.redoCount == 3)
    }

    @Test func a_group_is_undone_in_reverse_order() {
        let (manager, _) = explicit()
        var done: [String] = []
        let target = Counter(manager)
        group(manager) {
            for name in ["a", "b"] {
                manager.registerUndo(withTarget: target) { _ in done += [name] }
            }
            group(manager) {
                for name in ["c", "d"] {
                    manager.registerUndo(withTarget: target) { _ in done += [name] }
                }
            }
            manager.registerUndo(withTarget: target) { _ in done += ["e"] }
        }
        manager.undo()
        #expect(done == ["e", "d", "c", "b", "a"])
    }

    @Test func a_new_action_drops_what_could_be_redone() {
        let (manager, counter) = explicit()
        group(manager) { counter.set(1) }
        manager.undo()
        #expect(manager.canRedo)
        group(manager) { counter.set(5) }
        #expect(!manager.canRedo)
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test func empty_groups_leave_no_trace() {
        let (manager, counter) = explicit()
        group(manager) { group(manager) {} }
        #expect(!manager.canUndo)
        group(manager) { counter.set(1) }
        manager.undo()
        group(manager) {}
        #expect(manager.canRedo)
    }

    @Test func an_event_ends_with_undo_or_an_explicit_group() {
        let manager = UndoManager()
        let counter = Counter(manager)
        counter.set(1)
        counter.set(2)
        #expect(manager.groupingLevel == 1 && manager.canUndo && manager.undoCount == 1)
        group(manager) { counter.set(3) }
        #expect(manager.groupingLevel == 0 && manager.undoCount == 2)
        counter.set(4)
        manager.undo()
        #expect(counter.value == 3)
        manager.undo()
        #expect(counter.value == 2)
        manager.undo()
        #expect(counter.value == 0)
        manager.redo()
        #expect(counter.value == 2)
    }

    @Test func undo_ends_a_single_open_group() {
        let (manager, counter) = explicit()
        manager.beginUndoGrouping()
        counter.set(1)
        manager.undo()
        #expect(counter.value == 0 && manager.groupingLevel == 0)
    }

    @Test func a_nested_group_can_be_undone_by_itself() {
        let (manager, counter) = explicit()
        manager.beginUndoGrouping()
        counter.set(1)
        group(manager) { counter.set(2) }
        manager.undoNestedGroup()
        #expect(counter.value == 1 && manager.groupingLevel == 1)
        manager.endUndoGrouping()
        #expect(manager.undoCount == 1)
        manager.undoNestedGroup()
        #expect(counter.value == 0)
    }

    @Test func levels_limit_both_stacks() {
        let (manager, counter) = explicit()
        manager.levelsOfUndo = 3
        for value in 1...5 { group(manager) { counter.set(value) } }
        #expect(manager.undoCount == 3)
        manager.levelsOfUndo = 2
        #expect(manager.undoCount == 2)
        manager.undo()
        manager.undo()
        #expect(counter.value == 3 && !manager.canUndo && manager.redoCount == 2)
        manager.levelsOfUndo = 1
        manager.redo()
        #expect(counter.value == 4 && !manager.canRedo)
    }

    @Test func disabled_registration_is_counted() {
        let (manager, counter) = explicit()
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        counter.set(1)
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled && !manager.canUndo)
        group(manager) { counter.set(2) }
        manager.undo()
        #expect(counter.value == 1)
    }

    @Test func actions_are_removed_together_or_by_target() {
        let (manager, one) = explicit()
        let two = Counter(manager)
        group(manager) { one.set(1) }
        group(manager) {
            one.set(2)
            group(manager) { two.set(2) }
        }
        manager.removeAllActions(withTarget: one)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(one.value == 2 && two.value == 0 && manager.canRedo)
        manager.disableUndoRegistration()
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo && manager.isUndoRegistrationEnabled)
    }

    @Test func a_target_is_not_kept_alive() {
        let (manager, _) = explicit()
        var counter: Counter? = Counter(manager)
        weak let reference = counter
        group(manager) { counter?.set(1) }
        counter = nil
        #expect(reference == nil)
        manager.undo()
        #expect(!manager.canUndo)
    }

    @Test func names_follow_their_group() {
        let (manager, counter) = explicit()
        group(manager) {
            counter.set(1)
            manager.setActionName("First")
        }
        group(manager) { counter.set(2) }
        #expect(manager.undoActionName == "" && manager.undoMenuItemTitle == "Undo")
        manager.setActionName("Second")
        #expect(manager.undoActionName == "Second" && manager.redoActionName == "")
        #expect(manager.undoMenuItemTitle == "Undo Second" && manager.redoMenuItemTitle == "Redo")
        manager.undo()
        #expect(manager.undoActionName == "First" && manager.redoActionName == "Second")
        #expect(manager.redoMenuItemTitle == "Redo Second")
        manager.redo()
        #expect(manager.undoActionName == "Second")
        manager.setActionName("")
        #expect(manager.undoMenuItemTitle == "Undo")
        #expect(manager.undoMenuTitle(forUndoActionName: "Typing") == "Undo Typing")
        #expect(manager.redoMenuTitle(forUndoActionName: "") == "Redo")
    }

    @Test func discardable_marks_follow_their_group() {
        let (manager, counter) = explicit()
        group(manager) { counter.set(1) }
        #expect(!manager.undoActionIsDiscardable)
        manager.setActionIsDiscardable(true)
        #expect(manager.undoActionIsDiscardable && !manager.redoActionIsDiscardable)
        manager.undo()
        #expect(manager.redoActionIsDiscardable && !manager.undoActionIsDiscardable)
    }

    @Test func states_tell_what_is_being_performed() {
        let (manager, counter) = explicit()
        var states: [[Bool]] = []
        func register() {
            manager.registerUndo(withTarget: counter) { _ in
                states.append([manager.isUndoing, manager.isRedoing])
                register()
            }
        }
        group(manager) { register() }
        manager.undo()
        manager.redo()
        manager.undo()
        #expect(states == [[true, false], [false, true], [true, false]])
        #expect(!manager.isUndoing && !manager.isRedoing)
    }
}
