// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema

/// Values of programs as what predicates are evaluated with in memory.
extension PredicateConversion {
    /// A value, object, dictionary or collection as predicates see it.
    static func subject(_ value: Any?) -> SubjectOperand {
        guard let value = ValueConversion.unwrapped(value) else { return .value(.null) }
        if let object = value as? NSManagedObject {
            return .subject(ObjectSubject(object, readsAll: true))
        }
        if let entity = value as? NSEntityDescription {
            return .subject(EntitySubject(name: entity.name ?? ""))
        }
        if let scalar = scalar(value) { return .value(scalar) }
        if let table = DictionarySubject(value) { return .subject(table) }
        if let members = KeyPathValue.members(of: value)?.elements {
            return .collection(members.map { subject($0) })
        }
        return .subject(ReadableSubject(base: value))
    }

    /// A predicate with its constants as an object's attributes need them, see
    /// `Query.ConstantCoercion`; those that fit no attribute stay.
    static func coerced(_ tree: PredicateTree, for object: NSManagedObject?) -> PredicateTree {
        guard let runtime = object?.runtime, let schema = runtime.model?.schema else { return tree }
        let coercion = ConstantCoercion(schema, entity: runtime.entity.name, isStrict: false)
        return (try? coercion.coerced(tree)) ?? tree
    }
}

/// A dictionary as predicates see it: nil for a key that it lacks, its values as a collection.
struct DictionarySubject: PredicateSubject {
    let table: NSDictionary

    /// - Returns: `nil` for anything but a dictionary.
    init?(_ value: Any) {
        switch value {
        case let table as NSDictionary: self.table = table
        case let table as [String: Any]:
            self.table = NSDictionary(
                objects: Array(table.values), forKeys: table.keys.map { $0 as NSString })
        case let table as [AnyHashable: Any]: self.table = table as NSDictionary
        default: return nil
        }
    }

    var predicateIdentity: ObjectKey? { nil }

    var predicateMembers: [SubjectOperand]? {
        table.allValues.map { PredicateConversion.subject($0) }
    }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if let value = table[key] { return PredicateConversion.subject(value) }
        return key == "self" ? .subject(self) : .value(.null)
    }
}

/// Any other object or value as predicates see it: its stored properties.
struct ReadableSubject: PredicateSubject {
    let base: Any

    var predicateIdentity: ObjectKey? { nil }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if key == "self" { return .subject(self) }
        var mirror: Mirror? = Mirror(reflecting: base)
        while let level = mirror {
            if let child = level.children.first(where: { $0.label == key }) {
                return PredicateConversion.subject(child.value)
            }
            mirror = level.superclassMirror
        }
        throw PredicateEvaluationError(
            code: .invalidKey,
            message: "\(base) of type \(type(of: base)) has no stored property \(key)")
    }
}
