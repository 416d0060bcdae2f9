// SPDX-License-Identifier: Apache-2.0

/// What a way of finding objects costs: the unit is a step of a scan.
///
/// The ratios were measured, see the module's article. They need not be exact: a wrong one costs
/// time near the point where two ways are equally fast, and never changes a result.
struct Cost: Comparable, Sendable {
    var steps: Double

    init(_ steps: Double) { self.steps = steps }

    static let none = Cost(0)
    /// Reads the next record of a table and checks it: the unit.
    static let step = Cost(1)
    /// Reads the next entry of an index.
    static let entry = Cost(2)
    /// Finds the next key of an index, and how many entries it has.
    static let key = Cost(5)
    /// Finds a key in a tree from its root, with what a range costs in planning.
    static let seek = Cost(40)
    /// Looks up a record, in an order that leads all over the table.
    static let lookUp = Cost(40)
    /// Looks up some of the records of a table in the order of their keys, several at a time: the
    /// closer they lie, the more of them share a page.
    static func orderedLookUp(_ rows: Double, of count: Double) -> Cost {
        Cost(min(5, max(2, count / max(1, rows))))
    }
    /// Collects a key and brings it into order.
    static let collect = Cost(3)
    /// Looks whether a key is among those collected.
    static let probe = Cost(0.5)
    /// Sorts a row in memory.
    static let sort = Cost(20)
    /// Looks in a filter whether a value is in a list.
    static let membership = Cost(6)
    /// Looks into a text in a filter.
    static let text = Cost(2)
    /// Follows a relationship in a filter.
    static let follow = Cost(10)

    static func < (left: Cost, right: Cost) -> Bool { left.steps < right.steps }
    static func + (left: Cost, right: Cost) -> Cost { Cost(left.steps + right.steps) }
    static func += (left: inout Cost, right: Cost) { left.steps += right.steps }
    static func * (left: Double, right: Cost) -> Cost { Cost(left * right.steps) }
}

/// A possible source of a plan.
struct Candidate {
    var source: FetchSource
    /// The parts of the conjunction that hold for all that the source yields.
    var settled: Set<Int>
    /// About how many objects the source yields.
    var rows: Double
    /// What finding their keys costs.
    var finding: Cost
    /// What reading the record of each costs then.
    var lookUp = Cost.none
    /// Whether reading may end early: nothing is collected first.
    var streams = false

    /// What finding all objects and reading their records costs.
    var total: Cost { finding + rows * lookUp }

    var isNothing: Bool {
        if case .nothing = source { true } else { false }
    }

    /// No object satisfies a part.
    static func nothing(_ member: Int) -> Candidate {
        Candidate(source: .nothing, settled: [member], rows: 0, finding: .none)
    }
}
