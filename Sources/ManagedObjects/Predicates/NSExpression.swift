// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

/// A computed value: of a column of a dictionary fetch, or of a batch update.
///
/// ```swift
/// let twice = NSExpression(
///     forFunction: "multiply:by:", arguments: [NSExpression(forKeyPath: "score"), 2])
/// print(twice.expressionValue(with: player, context: nil) ?? 0)
/// ```
///
/// Foundation's class of the same name cannot be made on Linux. A file that imports Foundation by
/// itself says which one it means with `import class CoreData.NSExpression`.
open class NSExpression: NSObject {
    let tree: Predicates.Expression
    /// The value of a constant, as it was given.
    let stated: Any?
    /// Whether this is a constant of a program rather than read from text.
    let isConstant: Bool
    /// Whether the constant is not a value that predicates compare, but for instance a request.
    private let isTool: Bool
    /// The arguments of a function, as they were given.
    private var parts: [Any] = []

    init(tree: Predicates.Expression) {
        self.tree = tree
        stated = nil
        isConstant = false
        isTool = false
        super.init()
    }

    /// A constant of any kind; a fetch request or a context, too, for ``NSFetchRequestExpression``.
    public init(forConstantValue value: Any?) {
        let operand = PredicateConversion.operand(value)
        stated = value
        isConstant = true
        isTool = operand == nil
        tree = .constant(operand ?? .value(.null))
        super.init()
    }

    /// The value at a key path of the object.
    public init(forKeyPath keyPath: String) {
        tree = .path(keyPath.split(separator: ".").map(String.init), of: .evaluatedObject)
        stated = nil
        isConstant = false
        isTool = false
        super.init()
    }

    /// A variable, which a template or a having predicate gives a value.
    public init(forVariable name: String) {
        tree = .variable(name)
        stated = nil
        isConstant = false
        isTool = false
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
                ($0 as? NSExpression)?.tree ?? .constant(PredicateConversion.constant($0))
            })
        stated = nil
        isConstant = false
        isTool = false
        super.init()
        parts = parameters
    }

    /// The tree for objects of a store, with the keys that constants have now.
    final func tree(in store: String?) -> Predicates.Expression {
        if isConstant {
            return PredicateConversion.operand(stated, in: store).map { .constant($0) } ?? tree
        }
        guard case .function(let name, _) = tree, !parts.isEmpty else { return tree }
        return .function(
            name,
            parts.map { part in
                if let part = part as? NSExpression { return part.tree(in: store) }
                return .constant(
                    PredicateConversion.operand(part, in: store) ?? .value(.null))
            })
    }

    /// The constants of the program in the expression.
    final var constants: [Any] {
        if isConstant { return stated.map { [$0] } ?? [] }
        return parts.flatMap { part in (part as? NSExpression)?.constants ?? [part] }
    }

    /// The object itself.
    open class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(tree: .evaluatedObject)
    }

    /// The expression's value for an object.
    ///
    /// Traps for what the object does not have.
    ///
    /// - Parameters:
    ///   - object: A managed object, or a value that stands for `SELF`.
    ///   - context: The values of variables by their names.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        if isTool { return stated }
        let managed = object as? NSManagedObject
        let subject = PredicateConversion.subject(object)
        var variables: [String: SubjectOperand] = [:]
        for (name, value) in context ?? [:] {
            variables["\(name)"] = PredicateConversion.subject(value)
        }
        do {
            let value = try tree.value(with: subject, variables: variables)
            return PredicateConversion.object(value, managed?.context)
        } catch {
            trap("\(self) cannot be evaluated: \(error)")
        }
    }

    /// The expression's text.
    open override var description: String { isTool ? "\(stated ?? "nil")" : "\(tree)" }

    /// Whether both have the same parts: paths, functions, variables and equal constants.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        if other === self { return true }
        guard type(of: other) == type(of: self), isTool == other.isTool else { return false }
        return isTool ? StructuralEquality.equal(stated, other.stated) : tree == other.tree
    }

    /// The hash of the parts.
    open override var hash: Int { isTool ? 0 : tree.hashValue }
}
