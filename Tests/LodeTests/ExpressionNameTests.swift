// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode
import Testing

// Foundation has a class of that name, too, which cannot be made on Linux: this import decides.
import class Lode.NSExpression

/// A file that imports Foundation by itself can still name the expression's type.
@Suite struct ExpressionNameTests {
    private func column(_ expression: NSExpression) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = "sum"
        column.expression = expression
        return column
    }

    @Test func the_type_is_the_one_that_can_be_made() {
        let path = NSExpression(forKeyPath: "salary")
        let total: NSExpression = NSExpression(forFunction: "sum:", arguments: [path])
        #expect(column(total).expression === total)
        #expect("\(path)" == "salary")
    }
}
