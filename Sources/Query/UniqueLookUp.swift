// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// The fetch of `key == constant` by a unique index, made ready once for any constant.
///
/// Programs that find or create ask nothing else. It answers as the plan of the fetch does, without
/// making one: that takes longer than to look the object up.
///
/// *Threads.* One at a time, as the snapshots that it reads.
public final class UniqueLookUp {
    private let store: Store
    private let catalog: CatalogState
    private let table: EntityTable
    private let index: IndexTable
    private let type: AttributeType
    private let entities: EntitySet
    // Kept for its memory.
    // SAFETY: only `answer` uses it, which calls no code of others, in the one thread that uses the
    // snapshot.
    @exclusivity(unchecked) private var key = IndexKey()

    /// What a look-up has found.
    public enum Answer {
        /// No object has the value.
        case nothing
        /// The object, with its record.
        case object(ObjectKey, RecordView)
        /// The value has to be fetched by a plan: it is of another type, or too long for a key.
        case unanswered
    }

    /// Makes a look-up.
    ///
    /// - Parameters:
    ///   - key: The attribute.
    ///   - table: The entity's table.
    ///   - includesSubentities: Whether objects of entities that inherit from it are found too.
    ///   - snapshot: A snapshot of the store.
    /// - Returns: `nil` where no unique index of all objects has the key alone.
    /// - Complexity: O(indexes of the entity).
    public init?(
        _ key: String, of table: EntityTable, includesSubentities: Bool,
        in snapshot: StoreSnapshot
    ) {
        guard let position = table.field(named: key),
            let index = snapshot.catalog.indexes(of: table).first(where: {
                $0.index.isUnique && $0.fields == [position] && !$0.index.isPartial
            })
        else { return nil }
        store = snapshot.store
        catalog = snapshot.catalog
        self.table = table
        self.index = index
        type = table.fields[position].type
        entities = EntitySet(table, includesSubentities: includesSubentities, in: store)
    }

    /// Whether it was made for the indexes that a snapshot has.
    public func fits(_ snapshot: StoreSnapshot) -> Bool { snapshot.catalog === catalog }

    /// Looks for the object of a value.
    ///
    /// - Parameters:
    ///   - value: The value; one of another type is left unanswered.
    ///   - snapshot: One that it ``fits(_:)``.
    /// - Throws: ``StoreError`` with `damaged` for a record that does not fit its layout.
    /// - Complexity: O(log n) pages.
    public func answer(
        _ value: Value, in snapshot: StoreSnapshot
    ) throws(StoreError) -> Answer {
        guard value.hasOneForm(in: type) else { return .unanswered }
        key.removeAll()
        key.append(value, isDescending: index.index.isDescending(0))
        if key.isTruncated { return .unanswered }
        guard let found = try snapshot.firstObject(of: index, under: key) else { return .nothing }
        // Of the entity itself, unless that is abstract or another one inherits from it.
        let isUsual = found.entity == table.number
        guard isUsual || entities.contains(found) else { return .nothing }
        let record =
            isUsual
            ? try snapshot.record(row: found.row, in: table) : try snapshot.record(for: found)
        return record.map { .object(found, $0) } ?? .nothing
    }
}
