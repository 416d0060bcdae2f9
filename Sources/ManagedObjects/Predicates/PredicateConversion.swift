// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

/// Turns Foundation's predicates and values into the trees that stores run.
enum PredicateConversion {
    /// The tree of a predicate.
    ///
    /// - Throws: 134070 for a block predicate, which a store cannot run.
    static func predicate(
        _ predicate: NSPredicate, _ context: NSManagedObjectContext?
    ) throws -> PredicateTree {
        try Self.predicate(predicate, in: context?.persistentStore?.identity)
    }

    /// The tree of a predicate for one store.
    static func predicate(
        _ predicate: NSPredicate, in store: String?
    ) throws -> PredicateTree {
        switch predicate {
        case let format as FormatPredicate:
            return format.tree(in: store)
        case let compound as NSCompoundPredicate:
            let members = try compound.subpredicates.map { try Self.predicate($0, in: store) }
            switch compound.compoundPredicateType {
            case .and: return .and(members)
            case .or: return .or(members)
            case .not: return .not(members.first ?? .constant(true))
            @unknown default: throw unsupported("a compound predicate of an unknown kind")
            }
        default:
            if predicate == NSPredicate(value: true) { return .constant(true) }
            if predicate == NSPredicate(value: false) { return .constant(false) }
            throw unsupported("a predicate made of a block or by #Predicate")
        }
    }

    /// Whether a predicate names objects that were unsaved when it was made, whose keys change.
    static func hasUnsaved(_ predicate: NSPredicate) -> Bool {
        switch predicate {
        case let format as FormatPredicate: format.hasUnsaved
        case let compound as NSCompoundPredicate: compound.subpredicates.contains(where: hasUnsaved)
        default: false
        }
    }

    private static func unsupported(_ what: String) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "\(what) cannot run in a store; use NSPredicate(format:), or filter the results")
    }

    /// What takes the place of a conversion in a format.
    static func argument(_ value: Any?, in store: String?) -> Argument {
        .operand(operand(value, in: store))
    }

    /// Whether a constant names an object that has no permanent identity yet.
    static func isUnsaved(_ operand: Operand) -> Bool {
        switch operand {
        case .value(.objectID(let key)): key.isTemporary
        case .list(let members): members.contains(where: isUnsaved)
        default: false
        }
    }

    /// The constant of a value, object, ID or collection; traps for anything else.
    ///
    /// - Parameter store: The identifier of the store that is asked, where objects of others
    ///   must not be taken for its own.
    static func operand(_ value: Any?, in store: String? = nil) -> Operand {
        guard let value = ValueConversion.unwrapped(value) else { return .value(.null) }
        if let own = self.store(of: value), let store, own != store {
            return .value(.objectID(nobody))
        }
        if let fetch = value as? NSFetchRequestExpression {
            return operand(fetch.expressionValue(with: nil, context: nil), in: store)
        }
        if let scalar = scalar(value) { return .value(scalar) }
        switch value {
        case let list as [Any]: return .list(list.map { operand($0, in: store) })
        case let set as Set<AnyHashable>: return .list(set.map { operand($0.base, in: store) })
        case let set as NSSet: return .list(set.map { operand($0, in: store) })
        case let range as ClosedRange<Int>:
            return .list([operand(range.lowerBound), operand(range.upperBound)])
        default: return operandOfSequence(value, in: store)
        }
    }

    /// What an expression gives, as values, objects and arrays.
    static func object(_ operand: SubjectOperand, _ context: NSManagedObjectContext?) -> Any? {
        switch operand {
        case .collection(let members): return members.compactMap { object($0, context) }
        case .subject(let subject): return (subject as? ObjectSubject)?.object
        case .value(.objectID(let key)): return context?.objectID(for: key)
        case .value(let value): return ValueConversion.object(value)
        }
    }

    /// A key that no object ever has.
    private static let nobody = ObjectKey(rawValue: .max)

    /// The identifier of the store of an object or ID.
    private static func store(of value: Any) -> String? {
        switch value {
        case let id as NSManagedObjectID: id.store?.identity
        case let object as NSManagedObject:
            object.context?.store(of: object.storedKey)?.identifier
        default: nil
        }
    }

    /// Collects the stores of the objects that an argument names.
    static func noteStores(of value: Any?, _ stores: inout Set<String>) {
        guard let value = ValueConversion.unwrapped(value) else { return }
        if let store = store(of: value) {
            stores.insert(store)
        } else if let list = value as? any Collection, !(value is String), !(value is Data) {
            for member in list { noteStores(of: member, &stores) }
        } else if let set = value as? NSSet {
            for member in set { noteStores(of: member, &stores) }
        }
    }

    /// Sets of typed elements do not cast to `Set<AnyHashable>` on Linux.
    private static func operandOfSequence(_ value: Any, in store: String?) -> Operand {
        guard let sequence = value as? any Collection else {
            trap("a predicate cannot hold \(value) of type \(type(of: value))")
        }
        return .list(sequence.map { operand($0, in: store) })
    }

    private static func scalar(_ value: Any) -> Value? {
        switch value {
        case let text as String: .string(text)
        // Before the plain types: a boxed number casts to all of them.
        case let number as NSDecimalNumber: DecimalValue(number.decimalValue).map { .decimal($0) }
        case let number as NSNumber: ofNumber(number)
        case let flag as Bool: .boolean(flag)
        case let number as Int: .integer64(Int64(number))
        case let number as Double: .double(number)
        case let number as Float: .float(number)
        case let number as Decimal: DecimalValue(number).map { .decimal($0) }
        case let number as any BinaryInteger: .integer64(Int64(clamping: number))
        case let date as Date: .date(date.timeIntervalSinceReferenceDate)
        case let uuid as UUID: .uuid(UUIDValue(uuid))
        case let url as URL: .uri(url.absoluteString)
        case let data as Data: .binaryData(Array(data))
        case let text as NSString: .string(String(describing: text))
        case let id as NSManagedObjectID: .objectID(id.currentKey)
        case let object as NSManagedObject: .objectID(object.storedKey)
        default: nil
        }
    }

    private static func ofNumber(_ number: NSNumber) -> Value {
        let exact = number.doubleValue == number.doubleValue.rounded()
        let type = String(cString: number.objCType)
        if type == "c" || type == "B" { return .boolean(number.boolValue) }
        return exact && type != "d" && type != "f"
            ? .integer64(number.int64Value) : .double(number.doubleValue)
    }

    /// Evaluates a tree with a managed object or a plain value; false for what it does not fit.
    static func evaluate(_ tree: PredicateTree, _ object: Any?) -> Bool {
        do {
            if let object = object as? NSManagedObject {
                return try tree.evaluate(with: ObjectSubject(object))
            }
            return try tree.evaluate(with: SubjectOperand(operand(object)))
        } catch {
            trap("\(tree) cannot be evaluated: \(error)")
        }
    }
}
