// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Testing

@testable import ManagedObjects

/// Objects for a predicate, which run a block once after they were read.
// Sendable because only the test's thread reads it.
final class GatedList: Collection, @unchecked Sendable {
    private let objects: [NSManagedObject]
    var gate: (() -> Void)?

    init(_ objects: [NSManagedObject]) { self.objects = objects }

    var startIndex: Int { 0 }
    var endIndex: Int {
        let gate = gate
        self.gate = nil
        gate?()
        return objects.count
    }

    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> NSManagedObject { objects[index] }

    func makeIterator() -> AnyIterator<NSManagedObject> {
        var index = 0
        return AnyIterator {
            guard index < self.objects.count else {
                _ = self.endIndex
                return nil
            }
            defer { index += 1 }
            // The key is read now, and the block runs before the next one is asked for.
            return self.objects[index]
        }
    }
}

/// The root saves between the moment in which a child reads the keys of a predicate's objects and
/// the moment in which the root is asked.
@Suite struct ChildPredicateKeyTests {
    private struct Family {
        let stack: Stack
        let root: NSManagedObjectContext
        let child: NSManagedObjectContext

        init() throws {
            stack = try Stack(ItemModel.make())
            root = stack.container.newBackgroundContext()
            child = Stack.child(of: root)
        }

        /// A new object of the root, as one of a context below it.
        func kept(in context: NSManagedObjectContext) throws -> NSManagedObject {
            root.performAndWait { _ = root.make("Item", ["name": "kept"]) }
            return try #require(try context.performAndWait { try context.named("kept", "Item") })
        }

        /// Saves the root on another thread.
        func saveRoot() {
            let root = UncheckedTransfer(root)
            OtherThread { root.value.performAndWait { _ = code { try root.value.save() } } }.join()
        }

