// SPDX-License-Identifier: Apache-2.0

/// What a mapping says about one entity; see ``ImportMapping``.
public struct EntityMapping: Sendable, Hashable {
    /// The entity's name in the model.
    public var name: String?
    /// The column that identifies a row.
    public var key: String?
    /// Whether the entity is left out.
    public var isIgnored = false
    /// The columns that are left out.
    public var ignoredColumns: Set<String> = []
    /// The attributes by column.
    public var attributes: [String: AttributeMapping] = [:]
    /// The relationships by column.
    public var relationships: [String: RelationshipMapping] = [:]
    /// Whether the entity is a table of links.
    public var links = LinkMapping.automatic

    /// Makes a mapping that changes nothing.
    public init() {}
}
