// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// Random changes of many members at a time, with undo and redo, saves, rollbacks, permanent IDs
/// and refreshes, compared with plain sets.
@Suite(.serialized, .inBothPlaces) struct RandomClubTests {
    @Test(arguments: 1...2 as ClosedRange<UInt64>, 0...2)
    func agreesWithTheOracle(seed: UInt64, depth: Int) throws {
        try run(seed: seed, depth: depth, storeCount: 1)
    }

    @Test(arguments: [23, 26] as [UInt64], 0...1)
    func agreesWithTheOracleInTwoStores(seed: UInt64, depth: Int) throws {
        try run(seed: seed, depth: depth, storeCount: 2)
    }

    private func run(seed: UInt64, depth: Int, storeCount: Int) throws {
        var driver = try ClubDriver(seed: seed, depth: depth, storeCount: storeCount)
        for step in 0..<120 {
            try driver.step()
            let place = "seed \(seed), depth \(depth), step \(step): \(driver.last)"
            #expect(driver.contexts.flatMap { $0.invariantViolations() } == [], "\(place)")
            let undo = driver.context.undoManager
            #expect(
                [undo?.undoCount, undo?.redoCount] == driver.undoCounts.map { $0 }, "\(place)")
            guard step % 3 == 0 else { continue }
            let found = try ClubOracle(driver.context)
            #expect(found == driver.oracle, "\(place)")
            let wrong = try driver.oracle.disagreements(driver.context)
            #expect(wrong == [], "\(place)")
            guard found == driver.oracle, wrong == [] else { return }
            guard step % 9 == 0 else { continue }
            let parent = driver.contexts[max(0, depth - 1)]
            if depth > 0 { #expect(try ClubOracle(parent) == driver.committed, "\(place)") }
            let other = driver.stack.container.newBackgroundContext()
            #expect(try ClubOracle(other) == driver.saved, "saved, \(place)")
            #expect(try driver.saved.disagreements(other) == [], "saved, \(place)")
        }
    }
}
