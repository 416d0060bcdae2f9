// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing
import _TestSupport

/// Groups that are summed while records are read, against expressions evaluated on the members.
@Suite struct GroupedRandomTests {
    /// Always true, but in need of all members.
    static var always: NSPredicate { NSPredicate(format: "1 == 1 OR ANY number == 0") }

    private static let attributes: [(String, NSAttributeType)] = [
        ("name", .stringAttributeType), ("flag", .booleanAttributeType),
        ("small", .integer16AttributeType), ("number", .integer32AttributeType),
        ("large", .integer64AttributeType), ("rate", .doubleAttributeType),
        ("part", .floatAttributeType), ("day", .dateAttributeType),
        ("price", .decimalAttributeType), ("code", .UUIDAttributeType),
        ("link", .URIAttributeType), ("data", .binaryDataAttributeType),
    ]
    private static let names =
        attributes.map(\.0) + [
            "owner", "owner.name", "owner.weight", "owner.price", "owner.boss.name",
        ]
    private static let functions = [
        "sum:", "average:", "min:", "max:", "count:", "median:", "stddev:",
    ]
    private static let numeric = [
        "flag", "small", "number", "large", "rate", "part", "price", "owner.weight", "owner.price",
    ]
    private static let computed = [
        "sum:(number * small)", "max:(length:(name))", "sum:(number) / count:(SELF)",
        "max:(price + 1)", "count:(SELF)", "average:(owner.weight * 2)", "count:(objectID)",
        "abs:(sum:(price))",
        "sum:(TERNARY(flag == YES, 1, 0)) * 2", "uppercase:(min:(name))", "mode:(small)",
        "sum:(name)", "count:(owner.items)",
    ]
    private static let conditions = [
        "count:(SELF) > 8", "count:(number) >= 3 AND max:(price) < 0.4", "average:(rate) > 0.5",
        "sum:(price) > 0.5", "@count > 10", "@sum.number >= 0 OR @max.price > 0.2",
        "sum:(number * 2) > 3", "c1 > 1", "c1 != nil AND NOT (c1 == 0)", "$c1 == nil",
        "min:(name) BEGINSWITH 'n-'", "max:(day) > CAST(0, 'NSDate')", "count:(owner.name) == 5",
        "sum:(small) + sum:(number) BETWEEN {-5, 5}", "count:(name) IN {1, 2, 3, 20}",
        "number > 0 OR count:(SELF) > 20", "name == 'n1'", "owner != nil", "ANY number == 2",
        "min:(owner.weight) < 0.5", "length:(min:(name)) == 2", "count:(c1) > 1", "large > 'x'",
    ]

    /// Items of two entities, whose fields lie at different places.
    private func stack(_ random: inout SplitMix64) throws -> Stack {
        let item = Build.entity(
            "Item", Self.attributes.map { Build.attribute($0.0, $0.1) })
        let tool = Build.entity(
            "Tool", [Build.attribute("a"), Build.attribute("kind", .doubleAttributeType)])
        item.subentities = [tool]
        let owner = Build.entity(
            "Owner",
            [
                Build.attribute("name"), Build.attribute("weight", .doubleAttributeType),
                Build.attribute("price", .decimalAttributeType),
            ])
        Build.inverse(
            Build.relationship("owner", of: item, to: owner, max: 1),
            Build.relationship("items", of: owner, to: item, max: 0))
        Build.inverse(
            Build.relationship("boss", of: owner, to: owner, max: 1),
            Build.relationship("staff", of: owner, to: owner, max: 0))
        let stack = try Stack(Build.model(item, tool, owner))
        let owners = [("x", 0.0), ("y", -0.0), ("x", 1.5), (nil, .nan)].map { name, weight in
            let owner = stack.context.make("Owner", ["weight": weight])
            owner.setValue(name, forKey: "name")
            owner.setValue(Decimal(weight.isNaN ? 0 : weight), forKey: "price")
            return owner
        }
        owners[1].setValue(owners[0], forKey: "boss")
        owners[2].setValue(owners[0], forKey: "boss")
        for _ in 0..<120 { make(&random, owners, stack.context) }
        try stack.context.save()
        // What is not saved does not count.
        make(&random, owners, stack.context)
        owners[0].setValue("z", forKey: "name")
        return stack
    }

    private func make(
        _ random: inout SplitMix64, _ owners: [NSManagedObject], _ context: NSManagedObjectContext
    ) {
        func maybe(_ value: @autoclosure () -> Any?) -> Any? {
            Int.random(in: 0..<5, using: &random) == 0 ? nil : value()
        }
        func whole(_ bound: Int) -> Int { Int.random(in: -bound...bound, using: &random) }
        let item = context.make(Int.random(in: 0..<3, using: &random) == 0 ? "Tool" : "Item")
        let rates = [0.0, -0.0, 1.5, -2.25, .infinity, 1e300, .nan, 0.1, 0.2]
        let prices: [Decimal] = [
            Decimal(whole(5)) / 10, 3, Decimal(sign: .minus, exponent: 30, significand: 7),
            Decimal(sign: .plus, exponent: -20, significand: 123),
        ]
        let dates = [0.0, -0.0, 1, .nan, -2.5].map(Date.init(timeIntervalSinceReferenceDate:))
        let codes = ["0A", "FF", "7E"].compactMap {
            UUID(uuidString: "\($0)D3C8C6-8D7B-4D6B-9D59-0E3C7A7A1D11")
        }
        item.setValue(maybe("n\(whole(2))"), forKey: "name")
        item.setValue(maybe(Bool.random(using: &random)), forKey: "flag")
        item.setValue(maybe(whole(3)), forKey: "small")
        item.setValue(maybe(whole(4)), forKey: "number")
        item.setValue(maybe(Int64(whole(1)) * (Int64.max / 2)), forKey: "large")
        item.setValue(maybe(rates.randomElement(using: &random)), forKey: "rate")
        item.setValue(maybe(Float(whole(4)) / 4), forKey: "part")
        item.setValue(maybe(dates.randomElement(using: &random)), forKey: "day")
        item.setValue(maybe(prices.randomElement(using: &random)), forKey: "price")
        item.setValue(maybe(codes.randomElement(using: &random)), forKey: "code")
        item.setValue(maybe(URL(string: "a:\(whole(1))")), forKey: "link")
        item.setValue(maybe(Data([UInt8(whole(1) + 1)])), forKey: "data")
        item.setValue(maybe(owners.randomElement(using: &random)), forKey: "owner")
    }

