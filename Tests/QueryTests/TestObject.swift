// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// An object in memory, which the evaluator of predicates sees without any record.
final class TestObject: PredicateSubject {
    let entity: Entity
    let key: ObjectKey
    var values: [String: Value]
    var toOne: [String: TestObject] = [:]
    var toMany: [String: [TestObject]] = [:]

    init(_ entity: Entity, _ key: ObjectKey, _ values: [String: Value]) {
        self.entity = entity
        self.key = key
        self.values = values
    }

    struct NoKey: Error { let name: String }

    var predicateIdentity: ObjectKey? { key }

    func predicateOperand(forKey name: String) throws -> SubjectOperand {
        if name == "self" || name == "objectID" { return .subject(self) }
        if entity.attribute(name) != nil { return .value(values[name] ?? .null) }
        guard let relationship = entity.relationship(name) else { throw NoKey(name: name) }
        guard relationship.isToMany else {
            return toOne[name].map { .subject($0) } ?? .value(.null)
        }
        let members = (toMany[name] ?? []).sorted { $0.key < $1.key }
        return .collection(members.map { .subject($0) })
    }

    /// The value at a key path through to-one relationships.
    func value(_ keys: [String]) -> Value {
        guard let first = keys.first else { return .objectID(key) }
        if let next = toOne[first] { return next.value(Array(keys.dropFirst())) }
        return keys.count == 1 ? values[first] ?? .null : .null
    }
}
