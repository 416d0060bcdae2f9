// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Testing
import _TestSupport

@testable import ManagedObjects

/// Where a new object keeps the permanent key that it has before its save.
@Suite struct ReservedKeyTests {
    @Test func a_key_alone_needs_no_extras() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.obtainPermanentIDs(for: [item])
        #expect(!item.hasExtras && item.reservedKey != nil)
        // The ID is kept once it was asked for.
        let id = item.objectID
        #expect(!id.isTemporaryID && item.hasExtras && item.objectID === id)
        try stack.context.save()
        #expect(item.reservedKey == nil && item.objectID === id && item.key == id.key)
    }

    @Test func a_key_alone_is_that_of_the_saved_object() throws {
        let stack = try Stack(ItemModel.make())
        let items = (0..<3).map { stack.context.make("Item", ["name": "\($0)"]) }
        try stack.context.obtainPermanentIDs(for: Array(items[1...]))
        let keys = items.map(\.reservedKey)
        #expect(keys[0] == nil && keys[1] != nil && keys[2] != nil)
        // Before the save, as observers of its notification may ask for IDs, which are kept.
        #expect(items.allSatisfy { !$0.hasExtras })
        try stack.context.save()
        for (item, key) in zip(items, keys).dropFirst() {
            #expect(item.reservedKey == nil && item.key == key)
        }
        #expect(!items[0].key.isTemporary && items[0].key != keys[1] && items[0].key != keys[2])
        #expect(stack.context.invariantViolations() == [])
    }

    @Test func an_object_of_another_context_gets_no_id() throws {
        let stack = try Stack(ItemModel.make())
        let other = stack.container.newBackgroundContext()
        let item = stack.context.make("Item", ["name": "a"])
        try other.performAndWait { try other.obtainPermanentIDs(for: [item]) }
        #expect(item.reservedKey == nil && item.objectID.isTemporaryID)
    }

    @Test func a_key_goes_over_into_extras() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.obtainPermanentIDs(for: [item])
        let key = try #require(item.reservedKey)
        item.requireExtras().formerVersion = 0
        #expect(item.hasExtras && item.reservedKey == key && item.storedKey == key)
        try stack.context.save()
        #expect(item.reservedKey == nil && item.key == key)
    }

    @Test func a_temporary_id_still_leads_to_its_object() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        let id = item.objectID
        #expect(id.isTemporaryID)
        try stack.context.obtainPermanentIDs(for: [item])
        #expect(id.isTemporaryID && id != item.objectID && !item.objectID.isTemporaryID)
        #expect(stack.context.object(with: id) === item)
    }

    @Test func the_greatest_key_fits() {
        let word = SharedWord()
        #expect(word.reservedKey == nil && word.address == nil)
        let greatest = ObjectKey(entity: EntityNumber(rawValue: 65_535), row: 1 << 47 - 1)
        #expect(greatest.rawValue == 0xFFFF_7FFF_FFFF_FFFF)
        let keys = [ObjectKey(entity: EntityNumber(rawValue: 1), row: 1), greatest]
        for key in keys {
            #expect(word.keep(key))
            #expect(word.reservedKey == key && word.address == nil)
        }
        let address = word.require()
        #expect(word.reservedKey == greatest && word.address == address)
        // Extras keep the key from then on.
        #expect(!word.keep(keys[0]) && !word.forgetKey() && word.reservedKey == greatest)
        word.empty()
        #expect(word.reservedKey == nil && word.forgetKey())
        #expect(word.keep(keys[0]) && word.forgetKey())
        #expect(word.reservedKey == nil)
    }

    @Test func extras_that_many_threads_ask_for_are_made_once() async {
        let key = ObjectKey(entity: EntityNumber(rawValue: 3), row: 9)
        for _ in 0..<200 {
            let word = SharedWord()
            #expect(word.keep(key))
            let addresses = await withTaskGroup(of: UInt.self) { group in
                for _ in 0..<4 { group.addTask { word.require() } }
                #expect(word.reservedKey == key)
                return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
            }
            #expect(addresses.count == 1 && word.reservedKey == key)
            word.empty()
        }
    }

    @Test func objects_are_found_by_their_reserved_keys() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let items = (0..<70).map { context.make("Item", ["name": "\($0)"]) }
        try context.obtainPermanentIDs(for: Array(items[..<60]))
        // One look-up between reservations, and one of each afterwards.
        #expect(context.object(with: items[7].objectID) === items[7])
        try context.obtainPermanentIDs(for: Array(items[60...]))
        for item in items {
            #expect(context.object(with: item.objectID) === item)
            #expect(context.isInserted(item.storedKey))
        }
        let (key, id) = (items[3].storedKey, items[3].objectID)
        context.delete(items[3])
        context.processPendingChanges()
        #expect(!context.isInserted(key) && context.registeredObject(for: id) == nil)
        #expect(context.invariantViolations() == [])
        try context.save()
        #expect(items[4].reservedKey == nil)
        #expect(context.object(with: items[4].objectID) === items[4])
        #expect(try stack.container.newBackgroundContext().all("Item").count == 69)
    }

    @Test func objects_of_a_rolled_back_context_are_not_found() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let items = (0..<3).map { context.make("Item", ["name": "\($0)"]) }
        try context.obtainPermanentIDs(for: items)
        let ids = items.map(\.objectID)
        context.rollback()
        for id in ids {
            #expect(!context.isInserted(id.currentKey))
            #expect(context.registeredObject(for: id) == nil)
            let error = #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
            #expect(error?.code == .managedObjectReferentialIntegrity)
        }
        #expect(context.invariantViolations() == [])
    }
}

