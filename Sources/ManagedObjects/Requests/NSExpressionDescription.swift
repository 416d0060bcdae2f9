// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A computed column of a dictionary fetch; its name is the column's key.
///
/// ```swift
/// let total = NSExpressionDescription()
/// total.name = "total"
/// total.expression = NSExpression(
///     forFunction: "sum:", arguments: [NSExpression(forKeyPath: "score")])
/// total.resultType = .integer64
///
/// let request = NSFetchRequest<NSDictionary>(entityName: "Player")
/// request.resultType = .dictionaryResultType
/// request.propertiesToFetch = [total]
/// let sums = try context.fetch(request)  // one dictionary: ["total": …]
/// ```
///
/// Goes into ``NSFetchRequest/propertiesToFetch``, never into an entity.
// SAFETY: no model freezes it, so the program changes it on one thread only, before others use it.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
    /// What is computed: for each object or, with an aggregate function such as `sum:`, for each
    /// group.
    open var expression: NSExpression?
    /// The type that the value is converted to; undefined to take it as it comes.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType
    /// The type that the value is converted to, by its other name.
    open var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(type: expressionResultType) }
        set { expressionResultType = newValue.type }
    }

    /// Makes an unnamed column.
    public override init() {
        super.init()
    }

    /// Makes an editable copy.
    public required init(copying other: NSPropertyDescription) {
        super.init(copying: other)
        guard let other = other as? NSExpressionDescription else { return }
        expression = other.expression
        expressionResultType = other.expressionResultType
    }

    override func hasStructure(of other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSExpressionDescription else { return false }
        return super.hasStructure(of: other) && expression == other.expression
            && expressionResultType == other.expressionResultType
    }
}
