// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import Store

/// Random models that change again and again, compared with objects in dictionaries.
@Suite struct RandomMigrationTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func files_have_the_objects_that_the_rules_say(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            var model = RandomModel(&random)
            var expected = RandomObjects()
            do {
                let store = try openStore(path, try Schema(entities: model.entities))
                try expected.insert(60, into: store, model, &random)
                try expected.check(store, model, "seed \(random.seed), before")
            }
            for step in 1...5 {
                let comment: Comment = "seed \(random.seed), step \(step)"
                model.settle()
                let former = model
                // A new name, so that no model comes twice.
                model.addField(&random)
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    model.change(&random, used: expected.used)
                }
                let schema = try Schema(entities: model.entities)
                let store = try openStore(path, schema, .migrating)
                expected.migrate(from: former, to: model)
                try expected.check(store, model, comment)
                try store.verifyContents()
                #expect(try store.invariantViolations() == [], comment)
                try expected.insert(20, into: store, model, &random)
                try expected.check(store, model, comment)
                try store.verifyContents()
            }
        }
    }
}