extension ReservedKeyTests {
    private func withTwoStores(
        _ body: (ShelfOfStores, NSPersistentStore, NSPersistentStore) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let shelf = try ShelfOfStores(directory)
            let first = try #require(shelf.coordinator.persistentStores.first)
            try body(shelf, first, try shelf.add("b.lode"))
        }
    }

    @Test func keys_are_those_of_their_stores() throws {
        try withTwoStores { shelf, first, second in
            let context = shelf.container.newBackgroundContext()
            let other = shelf.container.newBackgroundContext()
            try context.performAndWait {
                let books = (0..<4).map { context.make("Book", ["title": "\($0)", "year": 1]) }
                for index in [1, 3] { context.assign(books[index], to: second) }
                try other.performAndWait { try other.obtainPermanentIDs(for: books) }
                #expect(books.allSatisfy { $0.reservedKey == nil })
                try context.obtainPermanentIDs(for: books)
                let keys = books.map(\.storedKey)
                #expect(keys.map(\.isElsewhere) == [false, true, false, true])
                for book in books {
                    #expect(context.registeredObject(for: book.objectID) === book)
                }
                try context.save()
                #expect(books.map(\.key) == keys && books.allSatisfy { $0.reservedKey == nil })
                #expect(context.invariantViolations() == [])
            }
            for (store, titles) in [(first, ["0", "2"]), (second, ["1", "3"])] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.affectedStores = [store]
                try other.performAndWait {
                    let found = try other.fetch(request).map { $0.text("title") }
                    #expect(found.sorted() == titles)
                }
            }
        }
    }

    @Test func a_key_goes_with_its_store() throws {
        try withTwoStores { shelf, first, second in
            let context = shelf.container.newBackgroundContext()
            try context.performAndWait {
                let book = context.make("Book", ["title": "a", "year": 1])
                context.assign(book, to: second)
                try context.obtainPermanentIDs(for: [book])
                #expect(book.storedKey.isElsewhere)
                let lone = context.make("Book", ["title": "b", "year": 2])
                try context.obtainPermanentIDs(for: [lone])
                #expect(!lone.hasExtras && !lone.storedKey.isElsewhere)
                try shelf.coordinator.remove(first)
                _ = context.registeredObjects
                #expect(lone.reservedKey == nil)
                try context.save()
                #expect(lone.key.isTemporary == false && context.invariantViolations() == [])
            }
            let fresh = shelf.container.newBackgroundContext()
            try fresh.performAndWait {
                let found = try fresh.all("Book").map { $0.text("title") }
                #expect(found.sorted() == ["a", "b"])
            }
        }
    }
}

/// A word that threads share; objects are not for several.
private final class SharedWord: Sendable {
    private let word = ExtrasWord()

    var reservedKey: ObjectKey? { word.reservedKey }
    var address: UInt? { word.reference.map { UInt(bitPattern: $0.toOpaque()) } }

    func keep(_ key: ObjectKey) -> Bool { word.keep(key) }
    func forgetKey() -> Bool { word.forgetKey() }
    func require() -> UInt { UInt(bitPattern: word.require().toOpaque()) }
    func empty() { word.exchange(nil)?.release() }
}
