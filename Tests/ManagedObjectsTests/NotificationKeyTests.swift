// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A key of a notification is absent when nothing falls under it.
@Suite struct NotificationKeyTests {
    @Test func each_kind_of_change_has_its_key_alone() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let changes = ChangeRecorder(context)
        let saves = ChangeRecorder(context, .NSManagedObjectContextDidSave)
        let item = context.make("Item")
        try context.save()
        #expect(changes.take() == [["inserted": [item]]] && saves.take() == [["inserted": [item]]])
        item.setValue("a", forKey: "name")
        try context.save()
        #expect(changes.take() == [["updated": [item]]] && saves.take() == [["updated": [item]]])
        context.refresh(item, mergeChanges: false)
        context.processPendingChanges()
        #expect(changes.take() == [["refreshed": [item]]])
        _ = try context.all("Item").map { $0.text("name") }
        try context.save()
        #expect(changes.take().isEmpty && saves.take() == [[:]])
        context.delete(item)
        try context.save()
        #expect(changes.take() == [["deleted": [item]]] && saves.take() == [["deleted": [item]]])
    }
}
