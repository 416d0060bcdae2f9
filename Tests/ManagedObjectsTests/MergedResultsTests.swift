// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Controllers of a context whose unsaved changes a merge has to correct.
@Suite(.inBothPlaces) struct MergedResultsTests {
    private final class Mirror: NSObject, NSFetchedResultsControllerDelegate {
        var ids: [NSManagedObjectID] = []

        func controller(
            _ controller: AnyController,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) {
            ids = ids.applying(diff) ?? []
        }
    }

    @Test func a_window_beside_a_list() throws {
        let stack = try Stack(PeopleModel.make())
        let mine = stack.context
        let theirs = stack.container.newBackgroundContext()
        for (index, name) in ["a", "b", "c"].enumerated() {
            mine.make("Person", ["name": name, "age": index])
        }
        let department = mine.make("Department", ["name": "A"])
        try mine.save()
        let window = mine.controller("Person", by: ["age", "name"], limit: 2)
        let list = mine.controller("Person", by: ["age", "name"])
        let (recorder, mirror) = (ResultsRecorder(), Mirror())
        (window.delegate, list.delegate) = (recorder, mirror)
        for controller in [window, list] { try controller.performFetch() }
        mirror.ids = list.fetchedObjects?.map(\.objectID) ?? []
        let a = try #require(try mine.named("a", "Person"))
        a.setValue(department, forKey: "department")
        mine.processPendingChanges()
        try #require(try theirs.named("a", "Person")).setValue(1, forKey: "age")
        theirs.delete(try #require(try theirs.named("A", "Department")))
        let ids: [AnyHashable: Any] = [
            NSUpdatedObjectsKey: [a.objectID], NSDeletedObjectsKey: [department.objectID],
        ]
        try theirs.save()
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [mine])
        #expect(a.one("department") == nil && a.number("age") == 1)
        #expect(mirror.ids == list.fetchedObjects?.map(\.objectID))
        #expect(list.fetchedObjects?.map { $0.text("name") } == ["a", "b", "c"])
        #expect(window.fetchedObjects?.map { $0.text("name") } == ["a", "b"])
    }
}
