// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// The other ways to follow a controller, and what it answers.
@Suite struct FetchedResultsStyleTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(PeopleModel.make())
        for (name, age) in [("ann", 1), ("bob", 2), ("cid", 2)] {
            stack.context.make("Person", ["name": name, "age": age])
        }
        try stack.context.save()
    }

    private func named(_ name: String) throws -> NSManagedObject {
        try #require(try context.named(name, "Person"))
    }

    private final class Snapshots: NSObject, NSFetchedResultsControllerDelegate {
        var last: NSDiffableDataSourceSnapshotReference?
        var count = 0
        var others = 0

        func controller(
            _ controller: AnyController,
            didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
        ) {
            last = snapshot
            count += 1
        }

        func controllerDidChangeContent(_ controller: AnyController) { others += 1 }
    }

    @Test func a_snapshot_replaces_all_other_calls() throws {
        let (delegate, bob) = (Snapshots(), try named("bob"))
        let controller = context.controller("Person", by: ["age", "name"], sections: "age")
        controller.delegate = delegate
        try controller.performFetch()
        let first = try #require(delegate.last)
        bob.setValue("bert", forKey: "name")
        context.make("Person", ["name": "dan", "age": 3])
        context.processPendingChanges()
        let second = try #require(delegate.last)
        #expect(delegate.count == 2 && delegate.others == 0)
        #expect(first.sectionIdentifiers as? [String] == ["1", "2"])
        #expect(first.numberOfItems == 3 && first.numberOfItems(inSection: "2") == 2)
        #expect(second.sectionIdentifiers as? [String] == ["1", "2", "3"])
        #expect(second.reloadedItemIdentifiers as? [NSManagedObjectID] == [bob.objectID])
        #expect(second.index(ofItemIdentifier: bob.objectID) == 1)
        #expect(
            second.sectionIdentifier(forSectionContainingItemIdentifier: bob.objectID) as? String
                == "2")
        #expect(second.index(ofSectionIdentifier: "4") == NSNotFound)
    }

    @Test func a_snapshot_names_changed_objects_that_moved() throws {
        let (delegate, ann, cid) = (Snapshots(), try named("ann"), try named("cid"))
        let controller = context.controller("Person", by: ["age", "name"], sections: "age")
        controller.delegate = delegate
        try controller.performFetch()
        ann.setValue(2, forKey: "age")
        context.processPendingChanges()
        let intoSection = try #require(delegate.last)
        #expect(intoSection.reloadedItemIdentifiers as? [NSManagedObjectID] == [ann.objectID])
        cid.setValue("abe", forKey: "name")
        context.processPendingChanges()
        let insideSection = try #require(delegate.last)
        #expect(insideSection.reloadedItemIdentifiers as? [NSManagedObjectID] == [cid.objectID])
        #expect(insideSection.index(ofItemIdentifier: cid.objectID) == 0)
    }

    private final class Differences: NSObject, NSFetchedResultsControllerDelegate {
        var ids: [NSManagedObjectID] = []
        var updates = 0
        var others = 0

        func controller(
            _ controller: AnyController,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) {
            ids = ids.applying(diff) ?? []
            updates += 1
        }

        func controllerDidChangeContent(_ controller: AnyController) { others += 1 }
    }

    @Test func a_difference_leads_from_the_old_list_to_the_new_one() throws {
        let (delegate, ann, bob) = (Differences(), try named("ann"), try named("bob"))
        let controller = context.controller("Person", by: ["name"])
        controller.delegate = delegate
        try controller.performFetch()
        delegate.ids = controller.fetchedObjects?.map(\.objectID) ?? []
        ann.setValue("zoe", forKey: "name")
        bob.setValue(7, forKey: "age")
        context.make("Person", ["name": "aaa"])
        context.processPendingChanges()
        #expect(delegate.ids == controller.fetchedObjects?.map(\.objectID))
        #expect(controller.lines == [": aaa bob cid zoe"])
        context.delete(bob)
        context.processPendingChanges()
        #expect(delegate.ids == controller.fetchedObjects?.map(\.objectID))
        #expect(delegate.updates == 2 && delegate.others == 0)
    }

    @Test func a_difference_is_for_results_without_sections() throws {
        let delegate = Differences()
        let controller = context.controller("Person", by: ["age"], sections: "age")
        controller.delegate = delegate
        try controller.performFetch()
        context.make("Person")
        context.processPendingChanges()
        #expect(delegate.updates == 0 && delegate.others == 1)
    }

    @Test func a_sequence_carries_changes_to_other_tasks() async throws {
        var ids: [NSManagedObjectID] = []
        var sequence: FetchedResultsChanges?
        do {
            let controller = context.controller("Person", by: ["age", "name"], sections: "age")
            sequence = controller.changeSequence()
            try controller.performFetch()
            let ann = try named("ann")
            ann.setValue(5, forKey: "age")
            context.processPendingChanges()
            ids.append(ann.objectID)
        }
        var found: [FetchedResultsChange] = []
        for await change in try #require(sequence) { found.append(change) }
        #expect(found.map(\.isFetch) == [true, false])
        let last = try #require(found.last)
        #expect(
            last.sections.map { "\($0.type) \($0.name) \($0.index)" } == [
                "delete 1 0", "insert 5 1",
            ])
        let object = try #require(last.objects.first)
        #expect(object.objectID == ids[0] && object.type == .move)
        #expect(object.indexPath == IndexPath(row: 0, section: 0))
        #expect(object.newIndexPath == IndexPath(item: 0, section: 1))
    }

    @Test func index_paths_and_sections() throws {
        let controller = context.controller("Person", by: ["name"], sections: "name")
        #expect(controller.fetchedObjects == nil && controller.sections == nil)
        try controller.performFetch()
        let bob = try named("bob")
        #expect(controller.indexPath(forObject: bob) == [1, 0])
        #expect(controller.object(at: IndexPath(row: 0, section: 1)) === bob)
        #expect(controller.indexPath(forObject: context.make("Person")) == nil)
        #expect(controller.sectionIndexTitles == ["A", "B", "C"])
        #expect(controller.section(forSectionIndexTitle: "C", at: 2) == 2)
        #expect(controller.sections?[2].indexTitle == "C")
        var path = IndexPath(item: 3, section: 4)
        (path.row, path.section) = (5, 6)
        #expect(path == [6, 5] && path.item == 5)
    }

    @Test func results_have_the_type_of_the_controller() throws {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = AnyController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        let bob = try named("bob")
        #expect(controller.fetchedObjects?.count == 3)
        let second = controller.fetchedObjects?[1] as? NSManagedObject
        #expect(second === bob)
        context.delete(bob)
        context.processPendingChanges()
        #expect(controller.fetchedObjects?.count == 2)
        #expect((controller.fetchedObjects?[1] as? NSManagedObject)?.text("name") == "cid")
        context.reset()
        #expect(controller.fetchedObjects == nil)
    }

    @Test func without_a_section_key_path_there_is_one_section() throws {
        let all = context.controller("Tag", by: ["name"])
        try all.performFetch()
        #expect(all.sections?.count == 1 && all.sections?[0].numberOfObjects == 0)
        let sectioned = context.controller("Tag", by: ["name"], sections: "name")
        try sectioned.performFetch()
        #expect(sectioned.sections?.isEmpty == true)
    }

    @Test func without_a_delegate_nothing_is_followed() throws {
        let controller = context.controller("Person", by: ["name"])
        try controller.performFetch()
        context.make("Person", ["name": "x"])
        context.processPendingChanges()
        #expect(controller.lines == [": ann bob cid"])
    }

    @Test func sections_that_the_order_tears_apart_are_refused() throws {
        context.make("Person", ["name": "arn", "age": 2])
        let controller = context.controller("Person", by: ["name"], sections: "age")
        #expect(code { try controller.performFetch() } == nil)
        context.make("Person", ["name": "zed", "age": 1])
        #expect(code { try controller.performFetch() } == 134060)
    }
}
