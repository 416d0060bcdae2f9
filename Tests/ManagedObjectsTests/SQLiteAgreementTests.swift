// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing
import _TestSupport

/// The same random questions of the same random items: by plans over indexes, by scans, in memory,
/// with items that are not saved, and by SQLite.
@Suite struct SQLiteAgreementTests {
    private static let types: [(String, NSAttributeType)] = [
        ("number", .integer64AttributeType), ("m", .integer16AttributeType),
        ("n", .integer64AttributeType), ("x", .doubleAttributeType), ("t", .stringAttributeType),
        ("d", .dateAttributeType), ("f", .booleanAttributeType),
    ]

    private static func stack(isIndexed: Bool) throws -> Stack {
        let item = Build.entity("Item", types.map { Build.attribute($0.0, $0.1) })
        Build.inverse(
            Build.relationship("parent", of: item, to: item, max: 1),
            Build.relationship("children", of: item, to: item, max: 0))
        if isIndexed {
            for key in RandomQuestions.columns { Build.index(item, key) }
            Build.index(item, "m", "t")
            Build.index(item, "f", "x", "n")
        }
        return try Stack(Build.model(item))
    }

    /// The same items in SQLite, in a store with indexes and in one without.
    private final class Case {
        let sqlite: SQLite
        let indexed: Stack
        let plain: Stack
        var random: RandomQuestions
        var objects: [NSManagedObject] = []
        private var others: [NSManagedObject] = []

        /// `nil` on a machine without SQLite.
        init?(seed: UInt64, count: Int) throws {
            guard let sqlite = try SQLite() else { return nil }
            self.sqlite = sqlite
            indexed = try SQLiteAgreementTests.stack(isIndexed: true)
            plain = try SQLiteAgreementTests.stack(isIndexed: false)
            random = RandomQuestions(seed)
            try sqlite.run(
                "CREATE TABLE item (number INTEGER, m INTEGER, n INTEGER, x REAL, t TEXT, d REAL, "
                    + "f INTEGER, parent INTEGER)")
            for number in 0..<count { try add(number) }
        }

