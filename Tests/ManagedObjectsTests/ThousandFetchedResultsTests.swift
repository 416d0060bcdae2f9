// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A thousand controllers on one context, each with many objects of its own.
@Suite struct ThousandFetchedResultsTests {
    private static let controllerCount = 1_000
    #if DEBUG
        // A million objects take minutes without the optimiser.
        private static let objectCount = 100
    #else
        private static let objectCount = 1_000
    #endif
    private let stack: Stack
    private let recorder = ResultsRecorder()
    private let controllers: [ObjectController]

    init() throws {
        let item = Build.entity(
            "Item",
            [
                Build.attribute("name", .integer64AttributeType),
                Build.attribute("number", .integer64AttributeType),
            ])
        Build.index(item, "number")
        stack = try Stack(Build.model(item))
        let all = Self.controllerCount * Self.objectCount
        var row = 0
        let insertion = NSBatchInsertRequest(entityName: "Item") { (object: NSManagedObject) in
            if row == all { return true }
            object.setValue(row, forKey: "name")
            object.setValue(row % Self.controllerCount, forKey: "number")
            row += 1
            return false
        }
        try stack.context.execute(insertion)
        controllers = try (0..<Self.controllerCount).map { [stack, recorder] number in
            let controller = stack.context.controller(
                "Item", by: ["name"], where: "number == \(number)")
            controller.delegate = recorder
            try controller.performFetch()
            return controller
        }
    }

    /// The controllers that were asked about an object.
    private var asked: [Int] { controllers.indices.filter { controllers[$0].questionCount > 0 } }

    @Test func a_save_of_one_object_touches_the_controllers_that_it_concerns() throws {
        let context = stack.context
        #expect(controllers.allSatisfy { $0.fetchedObjects?.count == Self.objectCount })
        #expect(context.registeredObjects.count == Self.controllerCount * Self.objectCount)
        let object = controllers[207].object(at: IndexPath(item: 3, section: 0))
        #expect(object.number("name") == 3_207 && object.number("number") == 207)
        object.setValue(5_000_000, forKey: "name")
        try context.save()
        let last = Self.objectCount - 1
        #expect(recorder.take() == ["will", "move - 0.3 0.\(last)", "did"])
        #expect(asked == [207])
        object.setValue(600, forKey: "number")
        try context.save()
        #expect(
            recorder.take() == [
                "will", "delete - 0.\(last) -", "did",
                "will", "insert - - 0.\(Self.objectCount)", "did",
            ])
        #expect(asked == [207, 600])
        #expect(controllers[207].questionCount == 2 && controllers[600].questionCount == 1)
        context.delete(object)
        try context.save()
        #expect(asked == [207, 600])
        #expect(controllers[600].questionCount == 2)
        #expect(controllers.allSatisfy { ($0.fetchedObjects?.count ?? 0) >= last })
    }
}
