// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// How many objects there are, and about how many of them conditions let through.
///
/// Counts of tables and indexes come from the store's newest state. A store that cannot be read
/// now is taken for an empty one: the fetch, which reads it as well, throws.
final class Estimates {
    let store: Store
    private var counts: [Int: Int] = [:]
    private var keyShares: [UInt32: Double?] = [:]

    /// A table with fewer objects is read in no time.
    static var leastCount: Int { 1_000 }

    /// So many objects are assumed in an empty store: what is planned is a store that has some.
    private static var assumedCount: Double { 200 }

    init(_ store: Store) { self.store = store }

    /// The number of objects of some entities.
    func count(_ entities: EntitySet) -> Int {
        entities.ordinals.reduce(0) { $0 + count($1) }
    }

    /// The number of objects of one entity.
    func count(_ ordinal: Int) -> Int {
        if let known = counts[ordinal] { return known }
        let count = (try? store.count(of: [store.tables[ordinal]])) ?? 0
        counts[ordinal] = count
        return count
    }

    /// The number of objects, or what is assumed where there are none.
    func assumedCount(_ entities: EntitySet) -> Double {
        let count = count(entities)
        return count == 0 ? Estimates.assumedCount : Double(count)
    }

    /// About how many entries an index has in ranges.
    ///
    /// - Parameter entities: The entities of the fetch; an index may have entries of others, too.
    /// - Returns: The entries, and how many of them are of the entities.
    func entries(
        of index: IndexScan, _ entities: EntitySet
    ) -> (entries: Double, rows: Double) {
        let own = assumedCount(entities)
        let found = store.estimatedCount(of: index.table, in: index.ranges)
        // A partial index may well be empty where there are objects.
        if index.table.index.isPartial, found?.total == 0, count(entities) > 0 { return (0, 0) }
        guard let found, found.total > 0 else {
            let guess = index.conditions.reduce(own) { $0 * $1.assumedShare }
            return (guess, guess)
        }
        let entries = Double(found.count)
        return (entries, entries * min(1, own / Double(found.total)))
    }

    /// About how many different keys an index has for each entry; nil where it has none.
    func keyShare(of index: IndexTable) -> Double? {
        if let known = keyShares[index.number.rawValue] { return known }
        let share = store.keyShare(of: index)
        keyShares[index.number.rawValue] = share
        return share
    }

    /// About how many destinations an owner has.
    func fan(of relationship: String, _ table: EntityTable, _ owners: Double) -> Double {
        guard let links = table.relationship(named: relationship),
            links.relationship.isToMany, let count = store.linkCount(of: links)
        else { return 1 }
        return count == 0 ? 3 : Double(count) / max(1, owners)
    }
}

extension Predicate {
    /// The share of objects that may satisfy, where nothing is known of them.
    var assumedShare: Double {
        switch self {
        case .constant(let value): value ? 1 : 0
        case .not(let operand): 1 - operand.assumedShare
        case .and(let members): members.reduce(1) { $0 * $1.assumedShare }
        case .or(let members): min(1, members.reduce(0) { $0 + $1.assumedShare })
        case .comparison(let comparison): comparison.assumedShare
        }
    }

    /// What checking a record costs beside a plain comparison: relationships that are followed,
    /// lists and text.
    var checking: Cost {
        switch self {
        case .constant: .none
        case .not(let operand): operand.checking
        case .and(let members), .or(let members): members.reduce(.none) { $0 + $1.checking }
        case .comparison(let comparison): comparison.checking
        }
    }
}

extension Comparison {
    /// As the predicate's.
    fileprivate var checking: Cost {
        var cost = Cost.none
        switch left {
        case .keyPath(let keys): cost += Double(keys.count - 1) * .follow
        // Of a few members each.
        case .member(.subquery(_, _, let condition), _): cost += 3 * (.follow + condition.checking)
        default: break
        }
        switch `operator` {
        case .in: cost += .membership
        case .contains, .like, .matches, .endsWith, .beginsWith: cost += .text
        default: break
        }
        return cost
    }

    /// As the predicate's.
    fileprivate var assumedShare: Double {
        if left.isCount, let share = `operator`.assumedShareOfCounts { return share }
        return switch `operator` {
        case .equalTo: 0.01
        case .notEqualTo: 0.9
        case .in:
            if case .list(let members) = right.constantOperand {
                min(0.5, 0.01 * Double(members.count))
            } else {
                0.05
            }
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between: 0.05
        case .beginsWith, .like: 0.03
        default: 0.1
        }
    }
}

extension Expression {
    /// Whether it counts members.
    fileprivate var isCount: Bool {
        switch self {
        case .keyPath(let keys), .member(_, let keys): keys.last == "@count"
        default: false
        }
    }
}

extension Operator {
    /// The share of owners whose number of members may satisfy; nil for what compares no numbers.
    ///
    /// Owners have much the same number of members, unlike the values that an index finds.
    fileprivate var assumedShareOfCounts: Double? {
        switch self {
        case .equalTo: 0.2
        case .notEqualTo: 0.9
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .in: 0.5
        default: nil
        }
    }
}
