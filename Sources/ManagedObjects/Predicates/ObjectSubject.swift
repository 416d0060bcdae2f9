// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// A managed object as predicates see it: stored values, objects and collections of objects.
struct ObjectSubject: PredicateSubject {
    let object: NSManagedObject

    init(_ object: NSManagedObject) { self.object = object }

    var predicateIdentity: ObjectKey? { object.storedKey }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if key == "objectID" || key == "self" { return .value(.objectID(object.storedKey)) }
        switch object.runtime.references[key] {
        case .toMany(let index):
            let relationship = object.runtime.toManyRelationships[index]
            return .collection(
                object.destinations(relationship).map { .subject(ObjectSubject($0)) })
        case .field(let position):
            guard object.runtime.fields[position].isRelationship else {
                return .value(object.fieldValue(position))
            }
            guard let destination = object.destination(position) else { return .value(.null) }
            return .subject(ObjectSubject(destination))
        case nil:
            throw CoreDataError.make(
                .persistentStoreOperation,
                "entity \(object.runtime.entity.name) has no property \(key); it has "
                    + object.runtime.references.keys.sorted().joined(separator: ", "))
        }
    }

    /// The value at a key path through to-one relationships, for sorting.
    func value(at keyPath: [String]) throws -> Value {
        var operand = SubjectOperand.subject(self)
        for key in keyPath {
            guard case .subject(let subject) = operand else { return .null }
            operand = try subject.predicateOperand(forKey: key)
        }
        return operand.scalar ?? .null
    }
}