        private func add(_ number: Int) throws {
            var row: [SQLite.Value] = [.integer(Int64(number))]
            let (one, other) = (
                indexed.context.make("Item", ["number": number]),
                plain.context.make("Item", ["number": number])
            )
            for key in RandomQuestions.columns {
                let value = random.value(key)
                row.append(value)
                one.setValue(RandomQuestions.object(value, of: key), forKey: key)
                other.setValue(RandomQuestions.object(value, of: key), forKey: key)
            }
            let parent = number > 0 && random.below(4) > 0 ? random.below(number) : nil
            row.append(parent.map { .integer(Int64($0)) } ?? .null)
            one.setValue(parent.map { objects[$0] }, forKey: "parent")
            other.setValue(parent.map { others[$0] }, forKey: "parent")
            objects.append(one)
            others.append(other)
            try sqlite.run("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        }

        func save() throws {
            try indexed.context.save()
            try plain.context.save()
        }

        func numbers(_ question: RandomQuestion) throws -> [Int] {
            try sqlite.run(
                "SELECT number FROM item WHERE \(question.sql) ORDER BY number",
                question.parameters
            ).map { row in
                if case .integer(let number) = row[0] { Int(number) } else { -1 }
            }
        }
    }

    private func numbers(_ objects: [NSManagedObject]) -> [Int] {
        objects.map { $0.number("number") }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func predicates_answer_as_in_sql(seed: UInt64) throws {
        guard let test = try Case(seed: seed, count: 60) else { return }
        let contexts = [test.indexed.context, test.plain.context]
        var matchCount = 0
        for round in 0..<240 {
            // The first questions are about items that no store has yet.
            if round == 60 { try test.save() }
            let question = test.random.question()
            let place: Comment = "seed \(seed), round \(round): \(question.format)"
            let wanted = try test.numbers(question)
            let predicate = question.predicate
            for context in contexts {
                #expect(numbers(try context.all("Item", predicate)).sorted() == wanted, place)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.predicate = predicate
                #expect(try context.count(for: request) == wanted.count, place)
            }
            #expect(
                numbers(test.objects.filter { predicate.evaluate(with: $0) }) == wanted, place)
            matchCount += wanted.count
        }
        #expect(1_500..<12_000 ~= matchCount, "found too little, or all: \(matchCount)")
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func orders_and_windows_answer_as_in_sql(seed: UInt64) throws {
        guard let test = try Case(seed: seed, count: 50) else { return }
        for round in 0..<80 {
            if round == 30 { try test.save() }
            let question = test.random.question()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = question.predicate
            let keys = [test.random.pick(RandomQuestions.columns), "number"]
            let ascending = [test.random.below(2) == 0, test.random.below(2) == 0]
            request.sortDescriptors = zip(keys, ascending).map {
                NSSortDescriptor(key: $0, ascending: $1)
            }
            request.fetchLimit = test.random.pick([0, 1, 7])
            request.fetchOffset = test.random.pick([0, 0, 3])
            let order = zip(keys, ascending).map { "\($0) \($1 ? "ASC" : "DESC")" }
            let wanted = try test.sqlite.run(
                "SELECT number FROM item WHERE \(question.sql) ORDER BY "
                    + order.joined(separator: ", ")
                    + " LIMIT \(request.fetchLimit == 0 ? -1 : request.fetchLimit)"
                    + " OFFSET \(request.fetchOffset)",
                question.parameters)
            for stack in [test.indexed, test.plain] {
                let found = numbers(try stack.context.fetch(request))
                #expect(
                    found.map { [SQLite.Value.integer(Int64($0))] } == wanted,
                    "seed \(seed), round \(round): \(question.format) by \(order)")
            }
        }
    }

    private func column(_ name: String, _ function: String, _ key: String) -> Any {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        return column
    }

    /// A value of a dictionary as SQLite gives it.
    private func sqlite(_ value: Any?) -> SQLite.Value {
        switch value {
        case let text as String: .text(text)
        case let date as Date: .real(date.timeIntervalSinceReferenceDate)
        case let number as NSNumber:
            ["d", "f"].contains(String(cString: number.objCType))
                ? .real(number.doubleValue) : .integer(number.int64Value)
        default: .null
        }
    }

    @Test(arguments: [21, 22, 23] as [UInt64])
    func groups_and_distinct_rows_answer_as_in_sql(seed: UInt64) throws {
        guard let test = try Case(seed: seed, count: 80) else { return }
        try test.save()
        for round in 0..<60 {
            let question = test.random.question()
            let group = test.random.pick(["m", "t", "f", "x", "d"])
            let key = test.random.pick(["m", "f"])
            let request = NSFetchRequest<NSDictionary>(entityName: "Item")
            request.resultType = .dictionaryResultType
            request.predicate = question.predicate
            request.propertiesToFetch = [group]
            var columns = [group]
            var sql = "SELECT DISTINCT \(group) FROM item WHERE (\(question.sql))"
            if test.random.below(4) > 0 {
                request.propertiesToGroupBy = [group]
                request.propertiesToFetch = [
                    group, column("sum", "sum:", key), column("mean", "average:", key),
                    column("least", "min:", "n"), column("most", "max:", "x"),
                    column("count", "count:", "n"),
                ]
                columns += ["sum", "mean", "least", "most", "count"]
                // Sum and mean of nothing are 0.
                sql =
                    "SELECT \(group), coalesce(sum(\(key)), 0), coalesce(avg(\(key)), 0.0), "
                    + "min(n), max(x), count(n) FROM item WHERE (\(question.sql)) GROUP BY \(group)"
                if test.random.below(2) == 0 {
                    request.havingPredicate = NSPredicate(format: "count:(n) > 1")
                    sql += " HAVING count(n) > 1"
                }
            } else {
                request.returnsDistinctResults = true
            }
            let wanted = Set(try test.sqlite.run(sql, question.parameters))
            for stack in [test.indexed, test.plain] {
                let rows = try stack.context.fetch(request)
                let found = rows.map { row in columns.map { sqlite(row[$0]) } }
                let others = Set(found).symmetricDifference(wanted)
                #expect(
                    found.count == wanted.count && others.isEmpty,
                    "seed \(seed), round \(round): \(sql)")
            }
        }
    }
}
