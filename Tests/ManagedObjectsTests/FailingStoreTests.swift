// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Saves that the store refuses or cannot finish: nothing is half written, and the context goes on.
@Suite struct FailingStoreTests {
    private static let text = String(repeating: "x", count: 2_000)

    private func stack(limitedTo bytes: Int) throws -> Stack {
        let stack = try Stack(ItemModel.make())
        try stack.reopen { description in
            description.setOption(NSNumber(value: bytes), forKey: LodeSizeLimitOption)
        }
        return stack
    }

    @Test func a_read_only_store_refuses_a_save() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        let id = item.objectID.uriRepresentation()
        try stack.reopen { $0.isReadOnly = true }
        let context = stack.context
        let known = try #require(try context.all("Item").first)
        #expect(known.objectID.uriRepresentation() == id)
        known.setValue("b", forKey: "name")
        let new = context.make("Item", ["name": "c"])
        for _ in 0..<2 {
            #expect(code { try context.save() } == 134030)
            #expect(known.isUpdated && known.text("name") == "b" && new.isInserted)
        }
        #expect(try context.names("Item", "TRUEPREDICATE") == ["b", "c"])
        context.rollback()
        #expect(try context.names("Item", "TRUEPREDICATE") == ["a"])
        try context.save()
    }

    @Test func a_full_file_refuses_a_save_and_takes_the_next_one() throws {
        let stack = try stack(limitedTo: 1 << 20)
        let context = stack.context
        let kept = context.make("Item", ["name": "kept"])
        try context.save()
        kept.setValue("changed", forKey: "name")
        let many = (0..<2_000).map { context.make("Item", ["name": Self.text, "number": $0]) }
        for _ in 0..<2 {
            #expect(code { try context.save() } == 134070)
            #expect(context.insertedObjects.count == 2_000 && context.updatedObjects == [kept])
            #expect(many.allSatisfy { $0.objectID.isTemporaryID })
            #expect(
                try stack.container.newBackgroundContext().names("Item", "TRUEPREDICATE") == [
                    "kept"
                ])
        }
        for item in many.dropFirst(10) { context.delete(item) }
        try context.save()
        #expect(kept.text("name") == "changed" && !context.hasChanges)
        #expect(try stack.container.newBackgroundContext().count("Item") == 11)
    }

    @Test func a_full_file_has_room_for_deletions() throws {
        let stack = try stack(limitedTo: 1 << 20)
        let context = stack.context
        var saved = 0
        while true {
            for number in 0..<50 { context.make("Item", ["name": Self.text, "number": number]) }
            guard code({ try context.save() }) == nil else { break }
            saved += 50
        }
        context.rollback()
        #expect(saved > 100)
        #expect(try context.count("Item") == saved)
        for item in try context.all("Item").prefix(saved - 10) { context.delete(item) }
        try context.save()
        context.make("Item", ["name": "again"])
        try context.save()
        #expect(try stack.container.newBackgroundContext().count("Item") == 11)
    }

    @Test func a_full_disk_refuses_a_save_and_takes_the_next_one() async {
        await #expect(processExitsWith: .success) {
            let stack = try Stack(ItemModel.make())
            let context = stack.context
            let kept = context.make("Item", ["name": "kept"])
            try context.save()
            let attributes = try FileManager.default.attributesOfItem(atPath: stack.url.path)
            let size = try #require(attributes[.size] as? Int)
            // A file that may not grow fails as on a full disk, without one.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = UInt(size)
            precondition(setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0)
            kept.setValue("changed", forKey: "name")
            let text = String(repeating: "x", count: 2_000)
            for number in 0..<2_000 { context.make("Item", ["name": text, "number": number]) }
            for _ in 0..<2 {
                precondition(code { try context.save() } == 134070)
                precondition(context.insertedObjects.count == 2_000 && kept.isUpdated)
                let fresh = stack.container.newBackgroundContext()
                let names = try fresh.names("Item", "TRUEPREDICATE")
                precondition(names == ["kept"], "\(names)")
            }
            limit.rlim_cur = limit.rlim_max
            precondition(setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0)
            try context.save()
            precondition(!context.hasChanges)
            try stack.reopen()
            let count = try stack.context.count("Item")
            let changed = try stack.context.named("changed", "Item")
            precondition(count == 2_001 && changed != nil, "\(count)")
        }
    }

    @Test func an_object_of_another_context_cannot_be_saved_here() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let other = stack.container.newBackgroundContext()
            stack.context.insert(other.make("Item"))
        }
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(ItemModel.make())
            let other = stack.container.newBackgroundContext()
            stack.context.detectConflicts(for: other.make("Item"))
        }
    }

    @Test func a_context_without_store_says_so() throws {
        let model = ItemModel.make()
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let item = context.make("Item", ["name": "a"])
        #expect(code { try context.save() } == 134070)
        #expect(item.isInserted)
        try context.persistentStoreCoordinator?.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try context.save()
        #expect(!item.objectID.isTemporaryID)
    }
}
