// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Random edits, undo, redo, saves and rollbacks, compared with plain values and stacks of them.
@Suite(.serialized, .inBothPlaces) struct RandomUndoTests {
    private struct History {
        var driver: GraphDriver
        var undone: [GraphOracle] = []
        var redone: [GraphOracle] = []

        init(seed: UInt64) throws {
            driver = try GraphDriver(seed: seed)
            driver.context.undoManager = UndoManager()
        }

        var context: NSManagedObjectContext { driver.context }

        /// One edit, which is an event of its own; whether it has changed anything.
        mutating func edit() throws -> Bool {
            let before = driver.oracle
            try driver.edit(driver.random.below(80))
            context.processPendingChanges()
            return before != driver.oracle
        }

        mutating func step() throws {
            let before = driver.oracle
            switch driver.random.below(100) {
            case 0..<45:
                if try edit() { push(before) }
            case 45..<52:
                context.undoManager?.beginUndoGrouping()
                var hasChanged = false
                for _ in 0..<3 { hasChanged = try edit() || hasChanged }
                context.undoManager?.endUndoGrouping()
                if hasChanged { push(before) }
            case 52..<72: undo()
            case 72..<86: redo()
            case 86..<95: try driver.save()
            case 95..<98:
                driver.rollback()
                clear()
            default:
                try driver.reopen()
                context.undoManager = UndoManager()
                clear()
            }
        }

        private mutating func push(_ state: GraphOracle) {
            undone.append(state)
            redone = []
        }

        private mutating func clear() {
            undone = []
            redone = []
        }

        private mutating func undo() {
            context.undo()
            guard let state = undone.popLast() else { return }
            redone.append(driver.oracle)
            driver.oracle = state
        }

        private mutating func redo() {
            context.redo()
            guard let state = redone.popLast() else { return }
            undone.append(driver.oracle)
            driver.oracle = state
        }
    }

    @Test(arguments: 1...16 as ClosedRange<UInt64>) func agrees_with_the_oracle(seed: UInt64) throws
    {
        var history = try History(seed: seed)
        for step in 0..<200 {
            try history.step()
            let place = "seed \(seed), step \(step)"
            let context = history.context
            #expect(context.undoManager?.undoCount == history.undone.count, "\(place)")
            #expect(context.undoManager?.redoCount == history.redone.count, "\(place)")
            let found = try GraphOracle(context)
            #expect(found == history.driver.oracle, "\(place)")
            let wrong = try GraphOracle.disagreements(context)
            #expect(wrong.isEmpty, "\(place)")
            guard found == history.driver.oracle, wrong.isEmpty else { return }
            guard step % 7 == 0 else { continue }
            let other = history.driver.stack.container.newBackgroundContext()
            #expect(try GraphOracle(other) == history.driver.saved, "saved, \(place)")
        }
    }
}
