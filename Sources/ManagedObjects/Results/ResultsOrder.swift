// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// What a controller keeps of an object: its sort values when it was placed, and its section.
///
/// Kept apart from the object, whose values have changed already when its old place is looked for.
struct ResultsEntry {
    /// The value of the first sort descriptor; most have only one.
    var first: Value
    var rest: [Value]
    /// Decides between equal values: an object keeps its number for as long as it is a result.
    let ordinal: Int
    var section: ResultsSection

    func hasValues(of other: ResultsEntry) -> Bool {
        first == other.first && rest == other.rest
    }
}

/// The order of a controller's results.
struct ResultsOrder {
    let orders: [SortKey]
    /// The first key path, as text.
    let leadingPath: String
    private let fields: [SortField]

    init(_ orders: [SortKey]) {
        self.orders = orders
        leadingPath = orders.first?.keyPath.joined(separator: ".") ?? ""
        fields = orders.map(SortField.init)
    }

    /// The values that an object is sorted by now.
    func values(of object: NSManagedObject) throws -> (first: Value, rest: [Value]) {
        // Without descriptors results stand in the order of the fetch, new ones behind them.
        guard !orders.isEmpty else { return (.null, []) }
        let first = try fields[0].value(of: object)
        guard orders.count > 1 else { return (first, []) }
        return (first, try fields.dropFirst().map { try $0.value(of: object) })
    }

    /// Whether an entry stands before another one.
    func precedes(_ left: ResultsEntry, _ right: ResultsEntry) -> Bool {
        guard let leading = orders.first else { return left.ordinal < right.ordinal }
        let ordering = leading.compare(left.first, right.first)
        if ordering != .same { return ordering == .ascending }
        for index in left.rest.indices {
            let ordering = orders[index + 1].compare(left.rest[index], right.rest[index])
            if ordering != .same { return ordering == .ascending }
        }
        return left.ordinal < right.ordinal
    }
}
