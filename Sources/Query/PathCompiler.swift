// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Compiles the comparison of a key path, or of bits of its value, with a constant.
///
/// The value at the end of a path is tested in the same way wherever the path leads, so a step
/// along a relationship is a node around the nodes of the rest of the path.
struct PathCompiler {
    private let store: Store
    private let keys: [String]
    private let test: FieldTest
    /// What becomes of the value before it is tested.
    private let steps: ContiguousArray<BitStep>
    private let modifier: Modifier

    /// - Returns: `nil` for a comparison of another form.
    init?(store: Store, _ comparison: Comparison) throws(QueryError) {
        guard let constant = comparison.right.constantOperand else { return nil }
        var steps: ContiguousArray<BitStep> = []
        switch comparison.left {
        case .evaluatedObject: keys = []
        case .keyPath(let path): keys = path
        case let left:
            guard comparison.modifier == .direct, let masked = MaskedPath(left) else { return nil }
            keys = masked.keys
            steps = masked.steps
        }
        self.steps = steps
        self.store = store
        var modifier = comparison.modifier
        var relation = comparison.operator
        if relation == .contains, modifier == .direct, case .value(.objectID) = constant {
            // `tracks CONTAINS x` asks the same as `ANY tracks == x`; the path must be to-many.
            modifier = .any
            relation = .equalTo
        }
        self.modifier = modifier
        guard let test = try FieldTest(relation, constant, comparison.options) else { return nil }
        self.test = test
    }

    /// The node for records of an entity; `nil` when the general evaluator must decide.
    func node(_ table: EntityTable) -> (any FilterNode)? {
        if keys.last == "@count" { return steps.isEmpty ? countNode(table) : nil }
        if keys.contains(where: { $0.utf8.first == 0x40 }) { return nil }
        guard crossesToMany(table.entity) == (modifier != .direct) else { return nil }
        let nullResult =
            switch modifier {
            case .direct: test.nullResult
            case .any: false
            case .all: true
            }
        return node(keys[...], table, nullResult: nullResult)
    }

    private func crossesToMany(_ entity: Entity) -> Bool {
        var current: Entity? = entity
        for key in keys {
            guard let relationship = current?.relationship(key) else { return false }
            if relationship.isToMany { return true }
            current = store.schema.entity(relationship.destination)
        }
        return false
    }

    private func node(
        _ keys: ArraySlice<String>, _ table: EntityTable, nullResult: Bool
    ) -> (any FilterNode)? {
        let keys = keys.drop { KeyPathResolver.isIdentity($0, of: table.entity) }
        guard let key = keys.first else { return steps.isEmpty ? test.identityNode() : nil }
        let rest = keys.dropFirst()
        if let position = table.field(named: key) {
            let place = FieldPlace(position, table)
            guard table.fields[position].isRelationship, !endsHere(rest, table, key) else {
                if !steps.isEmpty { return rest.isEmpty ? test.bitsNode(place, steps) : nil }
                return rest.isEmpty || table.fields[position].isRelationship
                    ? test.node(position, table) : nil
            }
            return targets(of: key, rest, table, nullResult: nullResult).map {
                ToOneNode(place, $0, nullResult: nullResult)
            }
        }
        guard let relationship = table.relationship(named: key), relationship.relationship.isToMany
        else { return nil }
        let isAny = modifier == .any
        if endsHere(rest, table, key), steps.isEmpty {
            return test.destinationNode(relationship, isAny: isAny)
        }
        return targets(of: key, rest, table, nullResult: test.nullResult).map {
            ToManyNode(relationship, $0, deciding: isAny, nullResult: test.nullResult)
        }
    }

    /// Whether nothing but names of the identity follow a relationship.
    private func endsHere(_ rest: ArraySlice<String>, _ table: EntityTable, _ key: String) -> Bool {
        guard let relationship = table.relationship(named: key)?.relationship,
            let destination = store.schema.entity(relationship.destination)
        else { return false }
        return rest.allSatisfy { KeyPathResolver.isIdentity($0, of: destination) }
    }

    /// The nodes of the rest of the path for each entity that a relationship can lead to.
    private func targets(
        of key: String, _ rest: ArraySlice<String>, _ table: EntityTable, nullResult: Bool
    ) -> ContiguousArray<(any FilterNode)?>? {
        guard let relationship = table.relationship(named: key)?.relationship else { return nil }
        return store.targets(of: relationship) { node(rest, $0, nullResult: nullResult) }
    }
}

extension PathCompiler {
    /// `tracks.@count > 3`, also behind to-one relationships, where nil counts as nothing.
    private func countNode(_ table: EntityTable) -> (any FilterNode)? {
        guard modifier == .direct, let interval = test.integerInterval else { return nil }
        let isNegated = test.operation == .notEqualTo
        let nothing = (interval.lower <= 0 && interval.upper >= 0) != isNegated
        return countNode(keys.dropLast(), table, interval, isNegated, nothing)
    }

    private func countNode(
        _ keys: ArraySlice<String>, _ table: EntityTable, _ interval: IntegerInterval,
        _ isNegated: Bool, _ nothing: Bool
    ) -> (any FilterNode)? {
        guard let key = keys.first, let relationship = table.relationship(named: key) else {
            return nil
        }
        if relationship.relationship.isToMany {
            guard keys.count == 1, relationship.isLinked else { return nil }
            return CountNode(relationship, interval, isNegated: isNegated)
        }
        guard let position = table.field(named: key) else { return nil }
        return store.targets(of: relationship.relationship) {
            countNode(keys.dropFirst(), $0, interval, isNegated, nothing)
        }.map { ToOneNode(FieldPlace(position, table), $0, nullResult: nothing) }
    }
}
