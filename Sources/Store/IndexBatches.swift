// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The changes of all indexes that a save collects.
///
/// A list, as indexes are few. Records come entity by entity, so the indexes of the last record's
/// entity are at hand with their batches, in memory in which nothing is counted: each record would
/// count references to all of them.
final class IndexBatches {
    /// An index of an entity and its batch.
    // SAFETY: `catalog` keeps the index, and `batches` the batch until the feeds are forgotten.
    private struct Feed {
        let index: Unmanaged<IndexTable>
        let batch: Unmanaged<IndexBatch>
    }

    private let catalog: CatalogState
    private var batches: ContiguousArray<IndexBatch> = []
    // SAFETY: a save runs on one thread, and adding entries calls no code of others. The references
    // are to indexes of `catalog` and to members of `batches`, which is only appended to until
    // `takeEach` forgets the feeds.
    @exclusivity(unchecked) private var feeds = UnsafeMutableBufferPointer<Feed>(
        start: nil, count: 0)
    /// The entity that the feeds are of.
    @exclusivity(unchecked) private var ordinal = -1

    init(_ catalog: CatalogState) { self.catalog = catalog }

    deinit { feeds.deallocate() }

    /// Collects the entries of a record that comes or goes.
    @inline(__always)
    func add(
        _ record: RecordView, _ key: ObjectKey, _ table: EntityTable, isInsertion: Bool
    ) {
        if table.ordinal != ordinal { turn(to: table) }
        // SAFETY: the feeds' objects live as long as this one, see above.
        for feed in feeds {
            feed.index._withUnsafeGuaranteedRef { index in
                feed.batch._withUnsafeGuaranteedRef {
                    $0.add(record, key, index, table, isInsertion: isInsertion)
                }
            }
        }
    }

    /// Collects what changes from one record of an object to another.
    func replace(
        _ old: RecordView, by new: RecordView, _ key: ObjectKey, _ table: EntityTable
    ) {
        if table.ordinal != ordinal { turn(to: table) }
        // SAFETY: as in `add`.
        for feed in feeds {
            feed.index._withUnsafeGuaranteedRef { index in
                feed.batch._withUnsafeGuaranteedRef {
                    $0.replace(old, by: new, key, index, table)
                }
            }
        }
    }

    /// The batch of an index, which is made when there is none.
    func batch(of index: IndexTable) -> IndexBatch {
        let number = index.number.rawValue
        if let known = batches.first(where: { $0.number == number }) { return known }
        let made = IndexBatch(index)
        batches.append(made)
        return made
    }

    /// Hands out the batches, in the order of the indexes' numbers, and forgets them.
    ///
    /// Each one ends before the next one is handed out: a save of many objects has large ones.
    func takeEach(_ body: (IndexBatch) throws -> Void) rethrows {
        feeds.deallocate()
        feeds = UnsafeMutableBufferPointer(start: nil, count: 0)
        ordinal = -1
        batches.sort { $0.number > $1.number }
        while let batch = batches.popLast() { try body(batch) }
    }

    // SAFETY: `catalog` keeps the indexes, and `batches` the batches until the feeds are forgotten.
    @inline(never)
    private func turn(to table: EntityTable) {
        let indexes = catalog.indexes(of: table)
        feeds.deallocate()
        feeds = .allocate(capacity: indexes.count)
        for (place, index) in indexes.enumerated() {
            feeds.initializeElement(
                at: place,
                to: Feed(
                    index: .passUnretained(index), batch: .passUnretained(batch(of: index))))
        }
        ordinal = table.ordinal
    }
}
