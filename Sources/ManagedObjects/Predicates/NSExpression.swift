// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

/// A computed value: of a column of a dictionary fetch, or of a batch update.
///
/// Foundation's class of the same name cannot be made on Linux; write
/// `ManagedObjects.NSExpression` where a type is spelled and both are visible.
open class NSExpression: NSObject {
    let tree: Predicates.Expression

    init(tree: Predicates.Expression) {
        self.tree = tree
        super.init()
    }

    /// A constant.
    public init(forConstantValue value: Any?) {
        tree = .constant(PredicateConversion.operand(value))
        super.init()
    }

    /// The value at a key path of the object.
    public init(forKeyPath keyPath: String) {
        tree = .path(keyPath.split(separator: ".").map(String.init), of: .evaluatedObject)
        super.init()
    }

    /// A variable, which a template or a having predicate gives a value.
    public init(forVariable name: String) {
        tree = .variable(name)
        super.init()
    }

    /// A function of the predicate language by its selector, such as `sum:` or `add:to:`.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - parameters: Expressions; anything else is taken as a constant.
    public init(forFunction name: String, arguments parameters: [Any]) {
        tree = .function(
            name,
            parameters.map {
                ($0 as? NSExpression)?.tree ?? .constant(PredicateConversion.operand($0))
            })
        super.init()
    }

    /// The object itself.
    open class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(tree: .evaluatedObject)
    }

    /// The expression's text.
    open override var description: String { "\(tree)" }
}
