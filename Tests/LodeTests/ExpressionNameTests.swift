// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode
import Testing

/// A file that imports Foundation by itself can still name expressions and comparisons.
///
/// Foundation declares both classes as deprecated on Linux, so such a file gets a warning for each
/// name; functions that are deprecated themselves do not.
private struct Names: NamingSamples {
    @available(*, deprecated)
    func column() -> NSExpressionDescription {
        let path: NSExpression = NSExpression(forKeyPath: "salary")
        let column = NSExpressionDescription()
        column.name = "sum"
        column.expression = NSExpression(forFunction: "sum:", arguments: [path])
        return column
    }

    @available(*, deprecated)
    func path(_ predicate: NSPredicate) -> String? {
        (predicate as? NSComparisonPredicate)?.leftExpression.keyPath
    }

    @available(*, deprecated)
    func kind(_ predicate: NSPredicate) -> String? {
        guard let comparison = predicate as? NSComparisonPredicate else { return nil }
        let type: NSComparisonPredicate.Operator = comparison.predicateOperatorType
        let constant: NSExpression.ExpressionType = comparison.rightExpression.expressionType
        return "\(type) \(constant)"
    }
}

private protocol NamingSamples {
    func column() -> NSExpressionDescription
    func path(_ predicate: NSPredicate) -> String?
    func kind(_ predicate: NSPredicate) -> String?
}

@Suite struct ExpressionNameTests {
    private let names: any NamingSamples = Names()

    @Test func an_expression_can_be_made_and_kept() throws {
        let expression = try #require(names.column().expression)
        #expect("\(expression)" == "sum(salary)")
    }

    @Test func a_comparison_can_be_taken_apart() {
        #expect(names.path(NSPredicate(format: "a > 3")) == "a")
        #expect(names.path(NSPredicate(format: "a > 3 AND b > 4")) == nil)
        #expect(names.kind(NSPredicate(format: "a IN {1, 2}")) == "in constantValue")
    }
}
