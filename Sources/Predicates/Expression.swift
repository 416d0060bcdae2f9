// SPDX-License-Identifier: Apache-2.0

/// A part of a predicate that has a value: one side of a comparison, or an argument.
public indirect enum Expression: Sendable, Hashable {
    /// A value that is known.
    case constant(Operand)
    /// The object that the predicate is evaluated with, `SELF` in text.
    case evaluatedObject
    /// A value that is supplied later, `$name` in text; the name has no dollar sign.
    case variable(String)
    /// Keys to follow from the evaluated object; a component that starts with `@` is a
    /// collection operator and applies to what the components after it yield.
    case keyPath([String])
    /// Keys to follow from another expression, such as `$item.price` or `SUBQUERY(…).@count`.
    case member(of: Expression, [String])
    /// A collection of the members' values, `{a, b}` in text.
    case aggregate([Expression])
    /// A function by its selector, such as `sum:` or `add:to:`; see ``FunctionName``.
    case function(String, [Expression])
    /// The members of a collection that satisfy a predicate, in which a variable stands for
    /// the member.
    case subquery(Expression, variable: String, Predicate)
    /// The first expression when the predicate is true, otherwise the second.
    case conditional(Predicate, Expression, Expression)
}

extension Expression {
    /// Keys to follow from a base, in the one form that the parser makes too.
    ///
    /// Keys of the evaluated object give a ``keyPath(_:)``, keys of a key path extend it, and
    /// no keys give the base itself.
    public static func path(_ keys: [String], of base: Expression) -> Expression {
        if keys.isEmpty { return base }
        switch base {
        case .evaluatedObject: return .keyPath(keys)
        case .keyPath(let first): return .keyPath(first + keys)
        case .member(let root, let first): return .member(of: root, first + keys)
        default: return .member(of: base, keys)
        }
    }

    /// The constant that this is, with an aggregate of constants as a list; otherwise `nil`.
    public var constantOperand: Operand? {
        switch self {
        case .constant(let operand):
            return operand
        case .aggregate(let members):
            let operands = members.compactMap(\.constantOperand)
            return operands.count == members.count ? .list(operands) : nil
        default:
            return nil
        }
    }
}
