// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

/// What the fetch of a property found.
enum FetchedPropertyValue {
    /// Objects, by their IDs: two objects that find each other would keep each other alive.
    case objects([NSManagedObjectID])
    /// IDs, dictionaries or a count.
    case others([Any])
}

extension NSManagedObject {
    /// The value of a fetched property; nil for a key that is none.
    ///
    /// A fetch that fails leaves its error in the context's `lastReadError`, and finds nothing.
    final func fetchedValue(forKey key: String) -> [Any]? {
        guard let property = runtime.fetchedProperties[key] else { return nil }
        guard let context else { return [] }
        context.checkQueue(self)
        if flags.contains(.fault) { context.fire(self) }
        if let known = extras?.fetched[key] {
            switch known {
            case .objects(let ids): return ids.map { context.object(with: $0) }
            case .others(let values): return values
            }
        }
        do {
            let found: [Any] = try context.fetch(try request(of: property))
            let objects = found.compactMap { $0 as? NSManagedObject }
            // After the fetch, which may have moved the object to other values.
            requireExtras().fetched[key] =
                objects.count == found.count ? .objects(objects.map(\.objectID)) : .others(found)
            return found
        } catch {
            context.lastReadError = error
            return []
        }
    }

    /// The objects that a fetched property finds; nil for a key that is none.
    final func fetchedObjects(_ key: String, _ type: NSManagedObject.Type) -> [NSManagedObject]? {
        guard let request = runtime.fetchedProperties[key]?.fetchRequest else { return nil }
        if let name = request.entity?.name ?? request.entityName {
            context?.model.runtime(named: name)?.suggest(type)
        }
        return fetchedValue(forKey: key)?.map { member in
            guard let object = member as? NSManagedObject else {
                trap(
                    "\(runtime.entity.name).\(key) finds \(member), no object; read it by key")
            }
            return object
        }
    }

    /// The request with this object in place of variables.
    private final func request(
        of property: NSFetchedPropertyDescription
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        guard let request = property.fetchRequest?.duplicate() else { return NSFetchRequest() }
        request.predicate = try request.predicate.map {
            try PredicateConversion.replacing(in: $0) { try replacement(of: $0, property) }
        }
        return request
    }

    private final func replacement(
        of expression: Predicates.Expression, _ property: NSFetchedPropertyDescription
    ) throws -> Predicates.Expression? {
        switch expression {
        case .variable("FETCH_SOURCE"): return .constant(.value(.objectID(storedKey)))
        case .member(of: .variable("FETCH_SOURCE"), let keys):
            let value = try Predicates.Expression.keyPath(keys)
                .value(with: .subject(ObjectSubject(self)))
            return .constant(value.constant)
        case .member(of: .variable("FETCHED_PROPERTY"), ["name"]):
            return .constant(.value(.string(property.name)))
        case .member(of: .variable("FETCHED_PROPERTY"), let keys)
        where keys.count == 2 && keys[0] == "userInfo":
            let value = property.userInfo?[keys[1]]
            guard let operand = PredicateConversion.operand(value) else {
                throw PredicateConversion.unusableError(value)
            }
            return .constant(operand)
        default: return nil
        }
    }
}

extension SubjectOperand {
    /// The operand as a constant; objects by their identities.
    var constant: Operand {
        if case .collection(let members) = self { return .list(members.map(\.constant)) }
        return .value(scalar ?? .null)
    }
}

extension PredicateConversion {
    /// A predicate with other expressions where a closure has one.
    static func replacing(
        in predicate: NSPredicate,
        _ replacement: (Predicates.Expression) throws -> Predicates.Expression?
    ) throws -> NSPredicate {
        if let known = predicate.managedContent?.content {
            return PredicateMaking.predicate(
                BoundTree(try known.tree.replacing(replacement), known.values))
        }
        guard let compound = predicate as? NSCompoundPredicate else { return predicate }
        return NSCompoundPredicate(
            type: compound.compoundPredicateType,
            subpredicates: try compound.subpredicates.map { try replacing(in: $0, replacement) })
    }
}
