// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNames
import Predicates
import Traps

/// The members of `NSExpression` that are unavailable on Linux; programs do not conform to it.
///
/// Members of the same name and type in an extension of the class would be ambiguous to a compiler
/// that reads a subclass's table of methods from another module. Members of a protocol are not.
public protocol ExpressionParts: NSExpression {}

extension NSExpression: ExpressionParts {}

/// The parts of expressions. Each traps for an expression of a kind that does not have it.
extension ExpressionParts {
    /// The kind of the expression, an `NSExpression.ExpressionType`.
    ///
    /// A list of constants in a format, such as `{1, 2}`, is a constant, as is a fetch. Keys of
    /// anything but the object itself, as in `$item.price` or `SUBQUERY(…).@count`, are the
    /// function `valueForKeyPath:`.
    public var expressionType: ExpressionTypeName.Named {
        if case .block? = boundValue { return .block }
        if boundValue != nil { return .constantValue }
        switch content.tree {
        case .constant: return .constantValue
        case .evaluatedObject: return .evaluatedObject
        case .variable: return .variable
        case .keyPath: return .keyPath
        case .aggregate: return .aggregate
        case .function(FunctionName.union, _): return .unionSet
        case .function(FunctionName.intersect, _): return .intersectSet
        case .function(FunctionName.minus, _): return .minusSet
        case .function(FunctionName.anyKey, _): return .anyKey
        case .function, .member: return .function
        case .subquery: return .subquery
        case .conditional: return .conditional
        }
    }

    private func part(_ tree: ExpressionTree) -> NSExpression {
        ManagedExpression.make(BoundTree(tree, content.values))
    }

    private func absent(_ part: String) -> Never {
        trap("the expression \(self) of the kind \(expressionType) has no \(part)")
    }

    /// The value of a constant, as it was given.
    public var constantValue: Any? {
        switch boundValue {
        case .constant(let constant)?: return constant.stated
        case .fetch(let fetch)?: return fetch
        case .block?, .deep?, nil: break
        }
        guard case .constant(let operand) = content.tree else { absent("constantValue") }
        return operand.object
    }

    /// The keys of a key path, joined by dots.
    public var keyPath: String {
        switch content.tree {
        case .keyPath(let keys): return keys.joined(separator: ".")
        case .evaluatedObject: return "SELF"
        default: absent("keyPath")
        }
    }

    /// The selector of a function.
    public var function: String {
        if case .member = content.tree { return NSExpression.memberSelector }
        guard boundValue == nil, case .function(let name, let arguments) = content.tree else {
            absent("function")
        }
        if name == FunctionName.call, arguments.count > 1,
            case .constant(.value(.string(let selector))) = arguments[1]
        {
            return selector
        }
        return name
    }

    /// The name of a variable, or of the member in a subquery.
    public var variable: String {
        switch content.tree {
        case .variable(let name) where boundValue == nil: return name
        case .subquery(_, let variable, _): return variable
        default: absent("variable")
        }
    }

    /// What a key path begins with, or the target of a call by selector; of other functions a
    /// constant, which is good to make them anew by `NSExpression(forFunction:selectorName:)`.
    public var operand: NSExpression {
        switch content.tree {
        case .member(let base, _): return part(base)
        case .keyPath, .evaluatedObject: return part(.evaluatedObject)
        case .function(FunctionName.call, let arguments) where !arguments.isEmpty:
            return part(arguments[0])
        case .function where boundValue == nil:
            return NSExpression(forConstantValue: FunctionName.target)
        default: absent("operand")
        }
    }

    /// The arguments of a function or of a block.
    public var arguments: [NSExpression]? {
        if case .member(_, let keys) = content.tree { return [part(.keyPath(keys))] }
        guard case .function(let name, let arguments) = content.tree else { absent("arguments") }
        let own = name == FunctionName.call ? arguments.dropFirst(2) : arguments[...]
        return own.map { part($0) }
    }

    /// The expressions of an aggregate, or the collection of a subquery, an `NSExpression`.
    public var collection: Any {
        switch content.tree {
        case .aggregate(let members): return members.map { part($0) }
        case .constant(.list(let members)): return members.map { part(.constant($0)) }
        case .subquery(let collection, _, _): return part(collection)
        default: absent("collection")
        }
    }

    /// The predicate of a subquery or a conditional expression.
    public var predicate: NSPredicate {
        switch content.tree {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _):
            return PredicateMaking.predicate(BoundTree(predicate, content.values))
        default: absent("predicate")
        }
    }

    /// The left side of a set expression.
    public var left: NSExpression { side(0, "left") }
    /// The right side of a set expression.
    public var right: NSExpression { side(1, "right") }

    private func side(_ index: Int, _ name: String) -> NSExpression {
        switch content.tree {
        case .function(FunctionName.union, let sides), .function(FunctionName.intersect, let sides),
            .function(FunctionName.minus, let sides):
            guard sides.count == 2 else { absent(name) }
            return part(sides[index])
        default: absent(name)
        }
    }

    /// The value of a conditional expression where its predicate holds.
    public var `true`: NSExpression {
        guard case .conditional(_, let first, _) = content.tree else { absent("true") }
        return part(first)
    }

    /// The value of a conditional expression where its predicate does not hold.
    public var `false`: NSExpression {
        guard case .conditional(_, _, let second) = content.tree else { absent("false") }
        return part(second)
    }

    /// The block of a block expression.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
        guard case .block(let block)? = boundValue else { absent("expressionBlock") }
        return block.body
    }
}

extension Operand {
    /// The constant as programs have it; nil for no value.
    fileprivate var object: Any? {
        switch self {
        case .value(let value): ValueConversion.object(value)
        case .list(let members): members.map { $0.object ?? NSNull() }
        }
    }
}
