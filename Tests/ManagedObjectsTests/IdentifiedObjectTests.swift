// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// References that take the place of objects in sets: the two kinds of set are the same bits.
@Suite struct IdentifiedObjectTests {
    private func items(_ count: Int) throws -> (stack: Stack, items: [NSManagedObject]) {
        let stack = try Stack(ItemModel.make())
        return (stack, (0..<count).map { stack.context.make("Item", ["number": $0]) })
    }

    @Test(arguments: [0, 1, 2, 7, 100]) func a_set_of_references_is_a_set_of_the_objects(
        count: Int
    ) throws {
        let (stack, items) = try items(count)
        let references = IdentifiedObject.set(of: items)
        let objects = unsafeBitCast(references, to: Set<NSManagedObject>.self)
        #expect(objects == Set(items) && objects.count == count)
        for item in items { #expect(objects.contains(item)) }
        let other = stack.context.make("Item")
        #expect(!objects.contains(other))
        #expect(objects.union([other]).count == count + 1)
    }

    @Test func an_object_that_comes_twice_counts_once() throws {
        let (stack, items) = try items(3)
        defer { withExtendedLifetime(stack) {} }
        let references = IdentifiedObject.set(of: items + items + [items[1]])
        #expect(references.count == 3)
        #expect(unsafeBitCast(references, to: Set<NSManagedObject>.self) == Set(items))
    }

    @Test func references_hash_as_their_objects_do() throws {
        let (stack, items) = try items(2)
        defer { withExtendedLifetime(stack) {} }
        for item in items {
            let reference = try #require(IdentifiedObject.set(of: [item]).first)
            var (left, right) = (Hasher(), Hasher())
            reference.hash(into: &left)
            item.hash(into: &right)
            #expect(left.finalize() == right.finalize())
        }
        let first = IdentifiedObject.set(of: [items[0]]).first
        #expect(first != IdentifiedObject.set(of: [items[1]]).first)
        #expect(first == IdentifiedObject.set(of: [items[0]]).first)
    }
}
