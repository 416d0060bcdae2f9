// SPDX-License-Identifier: Apache-2.0

import Predicates
import Store

/// A fetch that cannot be planned.
public struct QueryError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// The model has no entity of the name.
        case unknownEntity
        /// A key path names a property that the entity does not have.
        case unknownKeyPath
        /// The store cannot evaluate this: a transient property, an order by a to-many
        /// relationship, a variable without a value.
        case unsupported
        /// A property is used as what it is not, or a constant is malformed.
        case typeMismatch
        /// The fetch would scan more objects than ``FetchDescription/scanLimit`` allows.
        case scanRefused
        /// Reading the store failed.
        case store
    }

    /// The kind of failure.
    public let code: Code
    /// The entity, the key path and what is possible instead.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension QueryError {
    init(_ error: StoreError) { self.init(.store, error.description) }

    init(_ error: PredicateEvaluationError) { self.init(.typeMismatch, error.message) }
}
