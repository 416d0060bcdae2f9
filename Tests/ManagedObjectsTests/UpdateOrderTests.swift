// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Notes each save of itself.
final class UpdateOrderItem: NSManagedObject {
    var saves: [Int] = []

    override func didSave() {
        super.didSave()
        saves.append(number("number"))
    }
}

/// Saves of updated objects whose order is not that of their keys.
@Suite(.inBothPlaces) struct UpdateOrderTests {
    private func stack() throws -> Stack {
        func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
            Build.entity(
                name,
                [
                    Build.attribute("name"),
                    Build.attribute("number", .integer64AttributeType, default: 0),
                ], class: type)
        }
        return try Stack(
            Build.model(
                entity("Item", UpdateOrderItem.self), entity("Other", NSManagedObject.self)))
    }

    private func numbers(_ stack: Stack, _ entity: String) throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try stack.context.fetch(request).map { $0.number("number") }
    }

    /// Inserts objects whose names sort as their rows do.
    private func fill(_ stack: Stack, _ entity: String, _ count: Int) throws -> [NSManagedObject] {
        let objects = (0..<count).map {
            stack.context.make(entity, ["name": String(format: "%04d", $0)])
        }
        try stack.context.save()
        return objects
    }

    @Test(arguments: [5, 150])
    func entities_and_rows_in_any_order(count: Int) throws {
        let stack = try stack()
        let items = try fill(stack, "Item", count)
        let others = try fill(stack, "Other", count)
        for index in (0..<count).reversed() {
            items[index].setValue(index + 1, forKey: "number")
            others[index].setValue(-index, forKey: "number")
        }
        try stack.context.save()
        try stack.reopen()
        #expect(try numbers(stack, "Item") == (0..<count).map { $0 + 1 })
        #expect(try numbers(stack, "Other") == (0..<count).map { -$0 })
    }

    /// Texts that grow and shrink move records between pages while the cursor goes on.
    @Test func records_change_their_size() throws {
        let stack = try stack()
        let items = try fill(stack, "Item", 300)
        for index in stride(from: 299, through: 0, by: -2) {
            let size = [40, 1_500, 6_000, 900][index / 2 % 4]
            let name = String(format: "%04d", index) + String(repeating: "x", count: size)
            items[index].setValue(name, forKey: "name")
        }
        for index in stride(from: 0, through: 298, by: 2) {
            items[index].setValue(index, forKey: "number")
        }
        try stack.context.save()
        try stack.reopen()
        let names = try stack.context.names("Item", "TRUEPREDICATE").sorted()
        #expect(names.map { String($0.prefix(4)) } == (0..<300).map { String(format: "%04d", $0) })
        #expect(Array(names.prefix(4).map(\.count)) == [4, 44, 4, 1_504])
        #expect(try numbers(stack, "Item").prefix(5) == [0, 0, 2, 0, 4])
    }

    @Test func changes_that_were_dropped_and_made_again_are_saved_once() throws {
        let stack = try stack()
        let context = stack.context
        let items = try #require(try fill(stack, "Item", 3) as? [UpdateOrderItem])
        for item in items { item.saves = [] }
        items[2].setValue(1, forKey: "number")
        items[1].setValue(2, forKey: "number")
        context.refresh(items[2], mergeChanges: false)
        items[0].setValue(3, forKey: "number")
        items[2].setValue(4, forKey: "number")
        try context.save()
        #expect(items.map(\.saves) == [[3], [2], [4]])
        #expect(try numbers(stack, "Item") == [3, 2, 4])
    }

    @Test func changes_that_were_dropped_are_not_saved() throws {
        let stack = try stack()
        let context = stack.context
        let items = try #require(try fill(stack, "Item", 3) as? [UpdateOrderItem])
        for item in items { item.saves = [] }
        for (index, item) in items.enumerated() { item.setValue(index + 1, forKey: "number") }
        context.refresh(items[1], mergeChanges: false)
        try context.save()
        #expect(items.map(\.saves) == [[1], [], [3]])
        #expect(try numbers(stack, "Item") == [1, 0, 3])
    }
}
