// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The condition of a partial index, for the records of one entity.
struct IndexFilter: Sendable {
    private indirect enum Node: Sendable {
        case all([Node])
        case any([Node])
        case not(Node)
        case lies(position: Int, KeyRanges)
    }

    private let root: Node
    /// The positions that the condition reads, in the entity's layout.
    let fields: [Int]

    /// - Parameter position: Where the entity's layout has an attribute.
    init(_ condition: IndexCondition, position: (String) -> Int) {
        root = IndexFilter.node(condition, position)
        fields = condition.attributes.map(position)
    }

    /// Conditions on one attribute become one set of its values.
    private static func node(_ condition: IndexCondition, _ position: (String) -> Int) -> Node {
        if let (name, ranges) = condition.keyRanges {
            return .lies(position: position(name), ranges)
        }
        return switch condition {
        case .all(let members): .all(members.map { node($0, position) })
        case .any(let members): .any(members.map { node($0, position) })
        case .not(let operand): .not(node(operand, position))
        case .isNull(let name): .lies(position: position(name), .null)
        case .compares(let name, let relation, let value):
            .lies(position: position(name), KeyRanges(relation, value))
        }
    }

    /// Whether an object with a record has an entry.
    func matches(_ record: RecordView, _ layout: RecordLayout) -> Bool {
        IndexFilter.matches(root, record, layout)
    }

    private static func matches(
        _ node: Node, _ record: RecordView, _ layout: RecordLayout
    ) -> Bool {
        switch node {
        case .all(let members): members.allSatisfy { matches($0, record, layout) }
        case .any(let members): members.contains { matches($0, record, layout) }
        case .not(let operand): !matches(operand, record, layout)
        case .lies(let position, let ranges): ranges.contains(key(position, record, layout))
        }
    }

    /// The whole key of a value, also of one that is too long for an index.
    private static func key(
        _ position: Int, _ record: RecordView, _ layout: RecordLayout
    ) -> IndexKey {
        // A value outside the record is asked for null only, which it is not.
        if record.isNull(position) { return IndexKey([.null]) }
        return IndexKey([record.value(position, in: layout) ?? .boolean(true)])
    }
}
