// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// The first criterion of an order, where that is a number in the row's own record.
///
/// It rules most rows out by one comparison once the best ones are known. What it knows of the last
/// row's entity is kept, as rows of one entity follow each other.
struct LeadingField {
    /// By entity ordinal.
    private let places: [FieldPlace?]
    private let isAscending: Bool
    private var entity: EntityNumber?
    private var place: FieldPlace?

    init?(_ paths: [SortPath]) {
        guard let path = paths.first, path.steps.count == 1 else { return nil }
        switch path.type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date: break
        default: return nil
        }
        places = path.steps[0]
        isAscending = path.order.isAscending
    }

    /// Whether a row comes behind all whose bytes begin with a word.
    @inline(__always)
    mutating func isBehind(
        _ word: UInt64, _ row: ResultRow, _ snapshot: StoreSnapshot
    ) -> Bool {
        let number = row.key.entity
        if number != entity {
            entity = number
            place = snapshot.store.ordinal(of: number).flatMap { places[$0] }
        }
        guard let place, !row.record.isNull(place.position) else { return false }
        let own = SortPath.firstWord(of: place, in: row.record)
        return (isAscending ? own : ~own) > word
    }
}
