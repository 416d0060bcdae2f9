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
    /// Whether it has eight bytes that hold a double, as the usual ratings, prices and dates.
    private let isDouble: Bool
    private var entity: EntityNumber?
    private var place: FieldPlace?
    /// Doubles before the one or behind the other are behind the best rows.
    private var (least, greatest) = (-Double.infinity, Double.infinity)
    /// Where the doubles of the last row's entity are.
    private var (position, offset) = (0, 0)
    private var hasDoubles = false

    init?(_ paths: [SortPath]) {
        guard let path = paths.first, path.steps.count == 1 else { return nil }
        switch path.type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date: break
        default: return nil
        }
        places = path.steps[0]
        isAscending = path.order.isAscending
        isDouble = path.type == .double || path.type == .date
    }

    /// Learns the last of the best rows.
    mutating func note(last row: ResultRow, _ snapshot: StoreSnapshot) {
        guard isDouble, let place = place(row, snapshot), !row.record.isNull(place.position) else {
            return
        }
        let number = place.double(row.record)
        if isAscending { greatest = number } else { least = number }
    }

    /// Whether a row comes behind all whose bytes begin with a word.
    @inline(__always)
    mutating func isBehind(
        _ word: UInt64, _ row: ResultRow, _ snapshot: StoreSnapshot
    ) -> Bool {
        // The usual row is told by its double as it is, without being made a word.
        if hasDoubles, row.key.entity == entity, !row.record.isNull(position) {
            let number = Double(bitPattern: row.record.load(at: offset, as: UInt64.self))
            if number < least || number > greatest { return true }
        }
        return isWordBehind(word, row, snapshot)
    }

    @inline(never)
    private mutating func isWordBehind(
        _ word: UInt64, _ row: ResultRow, _ snapshot: StoreSnapshot
    ) -> Bool {
        guard let place = place(row, snapshot), !row.record.isNull(place.position) else {
            return false
        }
        let own = SortPath.firstWord(of: place, in: row.record)
        return (isAscending ? own : ~own) > word
    }

    private mutating func place(_ row: ResultRow, _ snapshot: StoreSnapshot) -> FieldPlace? {
        let number = row.key.entity
        if number != entity {
            entity = number
            place = snapshot.store.ordinal(of: number).flatMap { places[$0] }
            hasDoubles = isDouble && place != nil
            if let place { (position, offset) = (place.position, place.offset) }
        }
        return place
    }
}
