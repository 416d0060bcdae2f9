// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Decimals that become integers do so digit by digit: a double has too few digits for all of them.
@Suite struct DecimalIntegerTests {
    private static func stack() throws -> Stack {
        try Stack(
            Build.model(
                Build.entity(
                    "Item",
                    [
                        Build.attribute("number", .integer64AttributeType),
                        Build.attribute("small", .integer16AttributeType),
                        Build.attribute("price", .decimalAttributeType),
                    ])))
    }

    @Test(
        arguments: [
            ("9007199254740993", 9_007_199_254_740_993),
            ("-9007199254740993", -9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("3.0", 3),
            ("1e3", 1_000),
            ("9007199254740993.75", 9_007_199_254_740_993), ("-1.75", -1), ("0.5", 0),
        ] as [(String, Int64)])
    func an_integer_attribute_takes_all_digits(text: String, expected: Int64) throws {
        let context = try DecimalIntegerTests.stack().context
        let item = context.make("Item")
        item.setValue(NSDecimalNumber(string: text), forKey: "number")
        #expect(item.value(forKey: "number") as? Int64 == expected)
        item.setValue(Decimal(string: text), forKey: "number")
        #expect(item.value(forKey: "number") as? Int64 == expected)
        try context.save()
        context.refreshAllObjects()
        #expect(item.value(forKey: "number") as? Int64 == expected)
    }

    @Test func a_sum_of_decimals_is_an_exact_integer() throws {
        let context = try DecimalIntegerTests.stack().context
        for price in ["9007199254740992", "1"] {
            context.make("Item").setValue(NSDecimalNumber(string: price), forKey: "price")
        }
        try context.save()
        let sum = NSExpressionDescription()
        sum.name = "total"
        sum.expression = NSExpression(format: "sum:(price)")
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [sum]
        let row = try #require(try context.fetch(request).first)
        #expect(row["total"] as? Int64 == 9_007_199_254_740_993)
    }

    @Test(arguments: [
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211451",
        "-340282366920938463463374607431768211455e127", "1e-128",
    ])
    func each_decimal_of_foundation_is_kept(text: String) throws {
        let context = try DecimalIntegerTests.stack().context
        let number = Decimal(string: text)
        let item = context.make("Item")
        item.setValue(number.map { NSDecimalNumber(decimal: $0) }, forKey: "price")
        try context.save()
        context.refreshAllObjects()
        #expect((item.value(forKey: "price") as? NSDecimalNumber)?.decimalValue == number)
    }

    @Test func what_is_no_number_is_refused() async {
        await #expect(processExitsWith: .failure) {
            let context = try DecimalIntegerTests.stack().context
            context.make("Item").setValue(NSDecimalNumber.notANumber, forKey: "price")
        }
    }

    @Test func a_mode_is_a_column_of_its_values() throws {
        let context = try DecimalIntegerTests.stack().context
        for small in [1, 2, 2, 3, 3] { context.make("Item", ["number": 1, "small": small]) }
        try context.save()
        let mode = NSExpressionDescription()
        mode.name = "mode"
        mode.expression = NSExpression(format: "mode:(small)")
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [mode]
        #expect(try context.fetch(request).map { $0["mode"] as? [Double] } == [[2, 3]])
        request.propertiesToFetch = ["number", mode]
        request.propertiesToGroupBy = ["number"]
        #expect(try context.fetch(request).map { $0["mode"] as? [Double] } == [[2, 3]])
    }
}
