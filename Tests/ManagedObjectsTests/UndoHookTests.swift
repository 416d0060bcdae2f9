// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Notes what it is told, and upper-cases what its accessor is given.
final class SnapshotItem: NSManagedObject {
    var events: [NSSnapshotEventType] = []
    var accessorCalls = 0
    private(set) var awakenings = 0

    override func awakeFromInsert() {
        super.awakeFromInsert()
        awakenings += 1
        setPrimitiveValue("born", forKey: "name")
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        events.append(flags)
        setValue("awake", forKey: "cache")
    }

    override func setValue(_ value: Any?, forKey key: String) {
        accessorCalls += 1
        super.setValue(value, forKey: key)
    }

    static func model() -> NSManagedObjectModel {
        let cache = Build.attribute("cache")
        cache.isTransient = true
        return Build.model(
            Build.entity("Item", [Build.attribute("name"), cache], class: SnapshotItem.self))
    }
}

@Suite(.inBothPlaces) struct UndoHookTests {
    private func item() throws -> (Stack, SnapshotItem) {
        let stack = try Stack(SnapshotItem.model())
        stack.context.undoManager = UndoManager()
        return (stack, try #require(stack.context.make("Item") as? SnapshotItem))
    }

    @Test func objects_are_told_what_was_undone() throws {
        let (stack, item) = try item()
        let context = stack.context
        context.undo()
        #expect(item.events == [.undoInsertion] && item.awakenings == 1)
        context.redo()
        #expect(item.events == [.undoInsertion, .undoDeletion] && item.awakenings == 1)
        item.setValue("x", forKey: "name")
        item.accessorCalls = 0
        context.undo()
        #expect(item.events.last == .undoUpdate && item.text("name") == "born")
        #expect(item.accessorCalls == item.events.count - 2)
        try context.save()
        context.delete(item)
        context.undo()
        #expect(item.events.last == .undoDeletion && item.awakenings == 1)
        item.setValue("y", forKey: "name")
        context.rollback()
        #expect(item.events.last == .rollback)
        item.setValue("z", forKey: "name")
        context.refresh(item, mergeChanges: true)
        #expect(item.events.last == .refresh && item.text("cache") == "awake")
    }

    @Test func primitive_setters_are_not_undone() throws {
        let (stack, item) = try item()
        let context = stack.context
        try context.save()
        context.undoManager?.removeAllActions()
        item.setPrimitiveValue("quiet", forKey: "name")
        context.processPendingChanges()
        #expect(context.undoManager?.canUndo == false)
        item.setValue("cached", forKey: "cache")
        item.setPrimitiveValue("still", forKey: "name")
        context.undo()
        #expect(item.text("name") == "still")
    }

    @Test func undo_is_announced_like_any_change() throws {
        let (stack, item) = try item()
        let context = stack.context
        context.processPendingChanges()
        let recorder = ChangeRecorder(context)
        context.undo()
        #expect(recorder.take() == [["deleted": [item]]])
        context.redo()
        #expect(recorder.take() == [["inserted": [item]]])
        item.setValue("x", forKey: "name")
        try context.save()
        _ = recorder.take()
        context.undo()
        #expect(recorder.take() == [["updated": [item]]])
        context.delete(item)
        context.processPendingChanges()
        _ = recorder.take()
        context.undo()
        #expect(recorder.take() == [["inserted": [item]]])
    }
}
