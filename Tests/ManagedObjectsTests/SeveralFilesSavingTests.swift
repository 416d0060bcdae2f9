// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saves into two files of one coordinator.
@Suite struct SeveralFilesSavingTests {
    @Test func a_read_only_file_refuses_changes_and_the_other_takes_them() throws {
        let folder = try StoreFolder()
        let context = try folder.shipped()
        let emma = try #require(
            try context.all("Book", NSPredicate(format: "title == 'Emma'")).first)
        emma.setValue(1816, forKey: "year")
        #expect(code { try context.save() } == 134030)
        #expect(emma.isUpdated && emma.number("year") == 1816)
        context.rollback()
        #expect(emma.number("year") == 1815)
        context.make("Book", ["title": "New"])
        try context.save()
        #expect(try context.count("Book") == 4)
    }

    @Test func new_objects_go_where_they_are_assigned_or_related() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let (first, second) = (try folder.store("a.lode"), try folder.store("b.lode"))
        let free = context.make("Author", ["name": "free"])
        let assigned = context.make("Author", ["name": "assigned"])
        context.assign(assigned, to: second)
        let related = context.make("Book", ["title": "related"])
        related.setValue(assigned, forKey: "author")
        try context.save()
        #expect(free.objectID.persistentStore === first)
        #expect(assigned.objectID.persistentStore === second)
        #expect(related.objectID.persistentStore === second)
        // Related to an object that is saved already.
        let later = context.make("Book", ["title": "later"])
        later.setValue(assigned, forKey: "author")
        try context.obtainPermanentIDs(for: [later])
        #expect(later.objectID.persistentStore === second && later.isInserted)
        let id = later.objectID
        try context.save()
        #expect(later.objectID == id)
        #expect(assigned.many("books") == [related, later])
        #expect(
            try folder.makeContext().values("title", of: "Book", in: [second])
                == ["later", "related"])
    }

    @Test func a_relationship_between_files_fails_the_save() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let author = context.make("Author", ["name": "one"])
        let book = context.make("Book", ["title": "two"])
        context.assign(author, to: try folder.store("a.lode"))
        context.assign(book, to: try folder.store("b.lode"))
        book.setValue(author, forKey: "author")
        do {
            try context.save()
            Issue.record("the save should fail")
        } catch let error as CocoaError {
            #expect(error.errorCode == 133010)
            #expect(error.affectedObjects?.count == 2 && error.affectedStores?.count == 2)
        }
        #expect(author.isInserted && book.isInserted)
        book.setValue(nil, forKey: "author")
        try context.save()
        #expect(try folder.makeContext().count("Book") == 1)
    }

    @Test func changes_of_objects_of_both_files_are_saved_and_merged() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let second = try folder.store("b.lode")
        let here = context.make("Book", ["title": "here", "cover": Data(count: 5_000)])
        let there = context.make("Book", ["title": "there", "cover": Data(count: 6_000)])
        let next = context.make("Book", ["title": "next"])
        let last = context.make("Book", ["title": "last"])
        for object in [there, next, last] { context.assign(object, to: second) }
        there.setValue(NSOrderedSet(array: [last, next]), forKey: "sequels")
        try context.save()
        let other = folder.makeContext()
        other.automaticallyMergesChangesFromParent = true
        let twin = other.object(with: there.objectID)
        #expect(twin.text("title") == "there")
        #expect((twin.value(forKey: "cover") as? Data)?.count == 6_000)
        let sequels = (twin.value(forKey: "sequels") as? NSOrderedSet)?.array ?? []
        #expect(sequels.map { ($0 as? NSManagedObject)?.text("title") } == ["last", "next"])
        here.setValue("HERE", forKey: "title")
        there.setValue("THERE", forKey: "title")
        there.setValue(NSOrderedSet(array: [last]), forKey: "sequels")
        context.delete(next)
        try context.save()
        #expect(!context.hasChanges && there.text("title") == "THERE")
        other.performAndWait {}
        #expect(twin.text("title") == "THERE")
        #expect(try other.values("title", of: "Book") == ["HERE", "THERE", "last"])
        let left = (twin.value(forKey: "sequels") as? NSOrderedSet)?.array ?? []
        #expect(left.map { ($0 as? NSManagedObject)?.text("title") } == ["last"])
    }

    @Test func others_changes_conflict_in_each_file() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let object = context.make("Note", ["text": "first", "number": 1])
        context.assign(object, to: try folder.store("b.lode"))
        try context.save()
        let other = folder.makeContext()
        let twin = other.object(with: object.objectID)
        #expect(twin.text("text") == "first")
        object.setValue("mine", forKey: "text")
        try context.save()
        twin.setValue("theirs", forKey: "text")
        #expect(code { try other.save() } == 133020)
        #expect(twin.isUpdated && twin.text("text") == "theirs")
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try other.save()
        context.refresh(object, mergeChanges: true)
        #expect(object.text("text") == "theirs" && object.number("number") == 1)
        object.setValue("again", forKey: "text")
        try context.save()
        other.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        twin.setValue("lost", forKey: "text")
        twin.setValue(9, forKey: "number")
        try other.save()
        #expect(twin.text("text") == "again" && twin.number("number") == 9)
    }

    @Test func constraints_hold_within_each_file() throws {
        let folder = try StoreFolder()
        let context = try folder.open(
            [("a.lode", nil), ("b.lode", nil)], model: LibraryModel.make(isUnique: true))
        let second = try folder.store("b.lode")
        context.make("Note", ["text": "same"])
        let there = context.make("Note", ["text": "same"])
        context.assign(there, to: second)
        try context.save()
        let double = context.make("Note", ["text": "same", "number": 7])
        context.assign(double, to: second)
        #expect(code { try context.save() } == 133021)
        #expect(double.isInserted && double.text("text") == "same")
        context.mergePolicy = NSMergePolicy.overwrite
        try context.save()
        let fresh = folder.makeContext()
        #expect(try fresh.values("text", of: "Note") == ["same", "same"])
        let notes = try fresh.all("Note", NSPredicate(format: "number == 7"))
        #expect(notes.map { $0.objectID.persistentStore } == [second])
    }
}
