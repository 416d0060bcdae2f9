// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// What reports say about rows that cannot become objects.
enum RejectionReason {
    /// The key of the row came before.
    static func duplicate(_ attribute: InferredAttribute, _ key: Value) -> String {
        "\(attribute.sourceName) \(text(key)) is in an earlier row already"
    }

    /// A unique value of the row is that of another object.
    static func taken(
        _ attribute: InferredAttribute, _ value: Value, by entity: InferredEntity
    ) -> String {
        "\(attribute.sourceName) \(text(value)) belongs to another \(entity.name) already"
    }

    /// Values of the row that the store keeps unique are those of another object.
    static func taken(_ conflict: NSConstraintConflict) -> String {
        let values = conflict.constraint.map { name in
            let value = conflict.constraintValues[name].map { value in
                (value as? String).map { "\"\($0.shortened())\"" } ?? "\(value)".shortened()
            }
            return "\(name) \(value ?? "null")"
        }
        let object = conflict.databaseObject ?? conflict.conflictingObjects.first
        return "\(values.joined(separator: " with ")) belongs to another "
            + "\(object?.entity.name ?? "object") already"
    }

    /// The row refers to an object that is not there.
    static func dangling(_ column: String, _ key: Value, _ entity: InferredEntity) -> String {
        "\(column) \(text(key)) leads to no \(entity.name)"
    }

    /// A new object needs a value that no row of the data has.
    static func missing(_ name: String) -> String { "\(name) is missing" }

    private static func text(_ value: Value) -> String {
        if case .string(let text) = value { return "\"\(text.shortened())\"" }
        return value.plainObject.map { "\($0)".shortened() } ?? "null"
    }
}
