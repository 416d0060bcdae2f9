// SPDX-License-Identifier: Apache-2.0

/// A rule that a schema breaks.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of broken rule.
    public enum Code: Sendable, Hashable {
        /// Two entities, properties or indexes have one name.
        case duplicateName
        /// A name is empty or too long.
        case badName
        /// A superentity, destination, inverse or indexed property does not exist.
        case unknownName
        /// Entities inherit from one another in a circle.
        case inheritanceCycle
        /// A chain of inheriting entities is too long.
        case inheritanceTooDeep
        /// An inverse does not point back, or counts contradict each other.
        case inconsistentRelationship
        /// A default value is not of its attribute's type.
        case badDefault
    }

    /// The kind of broken rule.
    public let code: Code
    /// What is wrong, with the names of the entity and the property.
    public let description: String

    /// Makes an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
