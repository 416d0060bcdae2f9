// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saves that a context merges in another order than they were committed, or behind a save of its
/// own: what the file has counts, not the order in which it was told.
@Suite(.inBothPlaces) struct LateMergeTests {
    private typealias Names = (mine: [String], results: [String], children: [String])

    /// A context whose items a controller follows, one that saves, and a child that merges.
    private struct Scene {
        let pair: ConflictPair
        let child: NSManagedObjectContext
        let results: NSFetchedResultsController<NSManagedObject>
        let childResults: NSFetchedResultsController<NSManagedObject>
        let recorder = ResultsRecorder()
        let childRecorder = ResultsRecorder()

        init(_ names: [String]) throws {
            pair = try ConflictPair(names, policy: NSMergePolicy.mergeByPropertyObjectTrump)
            child = Stack.child(of: pair.context)
            child.automaticallyMergesChangesFromParent = true
            results = pair.context.controller("Item", by: ["name"])
            childResults = child.controller("Item", by: ["name"])
            (results.delegate, childResults.delegate) = (recorder, childRecorder)
            try results.performFetch()
            try child.performAndWait { try childResults.performFetch() }
        }

        /// Has the other context change an object and then delete it, in a save each.
        ///
        /// - Returns: The object here.
        func changeAndDeleteTheirs(_ name: String) throws -> NSManagedObject {
            let (mine, theirs) = (pair.mine(name), pair.theirs(name))
            theirs.setValue(7, forKey: "number")
            try pair.other.save()
            pair.other.delete(theirs)
            try pair.other.save()
            return mine
        }

        func merge(_ key: String, _ object: NSManagedObject) {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [key: [object.objectID]], into: [pair.context])
        }

        /// What a fetch finds, and what the controllers of the context and of its child have.
        func names() throws -> Names {
            let children = child.performAndWait {
                childResults.fetchedObjects?.map { $0.text("name") } ?? []
            }
            return (
                try pair.context.names("Item", "name != nil"),
                results.fetchedObjects?.map { $0.text("name") } ?? [], children
            )
        }
    }

    @Test func an_older_deletion_of_what_was_written_anew_here() throws {
        let scene = try Scene(["a", "b"])
        let (mine, theirs) = (scene.pair.mine("a"), scene.pair.theirs("a"))
        scene.pair.other.delete(theirs)
        try scene.pair.other.save()
        mine.setValue(7, forKey: "number")
        try scene.pair.context.save()
        scene.merge(NSDeletedObjectsKey, mine)
        #expect(mine.managedObjectContext === scene.pair.context && !mine.isDeleted)
        #expect(try scene.pair.context.existingObject(with: mine.objectID) === mine)
        #expect(mine.number("number") == 7)
        #expect(try scene.names() == (["a", "b"], ["a", "b"], ["a", "b"]))
    }

    @Test func an_older_deletion_of_what_another_context_wrote_anew() throws {
        let scene = try Scene(["a", "b"])
        let (mine, theirs) = (scene.pair.mine("a"), scene.pair.theirs("a"))
        let third = scene.pair.stack.container.newBackgroundContext()
        third.mergePolicy = NSMergePolicy.overwrite
        let copy = try third.existingObject(with: mine.objectID)
        scene.pair.other.delete(theirs)
        try scene.pair.other.save()
        copy.setValue(7, forKey: "number")
        try third.save()
        mine.setValue("c", forKey: "name")
        scene.merge(NSUpdatedObjectsKey, mine)
        scene.merge(NSDeletedObjectsKey, mine)
        #expect(mine.managedObjectContext === scene.pair.context && !mine.isDeleted)
        #expect(mine.number("number") == 7 && mine.text("name") == "c" && mine.hasChanges)
        try scene.pair.context.save()
        #expect(try scene.names() == (["b", "c"], ["b", "c"], ["b", "c"]))
    }

    @Test(arguments: [NSInsertedObjectsKey, NSUpdatedObjectsKey])
    func an_older_save_of_what_was_deleted_since(_ key: String) throws {
        let scene = try Scene(["a", "b"])
        let mine = try scene.changeAndDeleteTheirs("a")
        scene.merge(NSDeletedObjectsKey, mine)
        scene.merge(key, mine)
        #expect(try scene.names() == (["b"], ["b"], ["b"]))
    }

    @Test func an_update_that_brings_the_news_of_a_deletion() throws {
        let scene = try Scene(["a", "b"])
        let mine = try scene.changeAndDeleteTheirs("a")
        scene.merge(NSUpdatedObjectsKey, mine)
        #expect(try scene.names() == (["b"], ["b"], ["b"]))
        scene.merge(NSDeletedObjectsKey, mine)
        #expect(mine.managedObjectContext == nil)
        #expect(try scene.names() == (["b"], ["b"], ["b"]))
    }

    @Test func saves_of_several_threads_reach_the_results() throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.automaticallyMergesChangesFromParent = true
        let results = context.controller("Item", by: ["name"])
        let recorder = ResultsRecorder()
        try context.performAndWait {
            results.delegate = recorder
            try results.performFetch()
        }
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            let writer = NSManagedObjectContext(.privateQueue)
            writer.persistentStoreCoordinator = coordinator
            writer.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            for round in 0..<25 {
                writer.performAndWait {
                    let found = (try? writer.all("Item")) ?? []
                    writer.make("Item", ["name": "\(number) \(round)"])
                    if found.count > 4, let first = found.first { writer.delete(first) }
                    found.last?.setValue(round, forKey: "number")
                    do { try writer.save() } catch { Issue.record(error) }
                }
            }
        }
        try context.performAndWait {
            let found = try context.names("Item", "name != nil")
            #expect(results.fetchedObjects?.map { $0.text("name") } == found)
        }
    }
}