    private func column(_ name: String, _ format: String) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(format: format)
        return column
    }

    private func request(_ random: inout SplitMix64) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(
            entityName: random.below(4) == 0 ? "Tool" : "Item")
        request.resultType = .dictionaryResultType
        request.includesSubentities = random.below(4) > 0
        if random.below(2) == 0 {
            request.predicate = NSPredicate(format: "number > 2 OR rate < 0")
        }
        if random.below(2) == 0 {
            request.sortDescriptors = [
                NSSortDescriptor(key: Self.names[random.below(10)], ascending: random.below(2) == 0)
            ]
        }
        return request
    }

    /// The rows as text, or what is wrong.
    private func rows(_ stack: Stack, _ request: NSFetchRequest<NSDictionary>) -> [String] {
        do {
            return try stack.context.fetch(request).map { row in
                row.map { "\($0.key)=\(type(of: $0.value)) \(text($0.value))" }.sorted()
                    .joined(separator: "; ")
            }
        } catch {
            return [(error as? CocoaError)?.message ?? "\(error)"]
        }
    }

    /// A date as a number: one that is not a number has no text.
    private func text(_ value: Any) -> String {
        if let data = value as? Data { return "\(Array(data))" }
        return (value as? Date).map { "\($0.timeIntervalSinceReferenceDate)" } ?? "\(value)"
    }

    private func aggregate(_ random: inout SplitMix64) -> String {
        if random.below(3) == 0 { return Self.computed[random.below(Self.computed.count)] }
        let function = Self.functions[random.below(Self.functions.count)]
        let isOfAny = ["min:", "max:", "count:"].contains(function)
        let keys = isOfAny ? Self.names : Self.numeric
        return "\(function)(\(keys[random.below(keys.count)]))"
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func agrees_with_the_members_of_each_group(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        let stack = try stack(&random)
        var filteredCount = 0
        for round in 0..<40 {
            let request = request(&random)
            let groups = (0..<random.below(3)).map { _ in Self.names[random.below(Self.names.count)]
            }
            let formats = (0...random.below(3)).map { _ in aggregate(&random) }
            let columns = formats.enumerated().map { column("c\($0 + 1)", $1) }
            request.propertiesToGroupBy = groups
            request.propertiesToFetch = groups + columns
            if random.below(3) == 0 {
                (request.fetchLimit, request.fetchOffset) = (random.below(4), random.below(3))
            }
            request.returnsDistinctResults = random.below(4) == 0
            let condition =
                random.below(2) == 0
                ? "1 == 1" : Self.conditions[random.below(Self.conditions.count)]
            let having = NSPredicate(format: condition)
            request.havingPredicate = having
            let found = rows(stack, request)
            request.havingPredicate = NSCompoundPredicate(
                andPredicateWithSubpredicates: [having, Self.always])
            #expect(
                found == rows(stack, request),
                "seed \(seed), round \(round): \(groups), \(formats) having \(condition)")
            if condition != "1 == 1", found.count > 1 { filteredCount += 1 }
        }
        #expect(filteredCount > 3, "seed \(seed)")
    }

    @Test(arguments: 21...24 as ClosedRange<UInt64>)
    func distinct_rows_are_the_first_of_their_kind(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        let stack = try stack(&random)
        var leftOutCount = 0
        for round in 0..<40 {
            let request = request(&random)
            var columns: [Any] = (0...random.below(2)).map { _ in
                Self.names[random.below(Self.names.count)]
            }
            if random.below(4) == 0 { columns.append(column("c", "number + small")) }
            if random.below(6) == 0 { columns.append(column("d", "count:(owner.items)")) }
            request.propertiesToFetch = columns
            let all = try stack.context.fetch(request)
            var seen: Set<String> = []
            let texts = rows(stack, request)
            let firsts = texts.indices.filter { seen.insert(key(all[$0])).inserted }
            leftOutCount += all.count - firsts.count
            request.returnsDistinctResults = true
            let (limit, offset) = (random.below(3) * 2, random.below(3))
            (request.fetchLimit, request.fetchOffset) = (limit, offset)
            let wanted = firsts.dropFirst(offset).prefix(limit == 0 ? .max : limit)
            #expect(
                rows(stack, request) == wanted.map { texts[$0] },
                "seed \(seed), round \(round): \(columns)")
        }
        #expect(leftOutCount > 500, "seed \(seed)")
    }

    /// What a row is compared by: both zeros are one.
    private func key(_ row: NSDictionary) -> String {
        row.map { entry in
            let text = text(entry.value)
            let isZero = text == "0.0" || text == "-0.0" || text == "-0" || text == "0"
            return "\(entry.key)=\(isZero ? "0" : text)"
        }
        .sorted().joined(separator: "; ")
    }
}
