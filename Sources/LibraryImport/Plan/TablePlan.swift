// SPDX-License-Identifier: Apache-2.0

import Schema

/// What becomes of one table's rows.
package struct TablePlan: Sendable {
    /// What a row becomes.
    package enum Target: Sendable, Hashable {
        /// Nothing.
        case ignored
        /// An object of an entity.
        case entity(EntityIndex)
        /// A link of a many-to-many relationship.
        case links(LinkIndex)
    }

    /// What a column's value becomes.
    package enum Slot: Sendable, Hashable {
        /// The attribute of an index in the entity.
        case attribute(Int)
        /// The key of the destination of the to-one relationship of an index in the entity.
        case toOne(Int)
        /// The keys of destinations, for the array relationship of an index in `arrayLinks`.
        case toMany(Int)
        /// The key of the first end of a link.
        case firstEnd
        /// The key of the second end of a link.
        case secondEnd
    }

    /// How a column is converted.
    package struct Column: Sendable, Hashable {
        /// The column's name in the data.
        package var sourceName: String
        /// Where the value goes.
        package var slot: Slot
        /// The type of the value, or of the destination's key.
        package var type: AttributeType
        /// Whether a row without the value is rejected.
        var isRequired: Bool
        /// Whether the empty text is a value: not of a key, and only where texts are.
        var takesEmptyText = false
    }

    /// The table's name in the data.
    package var sourceName: String
    /// The name of the entity or relationship, for reports.
    package var name: String
    /// What a row becomes.
    package var target: Target
    /// The columns that become something.
    package var columns: [Column] = [] {
        didSet { requiredCount = columns.count { $0.isRequired } }
    }
    /// The columns without which a row is rejected.
    private(set) var requiredCount = 0
    /// The many-to-many relationships that columns with arrays become.
    var arrayLinks: [LinkIndex] = []
    /// The to-one relationships, by index in the entity, that are set in the references phase.
    ///
    /// Their destinations may come after the row.
    package var deferredToOne: Set<Int> = []
    /// The array relationships, by index in `arrayLinks`, that are set in the references phase.
    package var deferredArrays: Set<Int> = []
    /// Whether a table of links is read in the references phase, and not in the objects phase.
    package var isDeferred = false

    init(sourceName: String, name: String, target: Target) {
        self.sourceName = sourceName
        self.name = name
        self.target = target
    }

    /// Whether rows matter in the references phase.
    package var hasDeferredWork: Bool {
        isDeferred || !deferredToOne.isEmpty || !deferredArrays.isEmpty
    }
}
