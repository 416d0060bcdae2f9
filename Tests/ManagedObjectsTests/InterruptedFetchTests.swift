// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

/// Fetches of all objects that come upon a damaged record, after they have made objects.
@Suite struct InterruptedFetchTests {
    /// A stack with 200 items, of which the record of one row is cut to a few bytes.
    private func damaged(row: UInt64) throws -> Stack {
        let stack = try Stack(ItemModel.make())
        for number in 1...200 {
            stack.context.make("Item", ["name": "\(number)", "number": number])
        }
        try stack.context.save()
        try stack.replace { bytes in
            #expect(cutRecord(of: row, in: &bytes) > 0)
        }
        return stack
    }

    /// The first row, the last of a batch, the first of one, some in the third, and the last row.
    @Test(arguments: [1, 32, 33, 64, 65, 70, 96, 97, 200] as [UInt64])
    func theErrorIsThrownAndTheContextStaysUsable(row: UInt64) throws {
        let stack = try damaged(row: row)
        let context = stack.context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        for _ in 0..<3 {
            let error = #expect(throws: (any Error).self) { _ = try context.fetch(request) }
            #expect("\(String(describing: error))".contains("row \(row) of Item has 4 bytes"))
        }
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        #expect(try context.count(for: request) == 200)
        // The ones before are found by a limit.
        if row > 1 {
            request.fetchLimit = Int(row) - 1
            let objects = try context.fetch(request)
            #expect(objects.map { $0.number("number") } == Array(1..<Int(row)))
            // Now they are at hand, and the error comes again.
            request.fetchLimit = 0
            #expect(throws: (any Error).self) { _ = try context.fetch(request) }
            #expect(context.registeredObjects == Set(objects))
            #expect(objects.map { $0.number("number") } == Array(1..<Int(row)))
            objects[0].setValue(-7, forKey: "number")
            #expect(throws: (any Error).self) { _ = try context.fetch(request) }
            try context.save()
            #expect(objects[0].number("number") == -7)
        }
        let new = context.make("Item", ["name": "new", "number": 201])
        try context.save()
        let id = new.objectID
        context.reset()
        #expect(try context.existingObject(with: id).text("name") == "new")
    }

    /// Objects that the program holds, of batches before and behind, are the same ones afterwards.
    @Test(arguments: [true, false])
    func objectsThatAreHeldStay(isFaulted: Bool) throws {
        let stack = try damaged(row: 70)
        let context = stack.container.newBackgroundContext()
        try context.performAndWait {
            let held = try [3, 40, 65, 90, 199].map { number in
                try #require(
                    try context.all("Item", NSPredicate(format: "SELF == %@", id(number, context)))
                        .first)
            }
            for object in held { #expect(object.text("name") != "-") }
            if isFaulted { for object in held { context.refresh(object, mergeChanges: false) } }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            #expect(throws: (any Error).self) { _ = try context.fetch(request) }
            #expect(context.registeredObjects == Set(held))
            #expect(held.allSatisfy { $0.isFault == isFaulted })
            #expect(held.map { $0.number("number") } == [3, 40, 65, 90, 199])
            #expect(try context.existingObject(with: held[1].objectID) === held[1])
        }
    }

    private func id(_ row: Int, _ context: NSManagedObjectContext) throws -> NSManagedObjectID {
        let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
        let uuid = try #require(store.identifier)
        let url = try #require(URL(string: "x-coredata://\(uuid)/Item/p\(row)"))
        return try #require(
            context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url))
    }

    /// A child asks its parent, which makes the objects.
    @Test func aChildThrowsAndStaysUsable() throws {
        let stack = try damaged(row: 70)
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        try child.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            #expect(throws: (any Error).self) { _ = try child.fetch(request) }
            #expect(child.registeredObjects.isEmpty)
            request.fetchLimit = 69
            #expect(try child.fetch(request).map { $0.number("number") } == Array(1...69))
            child.make("Item", ["number": 201])
            // With pending changes too.
            request.fetchLimit = 0
            #expect(throws: (any Error).self) { _ = try child.fetch(request) }
            try child.save()
        }
        try root.performAndWait { try root.save() }
    }
}

/// Cuts the records of a row in a data file to 4 bytes.
///
/// - Returns: The number of places: later commits leave copies of what they replaced.
private func cutRecord(of row: UInt64, in bytes: inout [UInt8]) -> Int {
    // No flags, and a key of 8 bytes.
    let head: [UInt8] = [0, 0, 8, 0] + (0..<8).map { UInt8(truncatingIfNeeded: row >> (8 * $0)) }
    var places = 0
    for start in 4..<bytes.count - head.count
    where bytes[start..<start + head.count].elementsEqual(head) && bytes[start - 4] > 16 {
        bytes.replaceSubrange(start - 4..<start, with: [4, 0, 0, 0])
        places += 1
    }
    return places
}