        func request(
            _ format: String, _ list: GatedList
        ) -> NSFetchRequest<NSManagedObject> {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: format, argumentArray: [list])
            list.gate = saveRoot
            return request
        }
    }

    @Test(arguments: [1, 2]) func a_fetch_leaves_out_what_the_root_saves(depth: Int) throws {
        let family = try Family()
        let context = depth == 1 ? family.child : Stack.child(of: family.child)
        let kept = try family.kept(in: context)
        let list = GatedList([kept])
        try context.performAndWait {
            let request = family.request("NOT (SELF IN %@)", list)
            #expect(kept.objectID.isTemporaryID)
            let found = try context.fetch(request)
            #expect(found == [] && list.gate == nil && !kept.objectID.isTemporaryID)
        }
    }

    @Test func a_fetch_finds_what_the_root_saves() throws {
        let family = try Family()
        let child = family.child
        let kept = try family.kept(in: child)
        let list = GatedList([kept])
        try child.performAndWait {
            let found = try child.fetch(family.request("SELF IN %@", list))
            #expect(found == [kept] && list.gate == nil)
        }
    }

    @Test(arguments: [1, 2]) func a_count_leaves_out_what_the_root_saves(depth: Int) throws {
        let family = try Family()
        let context = depth == 1 ? family.child : Stack.child(of: family.child)
        let list = GatedList([try family.kept(in: context)])
        try context.performAndWait {
            let count = try context.count(for: family.request("NOT (SELF IN %@)", list))
            #expect(count == 0 && list.gate == nil)
        }
    }

    @Test func unsaved_changes_of_the_child_are_compared_by_the_same_keys() throws {
        let family = try Family()
        let child = family.child
        let kept = try family.kept(in: child)
        let list = GatedList([kept])
        try child.performAndWait {
            kept.setValue(5, forKey: "number")
            let new = child.make("Item", ["name": "new"])
            let found = try child.fetch(family.request("NOT (SELF IN %@)", list))
            #expect(
                found == [new] && list.gate == nil && !kept.objectID.isTemporaryID && kept.isUpdated
            )
        }
        let other = try Family()
        let changed = try other.kept(in: other.child)
        let again = GatedList([changed])
        try other.child.performAndWait {
            changed.setValue(5, forKey: "number")
            let found = try other.child.fetch(other.request("SELF IN %@", again))
            #expect(found == [changed] && again.gate == nil && !changed.objectID.isTemporaryID)
        }
    }

    @Test func a_dictionary_fetch_leaves_out_what_it_can_see() throws {
        let family = try Family()
        let child = family.child
        let kept = try family.kept(in: child)
        let list = GatedList([kept])
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name"]
        request.predicate = NSPredicate(format: "NOT (SELF IN %@)", argumentArray: [list])
        try child.performAndWait {
            list.gate = family.saveRoot
            let found = try child.fetch(request)
            #expect(found == [] && list.gate == nil)
            let again = try child.fetch(request)
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [list])
            let saved = try child.fetch(request)
            #expect(again == [] && saved == [["name": "kept"] as NSDictionary])
        }
    }

    @Test func the_root_does_not_save_while_a_batch_request_reads_its_predicate() throws {
        let family = try Family()
        let child = family.child
        let kept = try family.kept(in: child)
        let list = GatedList([kept])
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.predicate = NSPredicate(format: "NOT (SELF IN %@)", argumentArray: [list])
        request.propertiesToUpdate = ["name": "changed"]
        request.resultType = .updatedObjectsCountResultType
        let root = UncheckedTransfer(family.root)
        // Unsafe: the other thread has ended when it is read.
        nonisolated(unsafe) var entered: [Bool] = []
        list.gate = {
            OtherThread { entered.append(root.value.queue.lock.tryToEnter()) }.join()
        }
        let result = try child.performAndWait {
            try child.execute(request) as? NSBatchUpdateResult
        }
        #expect(entered == [false] && result?.result as? Int == 0)
        try family.root.performAndWait { try family.root.save() }
        let again = try child.performAndWait {
            try child.execute(request) as? NSBatchUpdateResult
        }
        #expect(again?.result as? Int == 0)
    }

    /// The store evaluates what it is given on the root's queue, by the root's keys.
    @Test(arguments: [1, 2], ["SELF IN %@", "NOT (SELF IN %@)"])
    func an_incremental_store_is_asked_by_the_keys_of_the_root(
        depth: Int, format: String
    ) throws {
        TableStore.register()
        let folder = try StoreFolder()
        let root = try folder.open([("books.table", nil)])
        let table = try #require(try folder.store("books.table") as? TableStore)
        let child = Stack.child(of: root)
        let context = depth == 1 ? child : Stack.child(of: child)
        root.performAndWait { _ = root.make("Author", ["name": "kept"]) }
        let kept = try #require(
            try context.performAndWait { try context.named("kept", "Author") })
        let there = UncheckedTransfer(root)
        let list = GatedList([kept])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.predicate = NSPredicate(format: format, argumentArray: [list])
        list.gate = {
            OtherThread {
                there.value.performAndWait { _ = code { try there.value.save() } }
            }.join()
        }
        table.predicates = []
        let names = format.hasPrefix("NOT") ? [] : ["kept"]
        try context.performAndWait {
            let found = try context.fetch(request)
            let count = try context.count(for: request)
            #expect(found.map { $0.text("name") } == names && count == names.count)
        }
        #expect(table.predicates.count == 2 && list.gate == nil)
        // What it is given holds nothing of the child.
        for predicate in table.predicates {
            #expect(predicate.map(PredicateConversion.hasUnsaved) == false)
        }
    }

    @Test func a_child_names_an_unsaved_object_whose_permanent_id_the_root_has_asked_for() throws {
        let family = try Family()
        let child = family.child
        let kept = try family.kept(in: child)
        try family.root.performAndWait {
            try family.root.obtainPermanentIDs(for: Array(family.root.insertedObjects))
        }
        try child.performAndWait {
            let same = try child.all("Item", NSPredicate(format: "SELF == %@", kept))
            let others = try child.all("Item", NSPredicate(format: "SELF != %@", kept))
            #expect(same == [kept] && others == [])
        }
    }

    @Test func no_round_of_many_loses_what_is_kept() throws {
        let family = try Family()
        let (root, child) = (UncheckedTransfer(family.root), family.child)
        for round in 0..<200 {
            let kept = try child.performAndWait {
                root.value.performAndWait { _ = root.value.make("Item", ["number": round]) }
                return try child.all("Item")
            }
            let saving = OtherThread {
                root.value.performAndWait { _ = code { try root.value.save() } }
            }
            try child.performAndWait {
                let rest = try child.all("Item", NSPredicate(format: "NOT (SELF IN %@)", kept))
                #expect(kept.count == round + 1 && rest == [], "round \(round)")
            }
            saving.join()
        }
    }
}
