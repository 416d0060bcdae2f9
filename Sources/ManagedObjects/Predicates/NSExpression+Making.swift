// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

// Foundation's own initialisers are unavailable on Linux; these are found instead of them.
extension NSExpression {
    private convenience init(_ content: BoundTree<ExpressionTree>) {
        self.init(_made: ManagedExpression.make(content), of: "its parts", "NSExpression")
    }

    private convenience init(_ make: (inout ArgumentBinder) -> ExpressionTree) {
        var binder = ArgumentBinder()
        let tree = make(&binder)
        self.init(binder.finished(tree))
    }

    /// A constant of any kind; a fetch request or a context, too, for ``NSFetchRequestExpression``.
    public convenience init(forConstantValue value: Any?) {
        self.init { $0.constant(value) }
    }

    /// The value at a key path of the object, `@` operators included.
    public convenience init(forKeyPath keyPath: String) {
        self.init(BoundTree(.path(keyPath.pathKeys, of: .evaluatedObject)))
    }

    /// The value of a managed property; the same as ``init(forKeyPath:)`` with its name.
    ///
    /// ```swift
    /// let name = NSExpression(forKeyPath: \Book.author?.name)
    /// ```
    ///
    /// Traps for a key path that leads through anything but managed properties.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(forKeyPath: ManagedKeyPath.name(of: keyPath))
    }

    /// A variable, which `withSubstitutionVariables(_:)`, an evaluation or a template gives a
    /// value.
    public convenience init(forVariable string: String) {
        self.init(BoundTree(.variable(string)))
    }

    /// A function of the predicate language by its selector, such as `sum:` or `add:to:`.
    ///
    /// Traps for a function that there is not, and for another number of arguments than it takes.
    ///
    /// ```swift
    /// let twice = NSExpression(
    ///     forFunction: "multiply:by:", arguments: [NSExpression(forKeyPath: "score"), 2])
    /// print(twice.expressionValue(with: player, context: nil) ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - parameters: Expressions; anything else is taken as a constant.
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        if let fault = FunctionName.fault(name, parameters.count) {
            trap("an expression of a function needs \(fault.expected), and has \(fault.found)")
        }
        self.init { binder in .function(name, parameters.map { binder.part($0) }) }
    }

    /// A call of a method by its selector, as `FUNCTION(target, "selector:", …)` in a format.
    ///
    /// With the selector `valueForKeyPath:` and a key path, or its text, these are keys of the
    /// target, as `$item.price` in a format. With the `operand` of a function of the language, and
    /// its selector and arguments, it is that function, so that a program may make any function
    /// anew of its parts.
    public convenience init(
        forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
    ) {
        self.init { binder in
            let base = binder.part(target)
            let parts = (parameters ?? []).map { binder.part($0) }
            if case .constant(.value(.string(FunctionName.target))) = base,
                FunctionName.fault(name, parts.count) == nil
            {
                return .function(name, parts)
            }
            if name == NSExpression.memberSelector, parts.count == 1,
                let keys = NSExpression.keys(parts[0])
            {
                return .path(keys, of: base)
            }
            return .function(
                FunctionName.call, [base, .constant(.value(.string(name)))] + parts)
        }
    }

    private static func keys(_ part: ExpressionTree) -> [String]? {
        switch part {
        case .keyPath(let keys): keys
        case .constant(.value(.string(let text))): text.pathKeys
        default: nil
        }
    }

    /// A collection of the values of expressions; anything else is taken as a constant.
    public convenience init(forAggregate subexpressions: [Any]) {
        self.init { binder in
            let aggregate = ExpressionTree.aggregate(subexpressions.map { binder.part($0) })
            return aggregate.constantOperand.map { .constant($0) } ?? aggregate
        }
    }

    /// The members of either collection, each once.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(forFunction: FunctionName.union, arguments: [left, right])
    }

    /// The members of both collections.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(forFunction: FunctionName.intersect, arguments: [left, right])
    }

    /// The members of the first collection that the second does not have.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(forFunction: FunctionName.minus, arguments: [left, right])
    }

    /// The members of a collection that satisfy a predicate, in which a variable is the member.
    ///
    /// Traps for a predicate made of a block.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String,
        predicate: NSPredicate
    ) {
        self.init { binder in
            let collection = binder.part(expression)
            return .subquery(
                collection, variable: variable, NSExpression.adopted(predicate, &binder))
        }
    }

    /// The first expression where a predicate holds, otherwise the second.
    ///
    /// Traps for a predicate made of a block.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression,
        falseExpression: NSExpression
    ) {
        self.init { binder in
            let condition = NSExpression.adopted(predicate, &binder)
            let first = binder.part(trueExpression)
            return .conditional(condition, first, binder.part(falseExpression))
        }
    }

    private static func adopted(
        _ predicate: NSPredicate, _ binder: inout ArgumentBinder
    ) -> PredicateTree {
        do {
            let content = try PredicateConversion.content(of: predicate)
            if content.tree.isDeeper(than: PredicateConversion.mostLevels) {
                return binder.deep(predicate)
            }
            return binder.adopt(content)
        } catch {
            if PredicateConversion.isTooDeep(predicate) { return binder.deep(predicate) }
            trap("an expression cannot hold \(predicate): \(error)")
        }
    }

    /// What a block returns for the object, the values of the arguments, with nil as `NSNull`, and
    /// the context of the evaluation.
    ///
    /// It works in memory, and in fetches from stores in memory; in one from a file it is an error,
    /// 134070.
    public convenience init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        self.init { binder in
            let parts = (arguments ?? []).map { binder.part($0) }
            return binder.block(ExpressionBlock(block), parts)
        }
    }

    /// Reads an expression of the format language, such as `price * 2` or `max(scores)`.
    ///
    /// Traps for a format that cannot be read and for a value that predicates cannot hold.
    public convenience init(format expressionFormat: String, _ args: Any?...) {
        self.init(format: expressionFormat, argumentArray: args)
    }

    /// Reads an expression of the format language with its arguments in an array.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any?]?) {
        self.init { binder in
            do {
                let taken = (arguments ?? []).map { binder.argument($0) }
                return try ExpressionTree(format: expressionFormat, arguments: taken)
            } catch {
                trap("\(error)")
            }
        }
    }

    static var memberSelector: String { "valueForKeyPath:" }
}

extension ExpressionParts {
    /// The object itself.
    public static func expressionForEvaluatedObject() -> NSExpression {
        ManagedExpression.make(BoundTree(.evaluatedObject))
    }

    /// Any key, for Spotlight; it cannot be evaluated.
    public static func expressionForAnyKey() -> NSExpression {
        ManagedExpression.make(BoundTree(.function(FunctionName.anyKey, [])))
    }
}
