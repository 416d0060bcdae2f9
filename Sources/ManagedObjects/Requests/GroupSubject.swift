// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// A group as a having predicate sees it: its columns, then the values of its members, which it
/// has as a collection too, for `count:(SELF)` and `@count`.
struct GroupSubject: PredicateSubject {
    let columns: [String: SubjectOperand]
    /// The columns whose names are no properties of the members.
    let computed: [String: ResultColumn]
    let members: [SubjectOperand]

    var predicateIdentity: ObjectKey? { nil }

    var predicateMembers: [SubjectOperand]? { members }

    var isGroup: Bool { true }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if let column = columns[key] { return column }
        return try Predicates.Expression.keyPath([key]).value(with: .collection(members))
    }

    /// The values of a property, also of one that is a column.
    ///
    /// So `count:(author) > 1` counts the members of an author's group. Of a column that is
    /// computed these are what it is for each member.
    func operandOfMembers(at keys: [String]) throws -> SubjectOperand? {
        guard let column = keys.first.flatMap({ computed[$0] }) else {
            let path = Predicates.Expression.keyPath(keys)
            guard path.isComputedOfMembers else {
                return try path.value(with: .collection(members))
            }
            return .collection(
                try members.flatMap { member in
                    let value = try path.value(with: member)
                    if case .collection(let many) = value { return many }
                    return [value]
                })
        }
        if column.isAggregate { return nil }
        let rest = Array(keys.dropFirst())
        let expression = Predicates.Expression.path(rest, of: column.expression)
        return .collection(try members.map { try expression.value(with: $0) })
    }
}
