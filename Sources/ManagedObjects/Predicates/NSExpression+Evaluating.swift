// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

extension ExpressionParts {
    /// The expression's value for an object.
    ///
    /// A constant gives the value that it was made with. Traps for what the object does not have.
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
            case nil: return try content.value(evaluation)
            }
        } catch {
            trap("\(self) cannot be evaluated: \(error)")
        }
    }

    /// On Apple's systems allows an expression that was unarchived to be evaluated; here all may.
    public func allowEvaluation() {}
}

extension BoundTree<ExpressionTree> {
    /// The value of the expression as programs have it.
    func value(_ evaluation: TreePurpose.Evaluation) throws -> Any? {
        var purpose = TreePurpose()
        purpose.evaluation = evaluation
        var variables: [String: SubjectOperand] = [:]
        for (name, value) in evaluation.bindings ?? [:] {
            variables["\(name)"] = PredicateConversion.subject(value)
        }
        let managed = evaluation.object as? NSManagedObject
        let value = try resolved(for: purpose)
            .value(with: PredicateConversion.subject(evaluation.object), variables: variables)
        return PredicateConversion.object(value, managed?.context)
    }
}
