// SPDX-License-Identifier: Apache-2.0

import Schema

/// The entity of an object as predicates see it: compared by its name.
public struct EntitySubject: PredicateSubject {
    private let name: String

    /// Makes a subject.
    public init(name: String) { self.name = name }

    /// None: an entity is no object of a store.
    public var predicateIdentity: ObjectKey? { nil }

    /// The entity's name.
    public var predicateValue: Value? { .string(name) }

    /// The name, which is all that predicates read of an entity.
    public func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if key == "name" { return .value(.string(name)) }
        throw PredicateEvaluationError(
            code: .invalidKey,
            message: "the key “\(key)” cannot be read of an entity; read its name")
    }
}
