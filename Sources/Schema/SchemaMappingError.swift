// SPDX-License-Identifier: Apache-2.0

/// A difference of two schemas for which no mapping can be inferred.
public struct SchemaMappingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity, as the destination has it.
    public let entity: String
    /// The name of the property, as the destination has it; nil where it is about the entity.
    public let property: String?
    /// What the difference is, and what to do.
    public let reason: String

    /// Makes an error.
    public init(entity: String, property: String? = nil, reason: String) {
        self.entity = entity
        self.property = property
        self.reason = reason
    }

    /// The names of the entity and the property, and the reason.
    public var description: String {
        "\(entity)\(property.map { ".\($0)" } ?? ""): \(reason)"
    }
}
