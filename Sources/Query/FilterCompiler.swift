// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Turns normalised predicates into nodes for the records of one entity.
struct FilterCompiler {
    let store: Store

    func node(_ predicate: Predicate, _ table: EntityTable) throws(QueryError) -> any FilterNode {
        switch predicate {
        case .constant(let value): return ConstantNode(value)
        case .not(let operand): return NotNode(try node(operand, table))
        case .and(let members): return try compound(members, table, deciding: false)
        case .or(let members): return try compound(members, table, deciding: true)
        case .comparison(let comparison):
            if let members = MemberCount(comparison), let node = try node(members, table) {
                return node
            }
            if let node = try PathCompiler(store: store, comparison)?.node(table) { return node }
            do { return try GeneralNode(predicate) } catch { throw QueryError(error) }
        }
    }

    private func compound(
        _ members: [Predicate], _ table: EntityTable, deciding: Bool
    ) throws(QueryError) -> any FilterNode {
        var nodes: [any FilterNode] = []
        for member in members { nodes.append(try node(member, table)) }
        return CompoundNode(nodes, deciding: deciding)
    }
}
