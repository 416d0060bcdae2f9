// SPDX-License-Identifier: Apache-2.0

/// Two expressions and how they are compared.
public struct Comparison: Sendable, Hashable {
    /// The expression before the operator; with a modifier, the collection.
    public var left: Expression
    /// The relation that must hold.
    public var `operator`: Operator
    /// The expression after the operator.
    public var right: Expression
    /// Whether the left side's members are compared one by one.
    public var modifier: Modifier
    /// How text is compared.
    public var options: ComparisonOptions

    /// Makes a comparison; direct and exact unless told otherwise.
    public init(
        left: Expression, operator: Operator, right: Expression, modifier: Modifier = .direct,
        options: ComparisonOptions = []
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.modifier = modifier
        self.options = options
    }
}
