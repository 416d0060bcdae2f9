// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// A managed object as predicates see it: stored values, objects and collections of objects.
struct ObjectSubject: PredicateSubject {
    let object: NSManagedObject
    /// Whether all keys of key-value coding can be read, with values as programs have them, rather
    /// than those that a store knows, with its values.
    private let readsAll: Bool

    init(_ object: NSManagedObject, readsAll: Bool = false) {
        self.object = object
        self.readsAll = readsAll
    }

    var predicateIdentity: ObjectKey? { object.storedKey }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if key == "self" { return .subject(self) }
        if key == "objectID" { return .value(.objectID(object.storedKey)) }
        if readsAll, object.accessor(forKey: key) != nil {
            return PredicateConversion.subject(object.value(forKey: key))
        }
        switch object.runtime.references[key] {
        case .toMany(let index):
            let relationship = object.runtime.toManyRelationships[index]
            return .collection(object.destinations(relationship).map { subject($0) })
        case .field(let position):
            guard object.runtime.fields[position].isRelationship else { return value(position) }
            guard let destination = object.destination(position) else { return .value(.null) }
            return subject(destination)
        case nil:
            if key == "entity" {
                return .subject(EntitySubject(name: object.runtime.entity.name))
            }
            if readsAll { return PredicateConversion.subject(object.value(forKey: key)) }
            throw CoreDataError.make(
                .persistentStoreOperation,
                "entity \(object.runtime.entity.name) has no property \(key); it has "
                    + object.runtime.references.keys.sorted().joined(separator: ", "))
        }
    }

    private func subject(_ object: NSManagedObject) -> SubjectOperand {
        .subject(ObjectSubject(object, readsAll: readsAll))
    }

    private func value(_ position: Int) -> SubjectOperand {
        let value = object.fieldValue(position)
        guard readsAll, case .transformable = value else { return .value(value) }
        return PredicateConversion.subject(object.object(value, position))
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
