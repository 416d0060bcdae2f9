// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// An aggregate of texts, decimals, values behind to-one relationships, or what is computed of
/// each member.
struct OtherAggregate {
    private enum Argument {
        case path(SortPath)
        case computed(RecordExpression)
    }

    /// The state in a group without members.
    let start: RunningAggregate
    private let isCount: Bool
    private let isExtreme: Bool
    private let argument: Argument

    /// - Returns: nil for an argument that is none of these.
    init?(_ function: String, _ argument: Expression, _ entity: Entity, _ store: Store) {
        guard let start = RunningAggregate(function) else { return nil }
        self.start = start
        isCount = function == "count:"
        isExtreme = function == "min:" || function == "max:"
        if argument.isComputedOfMembers {
            self.argument = .computed(RecordExpression(argument))
        } else if let path = SortPath(argument, entity, store) {
            self.argument = .path(path)
        } else {
            return nil
        }
    }

    /// Whether members may come in any order: extremes and counts of what has one form.
    var isSameInAnyOrder: Bool {
        if case .path = argument { isCount || isExtreme } else { false }
    }

    func add(
        _ row: ResultRow, _ snapshot: StoreSnapshot, to state: inout RunningAggregate
    ) throws {
        switch argument {
        case .computed(let expression):
            switch try expression.value(row.key, row.record, snapshot) {
            case .collection(let members): for member in members { try state.add(member) }
            case let value: try state.add(value)
            }
        case .path(let path):
            guard let (found, place) = try path.locate(row, snapshot) else { return }
            if isCount { return try state.add(.value(.boolean(true))) }
            switch place.type {
            case .decimal: return state.add(found.record.decimal(at: place.offset))
            case .string, .uri:
                if let bytes = found.record.heapBytes(at: place.offset), !state.wants(utf8: bytes) {
                    return
                }
            default: break
            }
            try state.add(.value(try path.value(row, snapshot)))
        }
    }
}

extension SortPath {
    /// The path of an expression; nil for one that leads to no stored value.
    init?(_ expression: Expression, _ entity: Entity, _ store: Store) {
        guard case .keyPath(let keys) = expression,
            let path = try? SortPath(SortOrder(keyPath: keys), entity: entity, store: store),
            !path.steps.isEmpty
        else { return nil }
        self = path
    }
}
