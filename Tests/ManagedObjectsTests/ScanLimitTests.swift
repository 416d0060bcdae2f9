// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Fetches that a program wants to fail where no index serves them.
@Suite struct ScanLimitTests {
    private func filled() throws -> Stack {
        let mark = Build.entity(
            "Mark", [Build.attribute("name"), Build.attribute("number", .integer64AttributeType)])
        Build.index(mark, "number")
        let stack = try Stack(Build.model(mark))
        for number in 0..<50 {
            stack.context.make("Mark", ["name": "m\(number)", "number": number])
        }
        try stack.context.save()
        stack.context.scanLimit = 10
        return stack
    }

    private func request(_ format: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Mark")
        request.predicate = NSPredicate(format: format)
        return request
    }

    private func failure(_ body: () throws -> Void) throws -> NSError {
        let error = #expect(throws: CocoaError.self, performing: body)
        return try #require(error) as NSError
    }

    @Test func a_scan_fails_and_names_the_index_to_add() throws {
        let context = try filled().context
        let error = try failure { _ = try context.fetch(request("name == 'm3'")) }
        #expect(error.code == 134070)
        #expect("\(error)".contains("add an index on name of Mark"))
        #expect(throws: CocoaError.self) { try context.count(for: request("name == 'm3'")) }
        #expect(try context.fetch(request("number == 3")).count == 1)
        #expect(try context.fetch(request("number >= 0 AND name == 'm3'")).count == 1)
        #expect(try context.fetch(request("TRUEPREDICATE")).count == 50)
    }

    @Test func unsaved_changes_do_not_change_that() throws {
        let context = try filled().context
        context.make("Mark", ["name": "m3", "number": 50])
        let error = try failure { _ = try context.fetch(request("name == 'm3'")) }
        #expect(error.code == 134070)
        #expect(try context.fetch(request("number >= 49")).count == 2)
    }

    @Test func a_request_makes_an_exception() throws {
        let context = try filled().context
        let request = request("name == 'm3'")
        for (limit, isAllowed) in [(0, false), (49, false), (50, true), (-1, true)] {
            request.scanLimit = limit
            #expect((try? context.fetch(request).count) == (isAllowed ? 1 : nil), "\(limit)")
        }
        let copy = try #require(request.copy() as? NSFetchRequest<NSManagedObject>)
        #expect(copy.scanLimit == -1)
    }

    @Test func a_child_has_a_bound_of_its_own() throws {
        let stack = try filled()
        let child = Stack.child(of: stack.context)
        #expect(try child.performAndWait { try child.fetch(request("name == 'm3'")).count } == 1)
        child.scanLimit = 10
        let error = try failure {
            _ = try child.performAndWait { try child.fetch(request("name == 'm3'")).count }
        }
        #expect("\(error)".contains("add an index on name of Mark"))
    }

    @Test func dictionaries_are_refused_too() throws {
        let context = try filled().context
        let request = NSFetchRequest<NSDictionary>(entityName: "Mark")
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "name == 'm3'")
        #expect(try failure { _ = try context.fetch(request) }.code == 134070)
    }

    @Test func a_refused_fetch_is_explained() throws {
        let context = try filled().context
        #expect(
            try context.explain(request("name == 'm3'"), running: true) == """
                fetch Mark where name == "m3"
                  scan Mark (entity scan)
                  filter name == "m3"
                  estimate: reads 50 of 50
                  run: read 50, of which 1 match
                  refused: a fetch of Mark where name == "m3" would scan 50 objects, more than the \
                scanLimit of 10; add an index on name of Mark
                """)
        let allowed = request("name == 'm3'")
        allowed.scanLimit = 50
        #expect(try !context.explain(allowed).contains("refused"))
        let table = NSFetchRequest<NSDictionary>(entityName: "Mark")
        table.resultType = .dictionaryResultType
        table.predicate = allowed.predicate
        #expect(try context.explain(table).contains("refused: a fetch of Mark"))
    }
}
