// SPDX-License-Identifier: Apache-2.0

/// What a mapping says about one relationship; `nil` leaves the choice to inference.
public struct RelationshipMapping: Sendable, Hashable {
    /// The destination's name in the data.
    public var destination: String?
    /// The property's name.
    public var name: String?
    /// The name of the destination's property that leads back.
    public var inverse: String?
    /// Whether a row may lack the reference.
    public var isOptional: Bool?

    /// Makes a mapping that changes nothing.
    public init() {}
}
