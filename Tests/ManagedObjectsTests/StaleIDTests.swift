// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Objects made from temporary IDs that no object has any more.
@Suite struct StaleIDTests {
    @Test(arguments: [NSMergePolicy.error, .overwrite, .mergeByPropertyObjectTrump, .rollback])
    func writing_to_one_reaches_no_store(policy: NSMergePolicy) throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        context.mergePolicy = policy
        let id = context.make("Item", ["name": "a"]).objectID
        context.rollback()
        let ghost = context.object(with: id)
        #expect(ghost.text("name") == "-")
        ghost.setValue("b", forKey: "name")
        _ = code { try context.save() }
        context.rollback()
        #expect(try stack.reading { try $0.count("Item") } == 0)
        context.make("Item", ["name": "c"])
        try context.save()
        #expect(try stack.reading { try $0.names("Item", "TRUEPREDICATE") } == ["c"])
    }

    @Test func deleting_one_reaches_no_store() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        let id = context.make("Item", ["name": "a"]).objectID
        context.reset()
        context.delete(context.object(with: id))
        _ = code { try context.save() }
        context.rollback()
        context.make("Item", ["name": "c"])
        try context.save()
        #expect(try stack.reading { try $0.names("Item", "TRUEPREDICATE") } == ["c"])
    }
}
