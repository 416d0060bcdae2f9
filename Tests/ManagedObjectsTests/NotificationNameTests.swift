// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Sets of objects are made for observers only, and those have named their notification.
@Suite struct NotificationNameTests {
    // A process of its own: other tests name notifications, which counts for the whole process.
    @Test func notifications_begin_once_they_are_named() async {
        await #expect(processExitsWith: .success) {
            let stack = try Stack(ItemModel.make())
            let context = stack.context
            // Posted and read on this thread.
            nonisolated(unsafe) var names: [String] = []
            let token = NotificationCenter.default.addObserver(
                forName: nil, object: context, queue: nil
            ) { names.append($0.name.rawValue) }
            let one = context.make("Item")
            try context.save()
            precondition(names.isEmpty, "\(names)")

            let wills = SetRecorder(.NSManagedObjectContextWillSave, context)
            one.setValue("will", forKey: "name")
            try context.save()
            precondition(names == ["NSManagingContextWillSaveChangesNotification"], "\(names)")
            precondition(wills.sets == [[:]], "\(wills.sets)")

            let saves = SetRecorder(.NSManagedObjectContextDidSave, context)
            one.setValue("a", forKey: "name")
            let two = context.make("Item")
            try context.save()
            precondition(saves.sets == [["inserted": [two], "updated": [one]]], "\(saves.sets)")

            let changes = SetRecorder(.NSManagedObjectContextObjectsDidChange, context)
            two.setValue("b", forKey: "name")
            let three = context.make("Item")
            try context.save()
            let sets: [String: Set<NSManagedObject>] = ["inserted": [three], "updated": [two]]
            precondition(changes.sets == [sets], "\(changes.sets)")
            precondition(saves.sets.count == 2 && saves.sets.last == sets, "\(saves.sets)")
            NotificationCenter.default.removeObserver(token)
        }
    }
}
