// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// Random operations on a graph of people, compared with plain values.
@Suite(.serialized, .inBothPlaces) struct RandomGraphTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func agrees_with_the_oracle(seed: UInt64) throws
    {
        var driver = try GraphDriver(seed: seed)
        for step in 0..<220 {
            try driver.step()
            #expect(driver.context.invariantViolations() == [], "seed \(seed), step \(step)")
            guard step % 7 == 0 else { continue }
            let found = try GraphOracle(driver.context)
            #expect(found == driver.oracle, "seed \(seed), step \(step)")
            let wrong = try GraphOracle.disagreements(driver.context)
            #expect(wrong.isEmpty, "seed \(seed), step \(step)")
            try checkQueries(driver, "seed \(seed), step \(step)")
            guard found == driver.oracle, wrong.isEmpty else { return }
            let other = driver.stack.container.newBackgroundContext()
            #expect(try GraphOracle(other) == driver.saved, "saved, seed \(seed), step \(step)")
        }
        try driver.stack.reopenChecked()
    }

    @Test(arguments: 1...3, 1...4 as ClosedRange<UInt64>)
    func a_descendant_agrees_with_the_oracle(depth: Int, seed: UInt64) throws {
        var driver = try GraphDriver(seed: seed, depth: depth)
        for step in 0..<160 {
            try driver.step()
            let broken = driver.contexts.flatMap { $0.invariantViolations() }
            #expect(broken == [], "depth \(depth), seed \(seed), step \(step)")
            guard step % 7 == 0 else { continue }
            let place = "depth \(depth), seed \(seed), step \(step)"
            let found = try GraphOracle(driver.context)
            #expect(found == driver.oracle, "\(place)")
            #expect(try GraphOracle.disagreements(driver.context).isEmpty, "\(place)")
            try checkQueries(driver, place)
            #expect(try GraphOracle(driver.contexts[depth - 1]) == driver.committed, "\(place)")
            #expect(try GraphOracle.disagreements(driver.contexts[depth - 1]).isEmpty, "\(place)")
            let other = driver.stack.container.newBackgroundContext()
            #expect(try GraphOracle(other) == driver.saved, "saved, \(place)")
            guard found == driver.oracle else { return }
        }
        try driver.stack.reopenChecked()
    }

    /// Indexed predicates find what a scan of the oracle finds.
    private func checkQueries(_ driver: GraphDriver, _ place: String) throws {
        let people = driver.oracle.people
        func names(_ matches: (GraphOracle.Person) -> Bool) -> [String] {
            people.filter { matches($0.value) }.keys.map { "\($0)" }.sorted()
        }
        let context = driver.context
        #expect(
            try context.names("Person", "age BETWEEN {10, 30}")
                == names { (10...30).contains($0.age) }, "\(place)")
        #expect(
            try context.names("Person", "department == nil") == names { $0.department == nil },
            "\(place)")
        for department in driver.oracle.departments {
            let object = try #require(try context.named("\(department)", "Department"))
            #expect(
                try context.names("Person", "department == %@ AND age < 40", object)
                    == names { $0.department == department && $0.age < 40 }, "\(place)")
        }
        for tag in driver.oracle.tags {
            #expect(
                try context.names("Person", "ANY tags.name == %@", "\(tag)")
                    == names { $0.tags.contains(tag) }, "\(place)")
        }
    }
}
