// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

extension ExpressionParts {
    /// The expression's value for an object.
    ///
    /// A constant gives the value that it was made with, `SELF` and a variable what stands for
    /// them. A to-many relationship is a set, an ordered one an `NSOrderedSet`, and so is what a
    /// subquery finds in them; operations on sets give a set, aggregates and lists an array.
    /// Traps for what the object does not have.
    ///
    /// - Parameters:
    ///   - object: A managed object, or a value that stands for `SELF`.
    ///   - context: The values of variables by their names.
    public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        let evaluation = TreePurpose.Evaluation(object: object, bindings: context)
        do {
            switch boundValue {
            case .constant(let constant)?: return constant.stated
            case .fetch(let fetch)?: return fetch.run(with: object, context)
            case .block(let block)?:
                guard case .function(_, let arguments) = content.tree else { return nil }
                return try content.result(of: block, arguments, evaluation)
            case .deep?, nil: return try content.value(evaluation)
            }
        } catch {
            trap("\(self) cannot be evaluated: \(error)")
        }
    }

    /// Does nothing: on Apple's systems it allows an expression that was unarchived to be
    /// evaluated, which is allowed here.
    public func allowEvaluation() {}
}

extension BoundTree<ExpressionTree> {
    /// The value of the expression as programs have it.
    func value(_ evaluation: TreePurpose.Evaluation) throws -> Any? {
        switch tree {
        case .evaluatedObject: return ValueConversion.unwrapped(evaluation.object)
        case .variable(let name):
            if let value = evaluation.bindings?[name] { return ValueConversion.unwrapped(value) }
        default: break
        }
        var purpose = TreePurpose()
        purpose.evaluation = evaluation
        var variables = ownValues
        for (name, value) in evaluation.bindings ?? [:] {
            variables["\(name)"] = PredicateConversion.subject(value)
        }
        let managed = PredicateConversion.instance(
            evaluation.object, of: NSManagedObject.self)
        let value = try resolved(for: purpose)
            .value(with: PredicateConversion.subject(evaluation.object), variables: variables)
        if case .collection(let members) = value {
            let kind = CollectionKinds(values: values, evaluation: evaluation).kind(of: tree)
            let objects = members.map { PredicateConversion.object($0, managed?.context) }
            // Lists leave nil out too, where those of key-value coding have `NSNull`.
            return KeyPathValue.collection(objects.filter { $0 != nil }, kind)
        }
        return PredicateConversion.object(value, managed?.context)
    }
}
