// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// One validation predicate of a property, ready to run on stored values.
struct ValueCheck {
    let predicate: NSPredicate
    let code: CocoaError.Code
    /// What the model says instead of a code.
    let message: String?
    /// Nil for a predicate that only runs on Foundation's values, such as one made of a block.
    private let prepared: PreparedPredicate?

    /// - Parameter warning: A message, or a number that is the error's code.
    init(_ predicate: NSPredicate, warning: Any) {
        self.predicate = predicate
        let number = (warning as? NSNumber)?.intValue ?? (warning as? Int)
        code = number.map { CocoaError.Code(rawValue: $0) } ?? .managedObjectValidation
        message = warning as? String
        prepared = (try? PredicateConversion.predicate(predicate, nil)).flatMap {
            try? PreparedPredicate($0)
        }
    }

    /// Whether a value satisfies the predicate.
    ///
    /// - Parameter object: The value as Foundation has it, asked for only where it is needed.
    /// - Throws: Why the predicate cannot be evaluated with the value: that may be up to the value,
    ///   as with a text on which a regular expression takes too long.
    func accepts(_ operand: SubjectOperand, _ object: () -> Any?) throws -> Bool {
        guard let prepared else { return try predicate.holds(for: object()) }
        return try prepared.evaluate(with: operand)
    }
}
