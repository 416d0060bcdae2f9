// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Synchronization

/// The databases of one entity.
///
/// A class, so that handing one on costs a reference and not a copy of all it holds.
public final class EntityTable: Sendable {
    /// The entity's position in the schema.
    public let ordinal: Int
    /// The compiled description.
    public let entity: Entity
    /// The entity's number in the file.
    public let number: EntityNumber
    /// The layout that new records are written with.
    public let layout: RecordLayout
    /// The stored fields, in layout order.
    public let fields: [StoredField]
    /// The tables of the relationships, in the order of the entity's relationships.
    public let relationships: [RelationshipTable]
    @usableFromInline let objects: Database
    /// Whether values of an object may lie outside its record.
    let hasBinaryFields: Bool
    // Any thread may find that another program has changed the indexes.
    private let newestIndexes: Mutex<[IndexTable]>

    init(
        ordinal: Int, entity: Entity, number: EntityNumber, layout: RecordLayout,
        relationships: [RelationshipTable], indexes: [IndexTable], objects: Database
    ) {
        self.ordinal = ordinal
        self.entity = entity
        self.number = number
        self.layout = layout
        fields = entity.storedFields
        self.relationships = relationships
        newestIndexes = Mutex(indexes)
        self.objects = objects
        hasBinaryFields = fields.contains { $0.type == .binaryData || $0.type == .transformable }
    }

    /// The tables of the indexes, in the order of the entity's indexes.
    ///
    /// As of the newest state of the file that was looked at: another program may have added
    /// indexes, or taken some away, since a snapshot began.
    public internal(set) var indexes: [IndexTable] {
        get { newestIndexes.withLock { $0 } }
        set { newestIndexes.withLock { $0 = newValue } }
    }

    /// The position of a stored property in the layout.
    /// - Complexity: O(fields).
    public func field(named name: String) -> Int? { fields.firstIndex { $0.name == name } }

    /// The table of a relationship.
    /// - Complexity: O(relationships).
    public func relationship(named name: String) -> RelationshipTable? {
        relationships.first { $0.relationship.name == name }
    }
}

/// The database of one direction of a relationship.
///
/// A to-one relationship is a slot of the record and has no database; a to-many relationship and
/// the inverse of a to-one are rows of destinations under the owner's key.
///
/// A class for the same reason as that of an entity.
public final class RelationshipTable: Sendable {
    /// The compiled description.
    public let relationship: Relationship
    /// The relationship's number in the file.
    public let number: PropertyNumber
    @usableFromInline let links: Database?
    /// The entities that destinations may have: that of the model and those that inherit from it.
    let destinations: DestinationEntities

    init(
        relationship: Relationship, number: PropertyNumber, links: Database?,
        destinations: DestinationEntities
    ) {
        self.relationship = relationship
        self.number = number
        self.links = links
        self.destinations = destinations
    }

    /// Whether destinations keep their order; false in a file of version 1, which has none.
    public var isRanked: Bool { links.map { !$0.flags.contains(.integerDup) } ?? false }

    /// Whether destinations are kept in a database rather than in the record.
    public var isLinked: Bool { links != nil }
}

/// The database of one index.
///
/// A class for the same reason as that of an entity.
public final class IndexTable: Sendable {
    /// The compiled description.
    public let index: Index
    /// The index's number in the file.
    public let number: PropertyNumber
    /// The positions of the indexed properties in the entity's layout.
    public let fields: [Int]
    @usableFromInline let entries: Database
    /// Where records have the values of keys.
    // SAFETY: set once, and only read until the deinitialiser gives the memory back. A pointer, as
    // each record of a save would retain an array.
    nonisolated(unsafe) let keyFields: UnsafeBufferPointer<KeyField>
    /// Which objects have entries; nil for all.
    let filter: IndexFilter?
    /// The name of the database.
    let databaseName: String

    init(
        index: Index, number: PropertyNumber, fields: [Int], of layout: RecordLayout,
        filter: IndexFilter?, entries: Database
    ) {
        let keyFields = UnsafeMutableBufferPointer<KeyField>.allocate(capacity: fields.count)
        for (place, position) in fields.enumerated() {
            keyFields.initializeElement(
                at: place,
                to: KeyField(position, in: layout, isDescending: index.isDescending(place)))
        }
        self.keyFields = UnsafeBufferPointer(keyFields)
        databaseName = StoreDatabases.indexSpec(number.rawValue).name
        self.index = index
        self.number = number
        self.fields = fields
        self.filter = filter
        self.entries = entries
    }

    deinit { keyFields.deallocate() }

    /// Whether an object with a record has an entry.
    @inline(__always)
    func includes(_ record: RecordView, _ entity: EntityTable) -> Bool {
        guard let filter else { return true }
        return filter.matches(record, entity.layout)
    }
}
