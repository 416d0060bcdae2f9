// SPDX-License-Identifier: Apache-2.0

import Schema

/// An entity while its model is being worked out; columns go by their index in the statistics.
struct EntityDraft {
    /// What becomes of a column.
    enum Role: Equatable {
        case ignored
        case attribute
        /// A reference to the entity of an index.
        case toOne(Int)
        /// An array of references to the entity of an index.
        case toMany(Int)
    }

    /// One end of a table of links.
    struct LinkEnd {
        var column: Int
        var destination: Int
        var property: String?
    }

    let statistics: EntityStatistics
    let mapping: EntityMapping
    /// The name in the model.
    let name: String
    /// Whether the entity is no part of the model.
    var isLeftOut: Bool
    /// Whether only the store has the entity, and the data no more than references to it.
    let isOfStore: Bool
    var keyColumn: Int?
    var keyType = AttributeType.string
    var roles: [Role]
    /// The ends, for a table of links.
    var links: (first: LinkEnd, second: LinkEnd)?
    /// The properties' names by column.
    var propertyNames: [String?]
    /// The inverses' names by column, for relationships.
    var inverseNames: [String?]

    init(_ statistics: EntityStatistics, _ mapping: EntityMapping) {
        self.statistics = statistics
        self.mapping = mapping
        name = mapping.name ?? PropertyName.entity(statistics.sourceName)
        roles = statistics.columns.map {
            mapping.ignoredColumns.contains($0.name) || $0.mentioned == 0 ? .ignored : .attribute
        }
        isLeftOut = mapping.isIgnored || !roles.contains(.attribute)
        isOfStore = false
        propertyNames = roles.map { _ in nil }
        inverseNames = roles.map { _ in nil }
    }

    /// Makes the draft of an entity that only the store has: of nothing but its key.
    init(ofStore name: String, key: String, _ keyType: AttributeType) {
        var statistics = EntityStatistics(sourceName: name)
        keyColumn = statistics.column(named: key)
        self.statistics = statistics
        self.name = name
        self.keyType = keyType
        mapping = EntityMapping()
        roles = [.attribute]
        isLeftOut = false
        isOfStore = true
        propertyNames = [key]
        inverseNames = [nil]
    }

    var sourceName: String { statistics.sourceName }
    var columns: [ColumnStatistics] { statistics.columns }

    /// Whether the entity has objects, not only links.
    var isEntity: Bool { !isLeftOut && links == nil }
    /// Whether the data has the table, and it is not left out.
    var isInData: Bool { !isLeftOut && !isOfStore }

    func column(named name: String) -> Int? {
        statistics.columns.firstIndex { $0.name == name }
    }
}
