// SPDX-License-Identifier: Apache-2.0

/// Why a predicate cannot be evaluated.
public struct PredicateEvaluationError: Error, Sendable, Hashable {
    /// The kind of an evaluation error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A variable has no value.
        case missingVariable
        /// An operator or function does not apply to what its operands are.
        case typeMismatch
        /// A key cannot be read of something that is not an object.
        case invalidKey
        /// There is no such function, or it needs other arguments.
        case unknownFunction
        /// A regular expression cannot be read.
        case invalidPattern
        /// A regular expression takes too long on a text.
        case tooManySteps
    }

    /// The kind of the error.
    public let code: Code
    /// What went wrong and what to do.
    public let message: String

    /// Makes an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension PredicateEvaluationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
