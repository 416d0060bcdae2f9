// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Dictionary results: columns, groups, aggregates, distinct rows.
@Suite struct DictionaryFetchTests {
    private func people() throws -> Stack {
        let stack = try Stack(PeopleModel.make())
        let red = stack.context.make("Department", ["name": "red"])
        let blue = stack.context.make("Department", ["name": "blue"])
        for (name, age, department) in [
            ("Ann", 30, red), ("Bob", 40, red), ("Cid", 30, blue),
        ] {
            stack.context.make("Person", ["name": name, "age": age, "department": department])
        }
        stack.context.make("Person", ["name": "Dan"])
            .setValue(nil, forKey: "age")
        try stack.context.save()
        return stack
    }

    private func request(_ columns: Any...) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = columns
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    private func column(_ name: String, _ function: String, _ key: String) -> Any {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        return column
    }

    /// The rows as text, so that they are easy to compare.
    private func text(_ rows: [NSDictionary]) -> [String] {
        rows.map { row in
            row.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
        }
    }

    @Test func requested_keys_only_without_pending_changes() throws {
        let stack = try people()
        stack.context.make("Person", ["name": "Eve"])
        try stack.context.named("Ann", "Person")?.setValue("Amy", forKey: "name")
        let rows = try stack.context.fetch(request("name", "age", "department.name"))
        #expect(
            text(rows) == [
                "age=30 department.name=red name=Ann", "age=40 department.name=red name=Bob",
                "age=30 department.name=blue name=Cid", "name=Dan",
            ])
        let plain = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        plain.resultType = .dictionaryResultType
        plain.predicate = NSPredicate(format: "name == 'Bob'")
        let all = try stack.context.fetch(plain) as? [[String: Any]]
        #expect(all?.count == 1 && all?[0].keys.sorted() == ["age", "name"])
        #expect(all?[0]["age"] as? Int == 40)
    }

    @Test func to_one_relationships_are_object_ids() throws {
        let stack = try people()
        let rows = try stack.context.fetch(request("department"))
        let red = try #require(try stack.context.named("red", "Department"))
        #expect(rows[0]["department"] as? NSManagedObjectID == red.objectID)
        #expect(rows[3]["department"] == nil)
    }

    @Test func distinct_rows_before_offset_and_limit() throws {
        let stack = try people()
        let distinct = request("age")
        distinct.returnsDistinctResults = true
        distinct.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
        #expect(text(try stack.context.fetch(distinct)) == ["age=40", "age=30", ""])
        (distinct.fetchOffset, distinct.fetchLimit) = (1, 1)
        #expect(text(try stack.context.fetch(distinct)) == ["age=30"])
    }

    @Test func aggregates_of_all() throws {
        let stack = try people()
        let rows = try stack.context.fetch(
            request(
                column("sum", "sum:", "age"), column("mean", "average:", "age"),
                column("least", "min:", "age"), column("most", "max:", "name"),
                column("count", "count:", "name")))
        #expect(rows.count == 1)
        #expect(rows[0]["sum"] as? Int == 100 && rows[0]["least"] as? Int == 30)
        #expect(rows[0]["most"] as? String == "Dan" && rows[0]["count"] as? Int == 4)
        #expect(abs((rows[0]["mean"] as? Double ?? 0) - 100.0 / 3) < 1e-9)
    }

    @Test(
        arguments: [
            ("@sum.age", "100"), ("@min.age", "30"), ("@max.name", "Dan"), ("@count", "4"),
            ("@max.department.name", "red"), ("@sum.age + @count", "104"),
        ])
    func operators_of_key_paths_sum_up_the_rows(format: String, wanted: String) throws {
        let stack = try people()
        let column = NSExpressionDescription()
        column.name = "all"
        column.expression = NSExpression(format: format)
        #expect(text(try stack.context.fetch(request(column))) == ["all=\(wanted)"])
    }

    @Test func operators_of_key_paths_sum_up_groups() throws {
        let stack = try people()
        let (total, mean) = (NSExpressionDescription(), NSExpressionDescription())
        (total.name, mean.name) = ("total", "mean")
        total.expression = NSExpression(forKeyPath: "@sum.age")
        mean.expression = NSExpression(forKeyPath: "@avg.age")
        let grouped = request("department.name", total, mean)
        grouped.propertiesToGroupBy = ["department.name"]
        grouped.predicate = NSPredicate(format: "age != nil")
        #expect(
            text(try stack.context.fetch(grouped)) == [
                "department.name=red mean=35.0 total=70",
                "department.name=blue mean=30.0 total=30",
            ])
        for condition in ["total > 40", "@sum.age > 40", "@count == 2"] {
            grouped.havingPredicate = NSPredicate(format: condition)
            #expect(try stack.context.fetch(grouped).map { $0["total"] as? Int } == [70])
        }
    }

    @Test func groups_and_having() throws {
        let stack = try people()
        let grouped = request("department.name", column("total", "sum:", "age"))
        grouped.propertiesToGroupBy = ["department.name"]
        #expect(
            text(try stack.context.fetch(grouped)) == [
                "department.name=red total=70", "department.name=blue total=30", "total=0",
            ])
        grouped.havingPredicate = NSPredicate(format: "total > 40")
        #expect(text(try stack.context.fetch(grouped)) == ["department.name=red total=70"])
        grouped.havingPredicate = NSPredicate(format: "$total == 30")
        #expect(text(try stack.context.fetch(grouped)) == ["department.name=blue total=30"])
    }

    @Test(
        arguments: [
            ("max:(age) > 30", ["40"]), ("min:(age) < 40", ["30"]),
            ("average:(age) == 30", ["30"]), ("sum:(age) == 60", ["30"]),
            ("sum:(age) == 40", ["40"]), ("count:(age) > 1", ["30"]),
            ("count:(age) == 1", ["40"]), ("max:(age) == age", ["30", "40"]),
            ("median:(age) == 40", ["40"]), ("count:(department.name) == 2", ["30"]),
            ("ANY age > 30", ["40"]), ("ALL age == 30", ["30"]), ("age > 30", ["40"]),
        ])
    func having_sums_up_the_members(format: String, wanted: [String]) throws {
        let stack = try people()
        // Ann and Cid are 30, Bob is 40, Dan has no age.
        let grouped = request("age")
        grouped.propertiesToGroupBy = ["age"]
        grouped.predicate = NSPredicate(format: "age != nil")
        grouped.havingPredicate = NSPredicate(format: format)
        let found = try stack.context.fetch(grouped).map { "\($0["age"] ?? "")" }
        #expect(found == wanted)
    }

    @Test func having_sums_up_columns_that_are_computed() throws {
        let stack = try people()
        let half = NSExpressionDescription()
        half.name = "half"
        half.expression = NSExpression(format: "age / 2")
        let grouped = request(half, column("total", "sum:", "age"))
        grouped.propertiesToGroupBy = [half]
        grouped.predicate = NSPredicate(format: "age != nil")
        grouped.havingPredicate = NSPredicate(format: "sum:(half) == 30 AND max:(half) == 15")
        #expect(text(try stack.context.fetch(grouped)) == ["half=15 total=60"])
        // The members have no total that could be summed up.
        grouped.havingPredicate = NSPredicate(format: "sum:(total) == 60")
        #expect(code { _ = try stack.context.fetch(grouped) } == 134070)
        // A column of a property's name: what it is for the group alone, what they have in sums.
        let named = request(column("age", "count:", "name"))
        named.predicate = NSPredicate(format: "age != nil")
        named.propertiesToGroupBy = ["department.name"]
        named.propertiesToFetch?.append("department.name")
        named.havingPredicate = NSPredicate(format: "age == 2 AND sum:(age) == 70")
        #expect(text(try stack.context.fetch(named)) == ["age=2 department.name=red"])
    }

    @Test func computed_columns_of_each_object() throws {
        let stack = try people()
        let rows = try stack.context.fetch(request("name", column("loud", "uppercase:", "name")))
        #expect(text(rows)[1] == "loud=BOB name=Bob")
    }

    @Test func what_does_not_fit_fails() throws {
        let stack = try people()
        #expect(code { _ = try stack.context.fetch(request("shoe")) } == 134070)
        #expect(code { _ = try stack.context.fetch(request("tags")) } == 134070)
        let loose = request("name", column("sum", "sum:", "age"))
        #expect(code { _ = try stack.context.fetch(loose) } == 134070)
        let having = request("name")
        having.havingPredicate = NSPredicate(format: "name == 'a'")
        #expect(code { _ = try stack.context.fetch(having) } == 134070)
    }
}
