// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

/// The destinations that a batch update takes away from mandatory to-many relationships.
struct InverseLosses {
    private struct Side: Hashable {
        let owner: ObjectKey
        let number: PropertyNumber
    }

    private var sides: [Side: (table: RelationshipTable, count: Int)] = [:]

    /// Notes that an owner has one destination less.
    mutating func add(_ owner: ObjectKey, _ table: RelationshipTable) {
        sides[Side(owner: owner, number: table.number), default: (table, 0)].count += 1
    }

    /// Checks that each owner keeps a destination.
    ///
    /// No owner has gained a destination: all objects of an update move to the same owner, and none
    /// moves away from that one.
    ///
    /// - Throws: 1570 for the first owner that keeps none.
    func check(_ transaction: SaveTransaction) throws {
        for (side, loss) in sides.sorted(by: { $0.key.owner < $1.key.owner }) {
            // As of the begin of the transaction.
            let before = try transaction.destinations(of: side.owner, loss.table).count
            guard before <= loss.count,
                let ordinal = transaction.store.ordinal(of: side.owner.entity)
            else { continue }
            let entity = transaction.store.tables[ordinal].entity.name
            let name = loss.table.relationship.name
            throw CoreDataError.make(
                .validationMissingMandatoryProperty,
                "the batch update would leave \(entity).\(name) of row \(side.owner.row) without a "
                    + "destination, which is mandatory; leave it one, or delete that object first",
                [NSValidationKeyErrorKey: name])
        }
    }
}
